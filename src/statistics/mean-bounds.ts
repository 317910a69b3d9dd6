import { boundLevel, difference, expectNumber, expectNumbers } from './_expect-number.js'
import type { WeightedValues } from './dirichlet-mean.js'
import { dirichletMeanCdf, dirichletMeanQuantile, mergeEqual } from './dirichlet-mean.js'
import type { Interval } from './intervals.js'

/**
 * One-sided p of the hypothesis that the mean difference over other tasks is `bound` or below, from one mean difference
 * a task; small where the tasks lie above it. `differences` are shares of 1, from −1 to 1, each the mean over a task's
 * pairs: the task is the cluster. 1 without a task.
 *
 * A sample can mislead in two ways. First, a share q of all tasks may be lost wholly (a difference of −1) while none of
 * them was drawn, with probability (1 − q)ⁿ. Second, the tasks that were drawn may lie above their mean by chance. p is
 * the largest product of the two probabilities over q. The second is a Bayesian bootstrap with an additional task in
 * the lower tail, at −maxⱼ(Σᵢ≤ⱼ xᵢ³ / (Σᵢ≤ⱼ xᵢ² + Σ g²)), where x are the losses, largest first, and g the gains. This
 * is where third moments put it; weight 1 makes losses of whole tasks exact: with k of n tasks lost and no other
 * difference p is that of Clopper and Pearson, about. The task weights n/(n+4) stand for Student's t.
 *
 * For bounds of 0 or more p is never below 2^−m, where m tasks lie above the bound: the p of a sign test under a
 * symmetric distribution.
 *
 * A lower difference of any task never lowers p. The additional task is Gaffke's (2005; Learned-Miller and Thomas 2019,
 * arXiv 1905.06208, have it at the end of the range, which holds for every population and costs more than half the
 * power where repeats vary). `bench/gate-level.ts` shows the error rates in twelve populations.
 * @throws RangeError for a difference or a bound outside of −1 to 1. Differences that are not finite are missing.
 */
export function meanAboveP(differences: readonly number[], bound: number): number {
  return aboveP(differences, bound, 1)
}

/** {@link meanAboveP}, or any number of `enough` or more where it is that. */
function aboveP(differences: readonly number[], bound: number, enough: number): number {
  expectNumber('bound', bound, difference)
  const sample = describe(differences)
  if (sample === undefined) return 1
  const p = largestProduct(sample, bound, enough)
  return bound < 0 ? p : Math.max(p, 2 ** -differences.filter((one) => one > bound).length)
}

/** Like {@link meanAboveP}, of the hypothesis that the mean difference is `bound` or above; throws as it does. */
export function meanBelowP(differences: readonly number[], bound: number): number {
  return meanAboveP(negate(differences), -bound)
}

/**
 * Bounds of the mean difference over other tasks, each with one-sided error `alpha`: the differences that {@link
 * meanAboveP} and {@link meanBelowP} do not reject at that level, so that test and interval never disagree. −1 to 1
 * without a task.
 * @throws RangeError for a difference outside of −1 to 1, and unless `alpha` is above 0 and at most 0.5.
 */
export function meanBounds(differences: readonly number[], alpha: number): Interval {
  expectNumber('alpha', alpha, boundLevel)
  return { low: lowerBound(differences, alpha), high: -lowerBound(negate(differences), alpha) }
}

/**
 * Two-sided p of the hypothesis of no difference: twice the smaller one-sided p, at most 1. 0 is outside of the 1 − p
 * interval.
 * @throws RangeError for a difference outside of −1 to 1.
 */
export function noDifferenceP(differences: readonly number[]): number {
  const above = meanAboveP(differences, 0)
  return Math.min(1, 2 * Math.min(above, aboveP(negate(differences), 0, above)))
}

interface Sample extends WeightedValues {
  readonly tasks: number
  readonly least: number
  readonly most: number
}

/** With more distinct values they are rounded down to a grid, which never raises a lower bound. */
const maxDistinct = 400
const grid = 500

function describe(differences: readonly number[]): Sample | undefined {
  const known = differences.filter(Number.isFinite)
  expectNumbers('each difference', known, difference)
  const tasks = known.length
  if (tasks === 0) return undefined
  const isFine = new Set(known).size > maxDistinct
  const weight = tasks / (tasks + 4)
  const rounded = known.map((one) => (isFine ? Math.floor(one * grid) / grid : Math.round(one * 1e12) / 1e12))
  const sample = mergeEqual([...rounded.map((one) => [one, weight] as const), [lowerTail(known), 1]])
  return { ...sample, tasks, least: Math.min(...sample.values), most: Math.max(...sample.values) }
}

/**
 * The additional task: minus the ratio of third to second moments, the largest over all numbers of largest losses, so
 * that it falls with every task's difference and the test is monotone.
 */
function lowerTail(differences: readonly number[]): number {
  let squares = 0
  const losses: number[] = []
  for (const one of differences) {
    if (one < 0) losses.push(-one)
    else squares += one * one
  }
  let [cubes, deepest] = [0, 0]
  for (const loss of losses.sort((a, b) => b - a)) {
    cubes += loss ** 3
    squares += loss * loss
    if (squares > 0) deepest = Math.max(deepest, cubes / squares)
  }
  return -deepest
}

/**
 * The largest over q of (1 − q)ⁿ · P(mean of the tasks that can be drawn ≤ (bound + q)/(1 − q)), or any of its values
 * that is `enough` or more.
 */
function largestProduct(sample: Sample, bound: number, enough: number): number {
  const { tasks, least, most } = sample
  const unseen = (mean: number): number => Math.max(0, (mean - bound) / (1 + mean))
  const product = (q: number): number => {
    const mean = (bound + q) / (1 - q)
    const luck = mean >= most ? 1 : dirichletMeanCdf(sample, mean)
    return (1 - q) ** tasks * luck
  }
  if (bound >= most) return 1
  if (bound <= -1) return 0
  const [from, to] = [unseen(least), unseen(most)]
  if (to - from < 1e-12) return (1 - to) ** tasks
  const first = enough < 1 ? product(from) : 0
  return first >= enough ? first : -minimise((q) => -product(q), from, to, kinksOf(sample).map(unseen))
}

function lowerBound(differences: readonly number[], alpha: number): number {
  const sample = describe(differences)
  if (sample === undefined) return -1
  const { tasks, least, most } = sample
  const luckOf = (mean: number): number => (mean >= most ? 1 : dirichletMeanCdf(sample, mean))
  const boundAt = (mean: number): number => {
    const drawn = Math.min(1, (alpha / luckOf(mean)) ** (1 / tasks))
    return drawn * mean - (1 - drawn)
  }
  const allLuck = most === least ? most : dirichletMeanQuantile(sample, alpha)
  const low = most === least ? boundAt(most) : Math.min(allLuck, minimise(boundAt, allLuck, most, kinksOf(sample)))
  if (low <= 0) return Math.max(-1, low)
  const signs = Math.ceil(-Math.log2(alpha))
  return Math.min(low, Math.max(0, differences.filter(Number.isFinite).sort((a, b) => b - a)[signs - 1] ?? 0))
}

const golden = (Math.sqrt(5) - 1) / 2
const coarse = 8
/** How near to the least place it ends, as a share of the interval; the value is far nearer, since it is flat there. */
const precision = 1e-4
const maxRounds = 24

/** With few tasks the weights are so small that the probability has a kink at each value, and several minima. */
function kinksOf({ tasks, values }: Sample): readonly number[] {
  return tasks <= 8 ? values : []
}

/**
 * The least value of a function: a coarse search, finer near `from` and between all `kinks`, then Brent's method
 * (Algorithms for Minimization without Derivatives, 1973) between the neighbours of the best place.
 */
function minimise(f: (x: number) => number, from: number, to: number, kinks: readonly number[]): number {
  const own = kinks.filter((kink) => kink > from && kink < to).sort((a, b) => a - b)
  const places = [from, ...own, to].flatMap((start, index, ends) => {
    const width = (ends[index + 1] ?? start) - start
    return width > 0 ? Array.from({ length: coarse }, (_, place) => start + width * (place / coarse) ** 2) : [start]
  })
  const values = places.map(f)
  const start = values.indexOf(Math.min(...values))
  let [low, high] = [places[Math.max(0, start - 1)]!, places[Math.min(places.length - 1, start + 1)]!]
  const near = precision * (high - low)
  /** The best, second and third best place so far, and their values. */
  let [best, second, third] = [places[start]!, places[start]!, places[start]!]
  let [atBest, atSecond, atThird] = [values[start]!, values[start]!, values[start]!]
  let [moved, movedBefore] = [0, 0]
  for (let round = 0; round < maxRounds; round++) {
    const middle = (low + high) / 2
    if (Math.abs(best - middle) <= 2 * near - (high - low) / 2) break
    let move = 0
    if (Math.abs(movedBefore) > near) {
      // The lowest point of the parabola through the three places.
      const left = (best - second) * (atBest - atThird)
      const right = (best - third) * (atBest - atSecond)
      const bend = 2 * (right - left)
      move = bend === 0 ? 0 : -((best - third) * right - (best - second) * left) / bend
      const isInside = best + move > low + near && best + move < high - near
      if (!isInside || Math.abs(move) >= Math.abs(movedBefore) / 2) move = 0
    }
    if (move === 0) {
      movedBefore = (best < middle ? high : low) - best
      move = (1 - golden) * movedBefore
    } else movedBefore = moved
    if (Math.abs(move) < near) move = move > 0 ? near : -near
    moved = move
    const place = best + move
    const value = f(place)
    if (value <= atBest) {
      if (place < best) high = best
      else low = best
      ;[third, second, best] = [second, best, place]
      ;[atThird, atSecond, atBest] = [atSecond, atBest, value]
      continue
    }
    if (place < best) low = place
    else high = place
    if (value <= atSecond || second === best) {
      ;[third, second] = [second, place]
      ;[atThird, atSecond] = [atSecond, value]
    } else if (value <= atThird || third === best || third === second) {
      third = place
      atThird = value
    }
  }
  return atBest
}

function negate(values: readonly number[]): number[] {
  return values.map((value) => -value)
}
