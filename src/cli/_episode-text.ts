import { absentForZero } from '../core/dose.js'
import type { Step, Trajectory, Trial } from '../core/episode.js'
import type { EpisodeRow, Measures } from '../results/episode-row.js'
import type { Attempt } from '../core/model.js'
import { count as counted } from '../tables/words.js'
import { escapeControls, escapeLine, number, wrap } from './_lines.js'

/** An episode with its trajectory, which is undefined if the store has lost it. */
interface CompleteEpisode {
  readonly row: EpisodeRow
  readonly trajectory: Trajectory | undefined
}

const lostTrajectory = 'Its trajectory is not in the store.'

/** An episode as lines of at most `width` characters. */
export function describeEpisode({ row, trajectory }: CompleteEpisode, width: number, withPrompt: boolean): string[] {
  if (trajectory === undefined) return [...headOf(row, width), '', lostTrajectory]
  return [
    ...headOf(row, width),
    '',
    ...promptLines(trajectory, width, withPrompt),
    ...openingLines(trajectory, width),
    ...trajectory.steps.flatMap((_, index) => ['', ...stepLines(trajectory, index, width)]),
    ...endLines(trajectory, width),
    ...failedCallText(trajectory).flatMap((text) => ['', ...wrap(`     * ${escapeControls(text)}`, width, '     ')]),
  ]
}

/** Two episodes, side by side from 100 columns on, with a mark at the first step that differs. */
export function describePair(
  clean: CompleteEpisode,
  perturbed: CompleteEpisode,
  width: number,
  withPrompt: boolean,
): string[] {
  const diverging = divergingStep(clean, perturbed)
  const where =
    diverging === undefined
      ? 'They do not diverge: commands and observations of the environment are the same.'
      : `They diverge at step ${String(diverging + 1)}, marked ≠.`
  if (width < 100) {
    return [
      ...describeEpisode(clean, width, withPrompt),
      '',
      '─'.repeat(Math.min(width, 80)),
      '',
      ...describeEpisode(perturbed, width, withPrompt),
      '',
      where,
    ]
  }
  const half = Math.floor((width - 3) / 2)
  const sides = [clean, perturbed]
  const blocks = (index: number): string[][] =>
    sides.map(({ trajectory }) =>
      trajectory?.steps[index] === undefined ? [] : stepLines(trajectory, index, half, index === diverging),
    )
  const count = Math.max(...sides.map(({ trajectory }) => trajectory?.steps.length ?? 0))
  const rows = [
    sides.map(({ row }) => headOf(row, half)),
    sides.map(({ trajectory }) =>
      trajectory
        ? ['', ...promptLines(trajectory, half, withPrompt), ...openingLines(trajectory, half)]
        : ['', lostTrajectory],
    ),
    ...Array.from({ length: count }, (_, index) => blocks(index).map((block) => ['', ...block])),
    sides.map(({ trajectory }) => (trajectory === undefined ? [] : endLines(trajectory, half))),
  ]
  return [...rows.flatMap(([left = [], right = []]) => beside(left, right, half)), '', where]
}

function headOf(row: EpisodeRow, width: number): string[] {
  const { measures, dose } = row
  const trials = summariseTrials(row)
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
            absentForZero.map((count) => (dose[count] ? `, ${number(dose[count])} ${count}` : '')).join('') +
            `; ${counted(dose.leaks, 'leak')}`,
        ]),
    ...[summariseCalls(measures)].filter((text) => text !== ''),
    ...(row.error === undefined ? [] : [`error: ${row.error}`]),
  ]
  return facts.flatMap((fact) => wrap(escapeLine(fact), width, '  '))
}

function promptLines({ prompt }: Trajectory, width: number, whole: boolean): string[] {
  const characters = prompt.reduce((sum, { content }) => sum + content.length, 0)
  if (!whole) {
    const size = `${counted(prompt.length, 'message')}, ${counted(characters, 'character')}`
    return [...wrap(`Prompt: ${size}; --prompt shows it.`, width), '']
  }
  return prompt.flatMap(({ role, content }) => [`[${role}]`, ...wrap(`  ${escapeControls(content)}`, width, '  '), ''])
}

function openingLines({ opening }: Trajectory, width: number): string[] {
  return [...said(opening.observation, width), ...originally(opening.original, width)]
}

function stepLines(trajectory: Trajectory, index: number, width: number, isDiverging = false): string[] {
  const step = trajectory.steps[index]!
  const isFirst = trajectory.trials?.some(({ from }) => from === index)
  const previous = isFirst ? undefined : trajectory.steps[index - 1]
  const labelled = (label: string, text: string): string[] =>
    wrap(`     ${label}${escapeControls(text)}`, width, '     ')
  const mark = isDiverging ? '≠' : ' '
  return [
    ...trialLinesAt(trajectory, index, width),
    ...(step.thoughts ?? []).flatMap((thought) => labelled('thought: ', thought)),
    ...(step.reasoning ?? []).flatMap((reasoning) => labelled('reasoning: ', reasoning)),
    ...(step.reply === undefined || step.reply === '' ? [] : labelled('reply: ', step.reply)),
    ...callsOf(step).flatMap((call) => labelled('call: ', call)),
    ...wrap(`${mark}${String(index + 1).padStart(2)} > ${escapeLine(step.action)}`, width, '     '),
    ...(typeof step.command === 'string' ? labelled('= ', step.command) : []),
    ...said(step.observation, width),
    ...originally(step.original, width),
    ...marksOf(step, previous).flatMap((text) => labelled('* ', text)),
  ]
}

/** Trials and reflections after the last step. */
function endLines(trajectory: Trajectory, width: number): string[] {
  const { trials = [], steps } = trajectory
  const isEmpty = trials.at(-1)?.from === steps.length
  const lines = [
    ...(isEmpty ? trialLinesAt(trajectory, steps.length, width) : []),
    ...lastReflectionLines(trajectory, width),
  ]
  return lines.length === 0 ? [] : ['', ...lines]
}

function said(observation: string, width: number): string[] {
  return wrap(`     ${escapeControls(observation)}`, width, '     ')
}

function originally(original: string | undefined, width: number): string[] {
  return original === undefined ? [] : wrap(`     ≈ ${escapeControls(original)}`, width, '       ')
}

function marksOf(step: Step, previous: Step | undefined): string[] {
  const repeated = previous?.understood === false && previous.action === step.action
  return [
    ...(step.command === null
      ? [step.memorised === true ? 'refused: the old wording' : 'not passed to the environment']
      : []),
    ...(step.memorised === true ? ['memorised: the unperturbed environment would have understood it'] : []),
    ...(step.understood === false && step.command !== null ? ['not understood'] : []),
    ...(step.failed === undefined ? [] : [failureOf(step)]),
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

/** The index of the first step whose command or original observation differs; undefined if none does. */
function divergingStep(a: CompleteEpisode, b: CompleteEpisode): number | undefined {
  const [one, other] = [a, b].map(({ trajectory }) => (trajectory?.steps ?? []).map(asSeenByEnvironment))
  const count = Math.max(one!.length, other!.length)
  for (let index = 0; index < count; index++) if (one![index] !== other![index]) return index
  return undefined
}

/** A step in the wording of the environment. */
function asSeenByEnvironment({ action, command, observation, original }: Step): string {
  return JSON.stringify([command === undefined ? action : command, original ?? observation])
}

function beside(left: readonly string[], right: readonly string[], width: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) =>
    `${(left[index] ?? '').padEnd(width)} │ ${right[index] ?? ''}`.trimEnd(),
  )
}

function percent(share: number): string {
  return `${String(Math.round(share * 100))}%`
}

/** Faults, attempts and tokens of an episode's model calls; empty if the model reports none. */
function summariseCalls({ faults = {}, attempts = 0, cut = 0, ...measures }: Measures): string {
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

/** The function calls of a step, one a line. */
function callsOf({ toolCalls = [] }: Step): string[] {
  return toolCalls.map((call) => `${call.name}(${call.arguments})`)
}

/** Faults, cuts and failed attempts of a step's model call. */
function marksOfCalls({ fault, cut, finishes = [], attempts = [] }: Step): string[] {
  return [
    ...finishes.map((finish) => `finish reason: ${finish}`),
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
  if (fault === 'too-long') return 'longer than the limit of a stored reply, and cut'
  if (fault === 'length') return 'cut off at the token limit'
  return fault === 'unclosed-reasoning' ? 'reasoning that never ends' : fault
}

/** Number and progress of an episode's trials; undefined for an agent that plays a task once. */
function summariseTrials({ trials }: EpisodeRow): string | undefined {
  if (trials === undefined) return undefined
  const progress = trials.map((share) => `${String(Math.round(share * 100))}%`).join(', ')
  return trials.length === 1 ? `1 trial, progress ${progress}` : `${number(trials.length)} trials, progress ${progress}`
}

/** What is printed between two trials after `steps` steps: the end of one with its reflection, and the next heading. */
function trialLinesAt({ trials = [] }: Trajectory, steps: number, width: number): string[] {
  return trials.flatMap((trial, index) => {
    if (trial.from !== steps) return []
    const before = trials[index - 1]
    return [
      ...(before === undefined ? [] : reflectionLines(before, index, width)),
      ...wrap(`── trial ${String(index + 1)}, seed ${String(trial.seed)} ──`, width),
      '',
    ]
  })
}

/** The end of the last trial, with its reflection if there is one. */
function lastReflectionLines({ trials = [] }: Trajectory, width: number): string[] {
  const last = trials.at(-1)
  return last === undefined ? [] : reflectionLines(last, trials.length, width)
}

function reflectionLines({ reflection, outcome }: Trial, trial: number, width: number): string[] {
  const ended = wrap(`── trial ${String(trial)} ended: ${escapeLine(outcome)} ──`, width)
  if (reflection === undefined) return [...ended, '']
  const { reply, reasoning, fault, left } = reflection
  const labelled = (label: string, text: string): string[] =>
    wrap(`     ${label}${escapeControls(text)}`, width, '     ')
  return [
    ...ended,
    ...(reasoning === undefined ? [] : labelled('reasoning: ', reasoning)),
    ...labelled('reflection: ', reply),
    ...(fault === undefined ? [] : labelled('* ', `no whole reply: ${fault}`)),
    ...(left === undefined ? [] : labelled('* ', `made without the first ${number(left)} steps, which did not fit`)),
    '',
  ]
}
