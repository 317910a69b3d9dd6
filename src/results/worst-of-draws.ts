import type { PairedDifference } from '../statistics/index.js'
import { expectedLowest, mean, pairedDifference } from '../statistics/index.js'
import type { Metric } from './pairs.js'
import { taskMean } from './rates.js'
import type { AggregateColumn } from './schema.js'
import type { Tally } from './tally.js'

/** Each task under the draw that is worst on it: means over tasks. */
interface Worst {
  readonly ofDraws: number
  /** What the worst of equally many clean repeats is expected to be, and the difference from it. */
  readonly ofClean: number
  readonly difference: PairedDifference
}

/**
 * Whether the draws of a model have random numbers of their own, as clean repeats have. In runs of earlier versions
 * they shared those of the clean twin, so that they failed together and their worst was better than that of repeats.
 */
export function haveOwnNumbers(
  draws: readonly AggregateColumn[],
  { settings }: { readonly settings: Readonly<Record<string, unknown>> },
): boolean {
  const drawn = draws.flatMap(({ perturbations }) => perturbations.filter(({ draw }) => draw !== undefined))
  return settings['pairing'] === 'independent' || drawn.every(({ numbers }) => numbers === 'own')
}

/**
 * Each task in its worst draw, beside what the worst of equally many clean repeats is expected to be: the lowest of
 * several noisy scores is low even where nothing is changed. The sets of repeats are all that there are, so that none
 * is chosen. Temperatures have equal weights, so that copies of a seed under one of them are no difference. Tasks
 * without an episode in one of the draws or repeats are left out.
 * @returns undefined for a single draw, with fewer repeats than draws, and without a task
 */
export function worstOfDraws(
  draws: readonly Tally[],
  repeats: readonly Tally[],
  metric: Metric,
  temperatures: readonly number[],
): Worst | undefined {
  if (draws.length < 2 || repeats.length < draws.length) return undefined
  const scores = (tallies: readonly Tally[], task: number): number[] =>
    tallies.map((tally) => mean(temperatures.map((place) => taskMean(tally[metric], tally, [place], task))) ?? NaN)
  const measured = Array.from({ length: draws[0]!.shape.tasks }, (_, task) => ({
    ofDraws: Math.min(...scores(draws, task)),
    clean: scores(repeats, task),
  }))
    .filter(({ ofDraws, clean }) => ![ofDraws, ...clean].some(Number.isNaN))
    .map(({ ofDraws, clean }) => ({ ofDraws, ofClean: expectedLowest(clean, draws.length)! }))
  if (measured.length === 0) return undefined
  return {
    ofDraws: mean(measured.map(({ ofDraws }) => ofDraws))!,
    ofClean: mean(measured.map(({ ofClean }) => ofClean))!,
    difference: pairedDifference(measured.map(({ ofDraws, ofClean }) => [ofDraws - ofClean])),
  }
}
