import type { EpisodeRow, Step, Trajectory } from '../core/episode.js'
import { callsOf, failedCallText, marksOfCalls, sumUpCalls } from './_call-text.js'
import { harmless, harmlessLine } from './_harmless.js'
import { number, wrap } from './_lines.js'
import { sumUpTrials, tellLastReflection, tellTrialsAt } from './_trial-text.js'

/** An episode with what was said in it; the trajectory is absent where the store has lost it. */
interface ToldEpisode {
  readonly row: EpisodeRow
  readonly trajectory: Trajectory | undefined
}

/** An episode as lines of at most so many characters. */
export function tellEpisode({ row, trajectory }: ToldEpisode, width: number, withPrompt: boolean): string[] {
  if (trajectory === undefined) return [...tellHead(row, width), '', 'What was said in it is not in the store.']
  return [
    ...tellHead(row, width),
    '',
    ...tellPrompt(trajectory, width, withPrompt),
    ...tellOpening(trajectory, width),
    ...trajectory.steps.flatMap((_, index) => ['', ...tellStep(trajectory, index, width)]),
    ...tellEnd(trajectory, width),
    ...failedCallText(trajectory).flatMap((text) => ['', ...wrap(`     * ${harmless(text)}`, width, '     ')]),
  ]
}

/** Two episodes beside each other where the width allows, else one after the other, with a mark where they part. */
export function tellPair(clean: ToldEpisode, perturbed: ToldEpisode, width: number, withPrompt: boolean): string[] {
  const parts = partingStep(clean, perturbed)
  const where =
    parts === undefined
      ? 'They never part: the environment hears and says the same.'
      : `They part at step ${String(parts + 1)}, marked ≠.`
  if (width < 100) {
    return [
      ...tellEpisode(clean, width, withPrompt),
      '',
      '─'.repeat(Math.min(width, 80)),
      '',
      ...tellEpisode(perturbed, width, withPrompt),
      '',
      where,
    ]
  }
  const half = Math.floor((width - 3) / 2)
  const sides = [clean, perturbed]
  const blocks = (index: number): string[][] =>
    sides.map(({ trajectory }) =>
      trajectory?.steps[index] === undefined ? [] : tellStep(trajectory, index, half, index === parts),
    )
  const count = Math.max(...sides.map(({ trajectory }) => trajectory?.steps.length ?? 0))
  const rows = [
    sides.map(({ row }) => tellHead(row, half)),
    sides.map(({ trajectory }) =>
      trajectory
        ? ['', ...tellPrompt(trajectory, half, withPrompt), ...tellOpening(trajectory, half)]
        : ['', 'What was said in it is not in the store.'],
    ),
    ...Array.from({ length: count }, (_, index) => blocks(index).map((block) => ['', ...block])),
    sides.map(({ trajectory }) => (trajectory === undefined ? [] : tellEnd(trajectory, half))),
  ]
  return [...rows.flatMap(([left = [], right = []]) => beside(left, right, half)), '', where]
}

function tellHead(row: EpisodeRow, width: number): string[] {
  const { measures, dose } = row
  const trials = sumUpTrials(row)
  const facts = [
    `${row.column} · ${row.environment} · ${row.task}`,
    `${row.model} with ${row.agent}, temperature ${String(row.temperature)}, seed ${String(row.seed)}, key ${row.key}`,
    `${row.outcome}, progress ${percent(row.progress)}, ${counted(measures.steps, 'step')}` +
      (measures.understood === undefined ? '' : `, ${String(measures.understood)} understood`) +
      (measures.formatErrors > 0 ? `, ${counted(measures.formatErrors, 'format error')}` : '') +
      (measures.repeats > 0 ? `, ${counted(measures.repeats, 'repeat')}` : '') +
      (measures.memorised ? `, ${String(measures.memorised)} in memorised wording` : ''),
    ...(trials === undefined ? [] : [trials]),
    ...(dose === undefined
      ? []
      : [
          `changed: ${counted(dose.forms, 'action form')}, ${counted(dose.commandsSaid, 'command')} said and ${number(dose.commandsSeen)} seen, ` +
            `${counted(dose.names, 'name')}, ${counted(dose.characters, 'character')}` +
            (['views', 'listed', 'failed', 'messages'] as const)
              .map((count) => (dose[count] ? `, ${number(dose[count])} ${count}` : ''))
              .join('') +
            `; ${counted(dose.leaks, 'leak')}`,
        ]),
    ...[sumUpCalls(measures)].filter((text) => text !== ''),
    ...(row.error === undefined ? [] : [`error: ${row.error}`]),
  ]
  return facts.flatMap((fact) => wrap(harmlessLine(fact), width, '  '))
}

function tellPrompt({ prompt }: Trajectory, width: number, whole: boolean): string[] {
  const characters = prompt.reduce((sum, { content }) => sum + content.length, 0)
  if (!whole) {
    const size = `${counted(prompt.length, 'message')}, ${counted(characters, 'character')}`
    return [...wrap(`Prompt: ${size}; --prompt shows it.`, width), '']
  }
  return prompt.flatMap(({ role, content }) => [`[${role}]`, ...wrap(`  ${harmless(content)}`, width, '  '), ''])
}

function tellOpening({ opening }: Trajectory, width: number): string[] {
  return [...said(opening.observation, width), ...originally(opening.original, width)]
}

function tellStep(trajectory: Trajectory, index: number, width: number, parts = false): string[] {
  const step = trajectory.steps[index]!
  const isFirst = trajectory.trials?.some(({ from }) => from === index)
  const previous = isFirst ? undefined : trajectory.steps[index - 1]
  const told = (label: string, text: string): string[] => wrap(`     ${label}${harmless(text)}`, width, '     ')
  const mark = parts ? '≠' : ' '
  return [
    ...tellTrialsAt(trajectory, index, width),
    ...(step.thoughts ?? []).flatMap((thought) => told('thought: ', thought)),
    ...(step.reasoning ?? []).flatMap((reasoning) => told('reasoning: ', reasoning)),
    ...(step.reply === undefined || step.reply === '' ? [] : told('reply: ', step.reply)),
    ...callsOf(step).flatMap((call) => told('call: ', call)),
    ...wrap(`${mark}${String(index + 1).padStart(2)} > ${harmlessLine(step.action)}`, width, '     '),
    ...(typeof step.command === 'string' ? told('= ', step.command) : []),
    ...said(step.observation, width),
    ...originally(step.original, width),
    ...marksOf(step, previous).flatMap((text) => told('* ', text)),
  ]
}

/** What came after the last step. */
function tellEnd(trajectory: Trajectory, width: number): string[] {
  const { trials = [], steps } = trajectory
  const isEmpty = trials.at(-1)?.from === steps.length
  const told = [
    ...(isEmpty ? tellTrialsAt(trajectory, steps.length, width) : []),
    ...tellLastReflection(trajectory, width),
  ]
  return told.length === 0 ? [] : ['', ...told]
}

function said(observation: string, width: number): string[] {
  return wrap(`     ${harmless(observation)}`, width, '     ')
}

function originally(original: string | undefined, width: number): string[] {
  return original === undefined ? [] : wrap(`     ≈ ${harmless(original)}`, width, '       ')
}

function marksOf(step: Step, previous: Step | undefined): string[] {
  const repeated = previous?.understood === false && previous.action === step.action
  return [
    ...(step.command === null ? ['refused: the old wording'] : []),
    ...(step.memorised === true ? ['memorised: the unperturbed environment would have understood it'] : []),
    ...(step.understood === false && step.command !== null ? ['not understood'] : []),
    ...(step.failed === undefined ? [] : [failureOf(step)]),
    ...(step.sent === undefined ? [] : [`${counted(step.sent.messages.length, 'message')} sent as perturbed`]),
    ...(repeated ? ['repeated after it was not understood'] : []),
    ...(step.formatError === undefined ? [] : [`format error: ${step.formatError}`]),
    ...marksOfCalls(step),
    ...(step.progress > (previous?.progress ?? 0) ? [`progress ${percent(step.progress)}`] : []),
  ]
}

function failureOf({ failed, refunded }: Step): string {
  const what = failed === 'before' ? 'failed before it took effect' : 'took effect, but its answer was withheld'
  return refunded ? `${what}; the step does not count` : what
}

/** The first step at which the environment heard or said something else; undefined where there is none. */
function partingStep(a: ToldEpisode, b: ToldEpisode): number | undefined {
  const [one, other] = [a, b].map(({ trajectory }) => (trajectory?.steps ?? []).map(underneath))
  const count = Math.max(one!.length, other!.length)
  for (let index = 0; index < count; index++) if (one![index] !== other![index]) return index
  return undefined
}

/** A step as the environment saw it. */
function underneath({ action, command, observation, original }: Step): string {
  return JSON.stringify([command === undefined ? action : command, original ?? observation])
}

function beside(left: readonly string[], right: readonly string[], width: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) =>
    `${(left[index] ?? '').padEnd(width)} │ ${right[index] ?? ''}`.trimEnd(),
  )
}

function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`
}

function percent(share: number): string {
  return `${String(Math.round(share * 100))}%`
}
