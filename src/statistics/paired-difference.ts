import { difference, expectEqualLengths, expectNumbers, finite, share } from './_expect-number.js'
import { mean, standardDeviation } from './dispersion.js'
import { studentQuantile } from './distributions.js'
import type { Interval } from './intervals.js'
import { meanBounds } from './mean-bounds.js'

/** The result of {@link pairedDifference}. Shares of 1. */
export interface PairedDifference {
  /** Tasks with a difference: the clusters. */
  readonly tasks: number
  readonly mean?: number
  /** sd(d)/√T of the tasks' differences d. Absent below two tasks. */
  readonly standardError?: number
  /**
   * 95 %, of the mean over other tasks, by {@link meanBounds}: it excludes 0 exactly where `noDifferenceP` is below
   * 0.05. Absent without a task.
   */
  readonly interval?: Interval
}

/**
 * Mean paired difference of shares with the task as the cluster: `byTask[t]` holds the differences of task t, from −1
 * to 1, one for each pair. Differences that are not finite are missing, and tasks without a pair are left out.
 * @throws RangeError for a difference outside of −1 to 1.
 */
export function pairedDifference(byTask: readonly (readonly number[])[]): PairedDifference {
  const known = byTask.map((pairs) => pairs.filter(Number.isFinite))
  for (const pairs of known) expectNumbers('each difference', pairs, difference)
  const differences = known.map(mean).filter((centre) => centre !== undefined)
  const centre = mean(differences)
  const tasks = differences.length
  if (centre === undefined) return { tasks }
  const deviation = standardDeviation(differences)
  return {
    tasks,
    mean: centre,
    ...(deviation !== undefined && { standardError: deviation / Math.sqrt(tasks) }),
    interval: meanBounds(differences, 0.025),
  }
}

/**
 * {@link pairedDifference} of differences, one a task, that are at most `largest` in size: in their unit, the interval
 * by {@link meanBounds} on differences relative to the largest.
 */
export function scaledDifference(differences: readonly number[], largest: number): PairedDifference {
  const relative = differences.map((one) => [Math.max(-1, Math.min(1, one / largest))])
  const { tasks, mean: centre, standardError, interval } = pairedDifference(relative)
  return {
    tasks,
    ...(centre !== undefined && { mean: largest * centre }),
    ...(standardError !== undefined && { standardError: largest * standardError }),
    ...(interval && { interval: { low: largest * interval.low, high: largest * interval.high } }),
  }
}

/**
 * Mean over tasks of the slope of a task's least-squares line through its scores, with the task as the cluster:
 * `byTask[t][i]` is the score of task t at `positions[i]`, from 0 to 1. Every task has a score at every position, so
 * that the slope of the mean is the mean of the slopes. In shares of 1 per unit of the position; the interval is by
 * {@link meanBounds} on slopes relative to the largest that there can be. Undefined without a task.
 * @throws RangeError for a task with another number of scores, a score outside of 0 to 1, and unless two positions
 * differ.
 */
export function pairedSlope(
  positions: readonly number[],
  byTask: readonly (readonly number[])[],
): PairedDifference | undefined {
  for (const scores of byTask) expectEqualLengths('positions and scores', [positions, scores])
  expectNumbers('each position', positions, finite)
  expectNumbers('each score', byTask.flat(), share)
  const centre = mean(positions) ?? 0
  const squares = positions.reduce((sum, position) => sum + (position - centre) ** 2, 0)
  if (!(squares > 0))
    throw new RangeError(
      `Expected two positions that differ, got ${JSON.stringify(positions)}. Give scores at two or more.`,
    )
  const weights = positions.map((position) => (position - centre) / squares)
  const steepest = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0)
  const slopes = byTask.map((scores) => scores.reduce((sum, score, place) => sum + weights[place]! * score, 0))
  return slopes.length === 0 ? undefined : scaledDifference(slopes, steepest)
}

/** The result of {@link pairedClusterDifference}, in the unit of the differences. */
export interface PairedClusterDifference {
  /** Number of known differences. */
  readonly tasks: number
  readonly clusters: number
  readonly mean?: number
  /**
   * Sandwich estimate without a correction: squares of the clusters' sums of deviations over n² (Liang and Zeger 1986).
   * Absent below two clusters.
   */
  readonly cr0?: number
  /** The same with the variance times G/(G−1) for G clusters, as in statsmodels and Inspect. Absent likewise. */
  readonly standardError?: number
  /** 95 %. Absent below two clusters, and where the clusters' sums have no spread. */
  readonly interval?: Interval
}

/**
 * Mean of paired differences, one a task, where tasks fall into clusters that may be correlated (kinds of task, or the
 * levels of one game): `clusters[i]` is the cluster of `differences[i]`. The interval is by t with G−1 degrees of
 * freedom. Differences that are not finite are missing. Below about ten clusters the sandwich is too small: say so
 * beside it.
 * @throws RangeError for lists of unequal length.
 */
export function pairedClusterDifference(
  differences: readonly number[],
  clusters: readonly (string | number)[],
): PairedClusterDifference {
  expectEqualLengths('differences and clusters', [differences, clusters])
  const known = differences.filter(Number.isFinite)
  const centre = mean(known)
  const sums = new Map<string | number, number>()
  differences.forEach((difference, place) => {
    if (!Number.isFinite(difference)) return
    sums.set(clusters[place]!, (sums.get(clusters[place]!) ?? 0) + difference - centre!)
  })
  const count = sums.size
  const found = { tasks: known.length, clusters: count, ...(centre !== undefined && { mean: centre }) }
  if (centre === undefined || count < 2) return found
  const cr0 = Math.sqrt([...sums.values()].reduce((total, sum) => total + sum * sum, 0)) / known.length
  const standardError = cr0 * Math.sqrt(count / (count - 1))
  if (standardError === 0) return { ...found, cr0, standardError }
  const half = standardError * studentQuantile(0.975, count - 1)
  return { ...found, cr0, standardError, interval: { low: centre - half, high: centre + half } }
}
