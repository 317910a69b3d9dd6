import type { EpisodeRow, Measures, Step, Trajectory, Trial } from '../core/episode.js'
import type { Attempt } from '../core/model.js'
import { harmless, harmlessLine, number, wrap } from './_lines.js'

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

/** What an episode's calls came to, in a few words; empty for a model that tells nothing of them. */
function sumUpCalls({ faults = {}, attempts = 0, cut = 0, ...measures }: Measures): string {
  const { promptTokens, completionTokens } = measures
  return [
    ...Object.entries(faults).map(([fault, count]) => `${number(count)} × ${faultText(fault)}`),
    ...(attempts > 0 ? [`${number(attempts)} attempts for ${number(measures.modelCalls)} replies`] : []),
    ...(promptTokens + completionTokens > 0
      ? [`${number(promptTokens)} tokens in, ${number(completionTokens)} out`]
      : []),
    ...(cut > 0 ? [`${number(cut)} parts of the history left out`] : []),
  ].join(', ')
}

/** The functions that were called in a step, one a line. */
function callsOf({ toolCalls = [] }: Step): string[] {
  return toolCalls.map((call) => `${call.name}(${call.arguments})`)
}

/** What there is to say of how a step's reply was got. */
function marksOfCalls({ fault, cut, attempts = [] }: Step): string[] {
  return [
    ...(fault === undefined ? [] : [`no whole reply: ${faultText(fault)}`]),
    ...(cut === undefined ? [] : [`history: ${number(cut)} more of its oldest parts left out`]),
    ...(attempts.some(({ outcome }) => outcome !== 'ok') ? [`attempts: ${attempts.map(attemptText).join('; ')}`] : []),
  ]
}

/** The attempts of the call that ended an episode. */
function failedCallText({ failedCall = [] }: Trajectory): string[] {
  return failedCall.length === 0 ? [] : [`no reply: ${failedCall.map(attemptText).join('; ')}`]
}

function attemptText({ outcome, status, waitMs, milliseconds, requestId }: Attempt): string {
  return [
    ...(waitMs > 0 ? [`waited ${number(waitMs)} ms,`] : []),
    outcome,
    ...(status === undefined ? [] : [String(status)]),
    `after ${number(milliseconds)} ms`,
    ...(requestId === undefined ? [] : [`(${requestId.slice(0, 100)})`]),
  ].join(' ')
}

function faultText(fault: string): string {
  if (fault === 'too-long') return 'longer than what is kept of a reply, and cut'
  if (fault === 'length') return 'cut off at the limit of tokens'
  return fault === 'unclosed-reasoning' ? 'reasoning that never ends' : fault
}

/** What came of each trial of an episode, in a few words; undefined for an agent that plays a task once. */
function sumUpTrials({ trials }: EpisodeRow): string | undefined {
  if (trials === undefined) return undefined
  const progress = trials.map((share) => `${String(Math.round(share * 100))}%`).join(', ')
  return trials.length === 1 ? `1 trial, progress ${progress}` : `${number(trials.length)} trials, progress ${progress}`
}

/**
 * What stands between two trials: of how many steps came before, the end of one trial with the reflection on it, and
 * the beginning of the next.
 */
function tellTrialsAt({ trials = [] }: Trajectory, steps: number, width: number): string[] {
  return trials.flatMap((trial, index) => {
    if (trial.from !== steps) return []
    const before = trials[index - 1]
    return [
      ...(before === undefined ? [] : tellReflection(before, index, width)),
      ...wrap(`── trial ${String(index + 1)}, seed ${String(trial.seed)} ──`, width),
      '',
    ]
  })
}

/** What was noted after the last trial; nothing but where the episode broke behind it. */
function tellLastReflection({ trials = [] }: Trajectory, width: number): string[] {
  const last = trials.at(-1)
  return last === undefined ? [] : tellReflection(last, trials.length, width)
}

function tellReflection({ reflection, outcome }: Trial, trial: number, width: number): string[] {
  const ended = wrap(`── trial ${String(trial)} ended: ${harmlessLine(outcome)} ──`, width)
  if (reflection === undefined) return [...ended, '']
  const { reply, reasoning, fault, left } = reflection
  const told = (label: string, text: string): string[] => wrap(`     ${label}${harmless(text)}`, width, '     ')
  return [
    ...ended,
    ...(reasoning === undefined ? [] : told('reasoning: ', reasoning)),
    ...told('reflection: ', reply),
    ...(fault === undefined ? [] : told('* ', `no whole reply: ${fault}`)),
    ...(left === undefined ? [] : told('* ', `made without the first ${number(left)} steps, which did not fit`)),
    '',
  ]
}
