import { mean } from './dispersion.js'
import type { Interval } from './intervals.js'
import { meanBounds } from './mean-bounds.js'

/** The result of {@link pairedDifference}. Shares of 1. */
export interface PairedDifference {
  /** Tasks with a difference: the clusters. */
  readonly tasks: number
  readonly mean?: number
  /**
   * 95 %, of the mean over other tasks, by {@link meanBounds}: it excludes 0 exactly where `noDifferenceP` is below
   * 0.05. Absent without a task.
   */
  readonly interval?: Interval
}

/**
 * Mean paired difference with the task as the cluster, from one mean difference a task, at most `largest` in size (1
 * for shares); the interval is by {@link meanBounds} on differences relative to the largest. What is not finite is
 * missing.
 */
export function pairedDifference(differences: ArrayLike<number>, largest = 1): PairedDifference {
  const known = Array.from(differences).filter(Number.isFinite)
  const relative = largest === 1 ? known : known.map((value) => Math.max(-1, Math.min(1, value / largest)))
  const centre = mean(relative)
  if (centre === undefined) return { tasks: 0 }
  const { low, high } = meanBounds(relative, 0.025)
  return {
    tasks: known.length,
    mean: largest * centre,
    interval: { low: largest * low, high: largest * high },
  }
}

/**
 * Mean over tasks of the slope of a task's least-squares line through its scores, with the task as the cluster:
 * `byTask[t][i]` is the score of task t at `positions[i]`, from 0 to 1; two positions differ. Every task has a score at
 * every position, so that the slope of the mean is the mean of the slopes. In shares of 1 per unit of the position.
 * Undefined without a task.
 */
export function pairedSlope(
  positions: readonly number[],
  byTask: readonly (readonly number[])[],
): PairedDifference | undefined {
  const centre = mean(positions) ?? 0
  const squares = positions.reduce((sum, position) => sum + (position - centre) ** 2, 0)
  const weights = positions.map((position) => (position - centre) / squares)
  const steepest = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0)
  const slopes = byTask.map((scores) => scores.reduce((sum, score, place) => sum + weights[place]! * score, 0))
  return slopes.length === 0 ? undefined : pairedDifference(slopes, steepest)
}
