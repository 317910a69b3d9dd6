import { mean, standardDeviation } from './dispersion.js'
import { studentQuantile } from './distributions.js'
import type { Interval } from './intervals.js'

/** How far the means of several draws lie apart, in the unit of the scores. */
export interface SpreadOfDraws {
  /** Sample standard deviation (n − 1) of the draws' means. */
  readonly deviation: number
  /**
   * That of the draws' true means: root of the variance of the means less the sampling variance of one, 0 if below it.
   */
  readonly beyondNoise: number
}

/**
 * The spread of draws that were all scored on the same tasks: `scores[draw][task]`. A draw's mean has the sampling
 * variance MS/T, where MS is the mean square that tasks and draws leave in a two-way analysis of variance (what all
 * draws share, as how hard a task is, does not count as noise), and the method of moments subtracts it from the
 * variance of the means (Searle, Casella and McCulloch 1992, chapter 4; Hedges and Olkin 1985, chapter 9). Tasks
 * without a score in every draw are left out; undefined with fewer than two draws or two tasks.
 */
export function spreadOfDraws(scores: readonly (readonly number[])[]): SpreadOfDraws | undefined {
  const rows = scores.map((row) => row.filter((_, task) => scores.every((other) => Number.isFinite(other[task]))))
  const tasks = rows[0]?.length ?? 0
  const ofDraws = rows.map((row) => mean(row) ?? NaN)
  const deviation = standardDeviation(ofDraws)
  if (deviation === undefined || tasks < 2) return undefined
  const ofTasks = rows[0]!.map((_, task) => mean(rows.map((row) => row[task]!))!)
  const all = mean(ofDraws)!
  let left = 0
  rows.forEach((row, draw) => {
    row.forEach((score, task) => (left += (score - ofDraws[draw]! - ofTasks[task]! + all) ** 2))
  })
  const noise = left / ((rows.length - 1) * (tasks - 1)) / tasks
  return { deviation, beyondNoise: Math.sqrt(Math.max(0, deviation ** 2 - noise)) }
}

/**
 * The 95 % interval of a mean over draws and tasks if both were drawn again, from its interval over tasks alone and the
 * draws' means: the distances of that interval's bounds, and Student's t for the mean of the draws' means, are added as
 * independent errors are. The noise of the draws' means counts in both, so it is rather too wide. It takes the draws as
 * normal: `bench/figures.ts` shows how often it holds, and that it does not where one draw in four is another thing.
 * Undefined with fewer than two draws.
 */
export function intervalOverDraws(means: readonly number[], overTasks: Interval): Interval | undefined {
  const [centre, deviation] = [mean(means), standardDeviation(means)]
  if (centre === undefined || deviation === undefined) return undefined
  const half = (studentQuantile(0.975, means.length - 1) * deviation) / Math.sqrt(means.length)
  return {
    low: centre - Math.hypot(centre - overTasks.low, half),
    high: centre + Math.hypot(overTasks.high - centre, half),
  }
}
