import { difference, expectNumbers } from './_expect-number.js'
import { mean, standardDeviation } from './dispersion.js'
import type { Interval } from './intervals.js'
import { meanBounds } from './mean-bounds.js'

/** What {@link pairedDifference} finds. Shares of 1. */
export interface PairedDifference {
  /** Clusters that the difference rests on. */
  readonly tasks: number
  readonly mean?: number
  /** sd(d)/√T of the tasks' differences d. Absent below two tasks. */
  readonly standardError?: number
  /**
   * 95 %, of the mean over other tasks, by {@link meanBounds}: it leaves 0 out exactly where `noDifferenceP` is below
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
