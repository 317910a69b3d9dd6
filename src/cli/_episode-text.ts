import type { Step, Trajectory } from '../core/episode.js'
import type { EpisodeRow } from '../results/episode-row.js'
import { count as counted } from '../tables/words.js'
import { wrap } from '../tables/plain.js'
import { type Lines, escapeControls, number, percent } from './_lines.js'

/** An episode with its trajectory, which is undefined if the store has lost it. */
interface CompleteEpisode {
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
  const beside = (left: readonly string[] = [], right: readonly string[] = []): string[] =>
    Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
      `${(left[at] ?? '').padEnd(half)} │ ${right[at] ?? ''}`.trimEnd(),
    )
  const count = Math.max(one!.length, other!.length)
  const lines = Array.from({ length: count }, (_, at) => beside(one![at], other![at])).flat()
  return [...lines, '', ...wrap(where, width)]
}

const hang = '     '

/** What the row says, the prompt with the first observation, each step, and the end. */
function partsOf({ row, trajectory }: CompleteEpisode, width: number, withPrompt: boolean, mark?: number): string[][] {
  const laid = (texts: readonly string[]): string[] => texts.flatMap((text) => wrap(escapeControls(text), width, hang))
  const facts = laid(factsOf(row))
  if (trajectory === undefined) return [facts, ['', 'Its trajectory is not in the store.']]
  const { prompt, opening, steps } = trajectory
  const characters = prompt.reduce((sum, { content }) => sum + content.length, 0)
  const size = `${counted(prompt.length, 'message')}, ${counted(characters, 'character')}`
  const whole = prompt.flatMap(({ role, content }) => [`[${role}]`, `${hang}${content}`, ''])
  const end = trialLines(trajectory, steps.length)
  return [
    facts,
    ['', ...laid([...(withPrompt ? whole : [`Prompt: ${size}; --prompt shows it.`, '']), ...observed(opening)])],
    ...steps.map((_, index) => ['', ...laid(stepLines(trajectory, index, index === mark))]),
    ...(end.length === 0 ? [] : [['', ...laid(end)]]),
  ]
}

/** Those of the texts that apply. */
function present(texts: Lines): string[] {
  return texts.filter((text) => typeof text === 'string' && text !== '') as string[]
}

/** As {@link present}, indented. */
function below(texts: Lines): string[] {
  return present(texts).map((text) => `${hang}${text}`)
}

/** An observation, and below it the environment's own wording, if different. */
function observed({ observation, original }: Pick<Step, 'observation' | 'original'>): string[] {
  return below([observation, original !== undefined && `≈ ${original}`])
}

/** What a row says, a fact a line; counts have their names in outcomes.jsonl. */
function factsOf(row: EpisodeRow): string[] {
  const { measures, dose = {}, trials = [] } = row
  const countsIn = (counts: object): string =>
    Object.entries(counts)
      .flatMap(([name, value]) => (typeof value === 'number' && value > 0 ? [`${name} ${number(value)}`] : []))
      .join(', ')
  const faults = Object.entries(measures.faults ?? {}).map(([fault, times]) => `${number(times)} × ${faultText(fault)}`)
  return present([
    `${row.condition} · ${row.environment} · ${row.task}`,
    `${row.model} with ${row.agent}, temperature ${String(row.temperature)}, seed ${String(row.seed)}, key ${row.key}`,
    `${row.outcome}, progress ${percent(row.progress)}`,
    countsIn(measures),
    trials.length > 0 && `trials with progress ${trials.map(percent).join(', ')}`,
    row.dose !== undefined && `changed: ${countsIn(dose) || 'nothing'}`,
    faults.length > 0 && `replies: ${faults.join(', ')}`,
    row.error !== undefined && `error: ${row.error}`,
  ])
}

function stepLines(trajectory: Trajectory, index: number, isDiverging: boolean): string[] {
  const { steps, trials = [] } = trajectory
  const step = steps[index]!
  const previous = trials.some(({ from }) => from === index) ? undefined : steps[index - 1]
  const { thoughts = [], reasoning = [], reply = '', toolCalls = [], action, command } = step
  return [
    ...trialLines(trajectory, index),
    ...below([
      ...thoughts.map((thought) => `thought: ${thought}`),
      ...reasoning.map((text) => `reasoning: ${text}`),
      reply !== '' && `reply: ${reply}`,
      ...toolCalls.map((call) => `call: ${call.name}(${call.arguments})`),
    ]),
    `${isDiverging ? '≠' : ' '}${String(index + 1).padStart(2)} > ${action.replace(/\n/g, '\\n')}`,
    ...below([typeof command === 'string' && `= ${command}`]),
    ...observed(step),
    ...below(marksOf(step, previous).map((text) => `* ${text}`)),
  ]
}

/** What a reader should notice of a step. */
function marksOf(step: Step, previous: Step | undefined): string[] {
  const { action, command, memorised, understood, failed, refunded, formatError, fault, cut, progress } = step
  const failure = failed === 'before' ? 'failed before it took effect' : 'took effect, but its answer was withheld'
  return present([
    command === null && (memorised === true ? 'refused: the old wording' : 'not passed to the environment'),
    memorised === true && 'memorised: the unperturbed environment would have understood it',
    understood === false && command !== null && 'not understood',
    failed !== undefined && `${failure}${refunded ? '; the step does not count' : ''}`,
    previous?.understood === false && previous.action === action && 'repeated after it was not understood',
    formatError !== undefined && `format error: ${formatError}`,
    fault !== undefined && `no whole reply: ${faultText(fault)}`,
    cut !== undefined && `history: ${number(cut)} more of its oldest parts left out`,
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

function faultText(fault: string): string {
  return fault === 'length' ? 'cut off at the token limit' : fault
}

/** What stands after `count` steps: the end of a trial with its reflection, and the heading of the next. */
function trialLines({ trials = [], steps }: Trajectory, count: number): string[] {
  const endOf = (index: number): string[] => {
    const { outcome, reflection } = trials[index] ?? {}
    const { reply, reasoning, fault, left } = reflection ?? {}
    const texts = below([
      reasoning !== undefined && `reasoning: ${reasoning}`,
      reply !== undefined && `reflection: ${reply}`,
      fault !== undefined && `* no whole reply: ${faultText(fault)}`,
      left !== undefined && `* made without the first ${number(left)} steps, which did not fit`,
    ])
    return outcome === undefined ? [] : [`── trial ${String(index + 1)} ended: ${outcome} ──`, ...texts]
  }
  const between = trials.flatMap(({ from, seed }, index) =>
    from === count ? [...endOf(index - 1), `── trial ${String(index + 1)}, seed ${String(seed)} ──`] : [],
  )
  return count === steps.length ? [...between, ...endOf(trials.length - 1)] : between
}
