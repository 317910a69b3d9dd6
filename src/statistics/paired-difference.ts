import { mean, standardDeviation } from './dispersion.js'
import type { Interval } from './intervals.js'
import { wilsonInterval } from './intervals.js'
import { studentQuantile } from './student.js'

/** What {@link pairedDifference} finds, in the unit of the differences. */
export interface PairedDifference {
  /** Clusters that the difference rests on. */
  readonly tasks: number
  readonly mean?: number
  /** Absent below two tasks. */
  readonly standardError?: number
  /** 95 %. Absent below two tasks, and where all tasks differ by the same amount: no spread is no evidence of certainty. */
  readonly interval?: Interval
}

/**
 * Mean paired difference with the task as the cluster: `byTask[t]` holds the differences of task t, one for each pair. With d the task means,
 * the standard error is sd(d)/√T and the 95 % interval takes t with T−1 degrees of freedom (Miller 2024, arXiv 2411.00640, for paired
 * differences). Differences that are not finite are missing, and tasks without a pair left out.
 */
export function pairedDifference(byTask: readonly (readonly number[])[]): PairedDifference {
  const differences = byTask
    .map((pairs) => mean(pairs.filter(Number.isFinite)))
    .filter((difference) => difference !== undefined)
  const centre = mean(differences)
  const deviation = standardDeviation(differences)
  const tasks = differences.length
  if (centre === undefined) return { tasks }
  if (deviation === undefined) return { tasks, mean: centre }
  const standardError = deviation / Math.sqrt(tasks)
  if (standardError === 0) return { tasks, mean: centre, standardError }
  const half = standardError * studentQuantile(0.975, tasks - 1)
  return { tasks, mean: centre, standardError, interval: { low: centre - half, high: centre + half } }
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
  const { interval } = pairedDifference(known.map((score) => [score]))
  return interval && { low: Math.max(0, interval.low), high: Math.min(1, interval.high) }
}
