import { mean, standardDeviation } from './dispersion.js'
import { studentQuantile, studentTail } from './student.js'
import { tangoScore } from './tango-score.js'

/** What {@link nonInferiorityT} finds. In the unit of the differences, shares of 1; below 0 is a drop. */
export interface NonInferiority {
  /** Mean over tasks of a task's mean difference. */
  readonly estimate: number
  /** Tasks with a pair. */
  readonly tasks: number
  /** One-sided p of the hypothesis that the difference is −margin or worse. */
  readonly p: number
  /** One-sided 1 − alpha bounds: together a 1 − 2·alpha interval. Never equal to each other. */
  readonly lower: number
  readonly upper: number
  /** `t`, or `score` where the bounds (both or one of them) are those of the stand-in for too little spread. */
  readonly method: 't' | 'score'
}

/** Tasks that differ from the commonest difference, below which their standard deviation says too little of what other tasks would do. */
const fewestMoved = 7

/**
 * One-sided t test that a paired difference is above −margin, the task as the cluster: `byTask[t]` holds the differences (−1 to 1, candidate minus
 * baseline) of task t, one for each pair. With d the task means, t = (mean(d) + margin)/(sd(d)/√T) has T−1 degrees of freedom. Tasks without a pair are
 * left out, and so are differences that are not finite; undefined without any, and unless alpha is between 0 and 0.5. For successes with one pair a task `tangoScore` is the better test: t does not know that a loss of a whole task is rare.
 *
 * Where fewer than seven tasks differ from the commonest difference, the deviation is 0 or rests on a handful, and t would be sure of what it has not
 * seen. The bounds are then not narrower than Tango's score interval for one pair a task, a difference of 0.2 counting as a fifth of a pair and half a
 * pair more against the bound (a continuity correction): the largest spread that such differences can have. 134 tasks without any difference have a lower
 * 95 % bound of −0.027, 20 tasks one of −0.16.
 */
export function nonInferiorityT(
  byTask: readonly (readonly number[])[],
  margin: number,
  alpha = 0.05,
): NonInferiority | undefined {
  const differences = byTask
    .map((pairs) => mean(pairs.filter(Number.isFinite)))
    .filter((difference) => difference !== undefined)
  const estimate = mean(differences)
  if (estimate === undefined || Number.isNaN(margin) || !(alpha > 0 && alpha < 0.5)) return undefined
  const tasks = differences.length
  const standardError = (standardDeviation(differences) ?? 0) / Math.sqrt(tasks)
  const found = { estimate, tasks }
  const isThin = countMoved(differences) < fewestMoved
  const below = isThin ? lowerByScore(differences, margin, alpha) : undefined
  const above = isThin ? lowerByScore(negate(differences), margin, alpha) : undefined
  if (standardError === 0) {
    return { ...found, p: below!.p, lower: below!.lower, upper: -above!.lower, method: 'score' }
  }
  const half = standardError * studentQuantile(1 - alpha, tasks - 1)
  const lower = Math.max(-1, estimate - half)
  const upper = Math.min(1, estimate + half)
  const p = studentTail((estimate + margin) / standardError, tasks - 1)
  if (below === undefined || above === undefined) return { ...found, p, lower, upper, method: 't' }
  return {
    ...found,
    p: Math.max(p, below.p),
    lower: Math.min(lower, below.lower),
    upper: Math.max(upper, -above.lower),
    method: below.lower < lower || -above.lower > upper ? 'score' : 't',
  }
}

/** What {@link tost} finds: one-sided p at either margin, and the larger of them, which is the test's. */
export interface Equivalence {
  /** Of the hypothesis that the difference is −margin or below. */
  readonly pLower: number
  /** Of the hypothesis that the difference is margin or above. */
  readonly pUpper: number
  readonly p: number
}

/**
 * Two one-sided tests that a paired difference lies between −margin and margin (Schuirmann 1987), each {@link nonInferiorityT}; undefined without a pair.
 */
export function tost(byTask: readonly (readonly number[])[], margin: number): Equivalence | undefined {
  const pLower = nonInferiorityT(byTask, margin)?.p
  const pUpper = nonInferiorityT(byTask.map(negate), margin)?.p
  return pLower === undefined || pUpper === undefined ? undefined : { pLower, pUpper, p: Math.max(pLower, pUpper) }
}

function lowerByScore(differences: readonly number[], margin: number, alpha: number): { lower: number; p: number } {
  const tasks = differences.length
  let [lostPairs, gainedPairs] = [0.5, 0]
  for (const difference of differences) {
    if (difference < 0) lostPairs -= difference
    else gainedPairs += difference
  }
  const lost = Math.min(tasks, lostPairs)
  const gained = Math.min(tasks - lost, gainedPairs)
  const { interval, p } = tangoScore(lost, gained, tasks, { margin, confidence: 1 - 2 * alpha })!
  return { lower: interval.low, p }
}

/** How many are not the commonest value; sums of the same scores in another order are one value. */
function countMoved(differences: readonly number[]): number {
  const sorted = Float64Array.from(differences).sort()
  let [longest, run] = [1, 1]
  for (let index = 1; index < sorted.length; index++) {
    run = sorted[index]! - sorted[index - 1]! < 1e-9 ? run + 1 : 1
    longest = Math.max(longest, run)
  }
  return sorted.length - longest
}

function negate(values: readonly number[]): number[] {
  return values.map((value) => -value)
}
