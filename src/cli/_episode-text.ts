import { absentForZero } from '../core/dose.js'
import type { Step, Trajectory, Trial } from '../core/episode.js'
import type { Attempt } from '../core/model.js'
import type { EpisodeRow } from '../results/episode-row.js'
import { count as counted } from '../tables/words.js'
import { escapeControls, number, percent, wrap } from './_lines.js'

/** An episode with its trajectory, which is undefined if the store has lost it. */
export interface CompleteEpisode {
  readonly row: EpisodeRow
  readonly trajectory: Trajectory | undefined
}

/** An episode as lines of at most `width` characters. */
export function describeEpisode(episode: CompleteEpisode, width: number, withPrompt: boolean): string[] {
  return partsOf(episode, width, withPrompt).flat()
}

/** Two episodes side by side, with a mark at the first step that differs. */
export function describePair(
  clean: CompleteEpisode,
  perturbed: CompleteEpisode,
  width: number,
  withPrompt: boolean,
): string[] {
  const half = Math.floor((width - 3) / 2)
  const diverging = divergingStep(clean, perturbed)
  const where =
    diverging === undefined
      ? 'They do not diverge: commands and observations of the environment are the same.'
      : `They diverge at step ${String(diverging + 1)}, marked ≠.`
  const [one, other] = [clean, perturbed].map((episode) => partsOf(episode, half, withPrompt, diverging))
  // The ends stand beside each other, whatever the number of steps.
  const count = Math.max(one!.length, other!.length)
  for (const parts of [one!, other!]) parts.splice(-1, 0, ...Array.from({ length: count - parts.length }, () => []))
  const beside = (left: readonly string[], right: readonly string[]): string[] =>
    Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
      `${(left[at] ?? '').padEnd(half)} │ ${right[at] ?? ''}`.trimEnd(),
    )
  return [...one!.flatMap((part, at) => beside(part, other![at]!)), '', ...wrap(where, width)]
}

/** What the row says, the prompt with the first observation, each step, and the end. */
function partsOf({ row, trajectory }: CompleteEpisode, width: number, withPrompt: boolean, mark?: number): string[][] {
  const laid = (lines: readonly Line[]): string[] =>
    lines.flatMap(({ first = '', text }) => wrap(`${first}${escapeControls(text)}`, width, hang))
  const facts = laid(factsOf(row).map((text) => ({ text })))
  if (trajectory === undefined) return [facts, ['', 'Its trajectory is not in the store.'], []]
  const { opening, steps, trials = [], failedCall = [] } = trajectory
  const end = [
    ...(trials.at(-1)?.from === steps.length ? trialLines(trials, steps.length) : []),
    ...trialEnd(trials, trials.length - 1),
    ...below([failedCall.length > 0 && `* no reply: ${failedCall.map(attemptText).join('; ')}`]),
  ]
  return [
    facts,
    ['', ...laid([...promptLines(trajectory, withPrompt), ...observed(opening)])],
    ...steps.map((_, index) => ['', ...laid(stepLines(trajectory, index, index === mark))]),
    end.length === 0 ? [] : ['', ...laid(end)],
  ]
}

/** A text with what stands before it in its first line. */
interface Line {
  readonly first?: string
  readonly text: string
}

const hang = '     '

/** Those of the texts that apply, indented. */
function below(texts: readonly (string | false | undefined)[]): Line[] {
  return present(texts).map((text) => ({ first: hang, text }))
}

function present(parts: readonly (string | false | undefined)[]): string[] {
  return parts.filter((part) => typeof part === 'string' && part !== '') as string[]
}

/** An observation, and below it the environment's own wording, if different. */
function observed({ observation, original }: Pick<Step, 'observation' | 'original'>): Line[] {
  return below([observation, original !== undefined && `≈ ${original}`])
}

/** What a row says, a fact a line. */
function factsOf(row: EpisodeRow): string[] {
  const { measures, dose, trials = [] } = row
  const { understood, formatErrors, repeats, memorised = 0, faults = {}, attempts = 0, cut = 0 } = measures
  const { promptTokens, completionTokens, modelCalls } = measures
  const ended = [
    `${row.outcome}, progress ${percent(row.progress)}, ${counted(measures.steps, 'step')}`,
    understood !== undefined && `${String(understood)} understood`,
    formatErrors > 0 && counted(formatErrors, 'format error'),
    repeats > 0 && counted(repeats, 'repeat'),
    memorised > 0 && `${String(memorised)} in memorised wording`,
  ]
  const changed = dose && [
    counted(dose.forms, 'action form'),
    `${counted(dose.commandsSaid, 'command')} said and ${number(dose.commandsSeen)} seen`,
    counted(dose.names, 'name'),
    counted(dose.characters, 'character'),
    ...absentForZero.map((kind) => (dose[kind] ?? 0) > 0 && `${number(dose[kind]!)} ${kind}`),
  ]
  const calls = [
    ...Object.entries(faults).map(([fault, count]) => `${number(count)} × ${faultText(fault)}`),
    attempts > 0 && `${number(attempts)} attempts for ${number(modelCalls)} replies`,
    promptTokens + completionTokens > 0 && `${number(promptTokens)} tokens in, ${number(completionTokens)} out`,
    cut > 0 && `${number(cut)} parts of the history left out`,
  ]
  return present([
    `${row.condition} · ${row.environment} · ${row.task}`,
    `${row.model} with ${row.agent}, temperature ${String(row.temperature)}, seed ${String(row.seed)}, key ${row.key}`,
    present(ended).join(', '),
    trials.length > 0 && `${counted(trials.length, 'trial')}, progress ${trials.map(percent).join(', ')}`,
    dose && `changed: ${present(changed!).join(', ')}; ${counted(dose.leaks, 'leak')}`,
    present(calls).join(', '),
    row.error !== undefined && `error: ${row.error}`,
  ])
}

function promptLines({ prompt }: Trajectory, isWhole: boolean): Line[] {
  if (isWhole)
    return prompt.flatMap(({ role, content }) => [{ text: `[${role}]` }, { first: hang, text: content }, { text: '' }])
  const characters = prompt.reduce((sum, { content }) => sum + content.length, 0)
  const size = `${counted(prompt.length, 'message')}, ${counted(characters, 'character')}`
  return [{ text: `Prompt: ${size}; --prompt shows it.` }, { text: '' }]
}

function stepLines({ steps, trials = [] }: Trajectory, index: number, isDiverging: boolean): Line[] {
  const step = steps[index]!
  const previous = trials.some(({ from }) => from === index) ? undefined : steps[index - 1]
  const { thoughts = [], reasoning = [], reply = '', toolCalls = [], action, command } = step
  return [
    ...trialLines(trials, index),
    ...below([
      ...thoughts.map((thought) => `thought: ${thought}`),
      ...reasoning.map((text) => `reasoning: ${text}`),
      reply !== '' && `reply: ${reply}`,
      ...toolCalls.map((call) => `call: ${call.name}(${call.arguments})`),
    ]),
    { first: `${isDiverging ? '≠' : ' '}${String(index + 1).padStart(2)} > `, text: action.replace(/\n/g, '\\n') },
    ...below([typeof command === 'string' && `= ${command}`]),
    ...observed(step),
    ...below(marksOf(step, previous).map((text) => `* ${text}`)),
  ]
}

/** What a reader should notice of a step. */
function marksOf(step: Step, previous: Step | undefined): string[] {
  const { action, command, memorised, understood, failed, refunded, formatError, fault, cut } = step
  const { finishes = [], attempts = [], progress } = step
  const failure = failed === 'before' ? 'failed before it took effect' : 'took effect, but its answer was withheld'
  return present([
    command === null && (memorised === true ? 'refused: the old wording' : 'not passed to the environment'),
    memorised === true && 'memorised: the unperturbed environment would have understood it',
    understood === false && command !== null && 'not understood',
    failed !== undefined && `${failure}${refunded ? '; the step does not count' : ''}`,
    previous?.understood === false && previous.action === action && 'repeated after it was not understood',
    formatError !== undefined && `format error: ${formatError}`,
    ...finishes.map((finish) => `finish reason: ${finish}`),
    fault !== undefined && `no whole reply: ${faultText(fault)}`,
    cut !== undefined && `history: ${number(cut)} more of its oldest parts left out`,
    attempts.some(({ outcome }) => outcome !== 'ok') && `attempts: ${attempts.map(attemptText).join('; ')}`,
    progress > (previous?.progress ?? 0) && `progress ${percent(progress)}`,
  ])
}

/** The index of the first step whose command or observation in the wording of the environment differs. */
function divergingStep(a: CompleteEpisode, b: CompleteEpisode): number | undefined {
  const [one, other] = [a, b].map(({ trajectory }) =>
    (trajectory?.steps ?? []).map(({ action, command, observation, original }) =>
      JSON.stringify([command === undefined ? action : command, original ?? observation]),
    ),
  )
  const longer = one!.length > other!.length ? one! : other!
  const at = longer.findIndex((_, index) => one![index] !== other![index])
  return at < 0 ? undefined : at
}

function attemptText({ outcome, status, waitMs, milliseconds, requestId }: Attempt): string {
  return present([
    waitMs > 0 && `waited ${number(waitMs)} ms,`,
    outcome,
    status !== undefined && String(status),
    `after ${number(milliseconds)} ms`,
    requestId !== undefined && `(${requestId.slice(0, 100)})`,
  ]).join(' ')
}

function faultText(fault: string): string {
  return fault === 'length' ? 'cut off at the token limit' : fault
}

/** What stands between two trials after `steps` steps: the end of one with its reflection, and the next heading. */
function trialLines(trials: readonly Trial[], steps: number): Line[] {
  return trials.flatMap((trial, index) =>
    trial.from === steps
      ? [...trialEnd(trials, index - 1), { text: `── trial ${String(index + 1)}, seed ${String(trial.seed)} ──` }]
      : [],
  )
}

function trialEnd(trials: readonly Trial[], index: number): Line[] {
  const trial = trials[index]
  if (trial === undefined) return []
  const { reply, reasoning, fault, left } = trial.reflection ?? {}
  return [
    { text: `── trial ${String(index + 1)} ended: ${trial.outcome} ──` },
    ...below([
      reasoning !== undefined && `reasoning: ${reasoning}`,
      reply !== undefined && `reflection: ${reply}`,
      fault !== undefined && `* no whole reply: ${faultText(fault)}`,
      left !== undefined && `* made without the first ${number(left)} steps, which did not fit`,
    ]),
  ]
}
