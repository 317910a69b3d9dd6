import { dirichletMeanQuantile, mergeEqual } from './dirichlet-mean.js'
import { mean, standardDeviation } from './dispersion.js'
import { normalQuantile, studentQuantile } from './distributions.js'

/** Two bounds in the unit of what they bound. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * Score interval of a proportion (Wilson, JASA 22, 1927), as shares of 1, for `successes` of `trials` independent
 * trials. It stays within 0 and 1 and has a width even for no success and for all; on average over proportions its
 * coverage is about `confidence`. 0 to 1 without a trial.
 */
export function wilsonInterval(successes: number, trials: number, confidence = 0.95): Interval {
  if (trials === 0) return { low: 0, high: 1 }
  const z = normalQuantile((1 + confidence) / 2)
  const rate = successes / trials
  const square = z * z
  const centre = (rate + square / (2 * trials)) / (1 + square / trials)
  const half = (z / (1 + square / trials)) * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials * trials))
  return { low: successes === 0 ? 0 : centre - half, high: successes === trials ? 1 : centre + half }
}

/**
 * Interval of the mean score over all tasks of which `scores` are a sample, one mean score a task (0 to 1, over any
 * number of seeds). Each bound is a quantile of Σ D·x with D uniform on the simplex and x the
 * scores and one more task, which failed for the lower bound and was solved for the upper (Gaffke 2005; Learned-Miller
 * and Thomas 2019, arXiv 1905.06208). Where every score is 0 or 1 it is Clopper and Pearson's interval.
 * Both bounds rise with every score and never jump, and the task is the cluster however its seeds correlate. In every
 * simulation (`bench/figures.ts`) its coverage is at least `confidence`; that it always is, is conjectured,
 * not proven. Scores that are not finite are missing; undefined without a score.
 */
export function taskInterval(scores: readonly number[], confidence = 0.95): Interval | undefined {
  const known = expectShares(scores.filter(Number.isFinite), 0)
  const points = known.map((score) => [score, 1] as const)
  if (points.length === 0) return undefined
  const tail = (1 - confidence) / 2
  return {
    low: dirichletMeanQuantile(mergeEqual([...points, [0, 1]]), tail),
    high: dirichletMeanQuantile(mergeEqual([...points, [1, 1]]), 1 - tail),
  }
}

/** Student's 95 % interval of a mean, for values without known bounds; undefined where they have no spread. */
export function studentInterval(values: readonly number[]): Interval | undefined {
  const [centre, deviation] = [mean(values), standardDeviation(values)]
  if (centre === undefined || deviation === undefined || deviation === 0) return undefined
  const half = (studentQuantile(0.975, values.length - 1) * deviation) / Math.sqrt(values.length)
  return { low: centre - half, high: centre + half }
}

/**
 * Shares of 1, or differences of such where `least` is −1.
 * @throws RangeError for another number, such as a percentage.
 */
export function expectShares(values: readonly number[], least: -1 | 0): readonly number[] {
  const other = values.find((value) => value < least || value > 1)
  if (other === undefined) return values
  throw new RangeError(
    `Expected shares from ${String(least)} to 1, got ${String(other)}. Give shares, not percentages.`,
  )
}
