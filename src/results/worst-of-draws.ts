import type { PairedDifference } from '../statistics/index.js'
import { expectedLowest, mean, pairedDifference } from '../statistics/index.js'
import type { Metric } from './pairs.js'
import { taskMean } from './rates.js'
import type { AggregateColumn } from './schema.js'
import type { Tally } from './tally.js'

/** Each task under the draw that is worst on it: means over tasks. */
interface Worst {
  readonly ofDraws: number
  /**
   * What the worst of equally many clean repeats is expected to be, and the difference from it. Absent with fewer
   * repeats than draws.
   */
  readonly repeated?: { readonly ofClean: number; readonly difference: PairedDifference }
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
 * is chosen. Temperatures have equal weights, so that copies of a seed under one of them are no difference.
 * @param tasks those without an episode in one of the draws or repeats are left out
 * @returns undefined for a single draw, and without a task
 */
export function worstOfDraws(
  draws: readonly Tally[],
  repeats: readonly Tally[],
  metric: Metric,
  tasks: readonly number[],
  temperatures: readonly number[],
): Worst | undefined {
  if (draws.length < 2) return undefined
  const isRepeated = repeats.length >= draws.length
  const scores = (tallies: readonly Tally[], task: number): number[] =>
    tallies.map((tally) => mean(temperatures.map((place) => taskMean(tally[metric], tally, [place], task))) ?? NaN)
  const measured = tasks.flatMap((task) => {
    const [ofDraws, ofClean] = [scores(draws, task), isRepeated ? scores(repeats, task) : []]
    if ([...ofDraws, ...ofClean].some(Number.isNaN)) return []
    return [{ ofDraws: Math.min(...ofDraws), ofClean: expectedLowest(ofClean, draws.length) }]
  })
  if (measured.length === 0) return undefined
  return {
    ofDraws: mean(measured.map(({ ofDraws }) => ofDraws))!,
    ...(isRepeated && {
      repeated: {
        ofClean: mean(measured.map(({ ofClean }) => ofClean!))!,
        difference: pairedDifference(measured.map(({ ofDraws, ofClean }) => [ofDraws - ofClean!])),
      },
    }),
  }
}
