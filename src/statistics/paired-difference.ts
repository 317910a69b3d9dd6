import { mean, standardDeviation } from './dispersion.js'
import type { Interval } from './intervals.js'
import { wilsonInterval } from './intervals.js'
import { meanBounds } from './mean-bounds.js'
import { studentQuantile } from './student.js'

/** What {@link pairedDifference} finds. Shares of 1. */
export interface PairedDifference {
  /** Clusters that the difference rests on. */
  readonly tasks: number
  readonly mean?: number
  /** sd(d)/√T of the tasks' differences d. Absent below two tasks. */
  readonly standardError?: number
  /** 95 %, of the mean over other tasks, by {@link meanBounds}: it leaves 0 out exactly where `noDifferenceP` is below 0.05. Absent without a task. */
  readonly interval?: Interval
}

/**
 * Mean paired difference of shares with the task as the cluster: `byTask[t]` holds the differences of task t, from −1 to 1, one for each pair.
 * Differences that are not finite are missing, and tasks without a pair are left out.
 */
export function pairedDifference(byTask: readonly (readonly number[])[]): PairedDifference {
  const differences = byTask
    .map((pairs) => mean(pairs.filter(Number.isFinite)))
    .filter((difference) => difference !== undefined)
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
 * 95 % interval of a mean score over tasks (each value a task's mean, 0 to 1): would it hold on other tasks? Wilson where every value is 0 or 1,
 * otherwise t with T−1 degrees of freedom, cut to 0 and 1. Absent where neither says anything: no tasks, or all with one value in between. Scores that
 * are not finite are missing.
 */
export function taskInterval(scores: readonly number[]): Interval | undefined {
  const known = scores.filter(Number.isFinite)
  if (known.length === 0) return undefined
  if (known.every((score) => score === 0 || score === 1)) {
    return wilsonInterval(known.filter((score) => score === 1).length, known.length)
  }
  const [centre, deviation] = [mean(known)!, standardDeviation(known)]
  if (deviation === undefined || deviation === 0) return undefined
  const half = (deviation / Math.sqrt(known.length)) * studentQuantile(0.975, known.length - 1)
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}
