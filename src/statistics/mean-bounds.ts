import type { Rule, WeightedValues } from './dirichlet-mean.js'
import { dirichletMeanAt, dirichletMeanQuantile, exact, mergeEqual, rough } from './dirichlet-mean.js'
import { type Interval, expectShares } from './intervals.js'

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
 * power where repeats vary). `bench/gate-level.ts` shows the error rates in twelve populations. Differences that are
 * not finite are missing.
 */
export function meanAboveP(differences: ArrayLike<number>, bound: number): number {
  return countedAboveP(countEqual(differences), bound)
}

/** {@link meanAboveP} of differences that are counted, or any number of `enough` or more where it is that. */
export function countedAboveP(differences: Counted, bound: number, enough = 1): number {
  if (differences.length === 0) return 1
  const p = largestProduct(describe(differences), bound, enough)
  if (bound < 0) return p
  const above = differences.reduce((sum, [one, tasks]) => (one > bound ? sum + tasks : sum), 0)
  return Math.max(p, 2 ** -above)
}

/** Like {@link meanAboveP}, of the hypothesis that the mean difference is `bound` or above; throws as it does. */
export function meanBelowP(differences: ArrayLike<number>, bound: number): number {
  return countedAboveP(negate(countEqual(differences)), -bound)
}

/**
 * Bounds of the mean difference over other tasks, each with one-sided error `alpha`: the differences that {@link
 * meanAboveP} and {@link meanBelowP} do not reject at that level, so that test and interval never disagree. −1 to 1
 * without a task.
 */
export function meanBounds(differences: ArrayLike<number>, alpha: number): Interval {
  const counted = countEqual(differences)
  return { low: lowerBound(counted, alpha), high: -lowerBound(negate(counted), alpha) }
}

/**
 * Two-sided p of the hypothesis of no difference: twice the smaller one-sided p, at most 1. 0 is outside of the 1 − p
 * interval.
 */
export function noDifferenceP(differences: ArrayLike<number>): number {
  const counted = countEqual(differences)
  const sum = counted.reduce((total, [value, tasks]) => total + value * tasks, 0)
  // The side that the mean lies on is likely to have the smaller p; of the other its first value is then enough.
  const likely = sum < 0 ? negate(counted) : counted
  const p = countedAboveP(likely, 0)
  return Math.min(1, 2 * Math.min(p, countedAboveP(negate(likely), 0, p)))
}

/** Differences, each with the number of tasks that have it, rarer ones first. */
export type Counted = readonly (readonly [difference: number, tasks: number])[]

function countEqual(differences: ArrayLike<number>): Counted {
  const known = expectShares(Array.from(differences).filter(Number.isFinite), -1)
  const tasks = new Map<number, number>()
  for (const value of known) {
    const rounded = Math.round(value * 1e12) / 1e12
    tasks.set(rounded, (tasks.get(rounded) ?? 0) + 1)
  }
  return [...tasks].sort(([, one], [, other]) => one - other)
}

function negate(differences: Counted): Counted {
  return differences.map(([one, tasks]) => [-one, tasks])
}

interface Sample extends WeightedValues {
  readonly tasks: number
  readonly least: number
  readonly most: number
}

/** With more distinct values they are rounded down to a grid, which never raises a lower bound. */
const maxDistinct = 400
const grid = 500

function describe(differences: Counted): Sample {
  const isFine = differences.length > maxDistinct
  const tasks = differences.reduce((sum, [, count]) => sum + count, 0)
  const weight = tasks / (tasks + 4)
  const pieces = differences.map(
    ([value, count]) => [isFine ? Math.floor(value * grid) / grid : value, count * weight] as const,
  )
  const sample = mergeEqual([...pieces, [lowerTail(differences), 1]])
  let [least, most] = [Infinity, -Infinity]
  for (const value of sample.values) [least, most] = [Math.min(least, value), Math.max(most, value)]
  return { ...sample, tasks, least, most }
}

/**
 * The additional task: minus the ratio of third to second moments, the largest over all numbers of largest losses, so
 * that it falls with every task's difference and the test is monotone.
 */
function lowerTail(differences: Counted): number {
  let squares = 0
  const losses: (readonly [loss: number, tasks: number])[] = []
  for (const [one, tasks] of differences) {
    if (one < 0) losses.push([-one, tasks])
    else squares += tasks * one * one
  }
  let [cubes, deepest] = [0, 0]
  for (const [loss, tasks] of losses.sort(([one], [other]) => other - one)) {
    cubes += tasks * loss ** 3
    squares += tasks * loss * loss
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
  if (bound >= most) return 1
  if (bound <= -1) return 0
  if (enough < 1 && bound > least) {
    const first = dirichletMeanAt(sample, bound, exact).below
    if (first >= enough) return first
  }
  return Math.exp(-tasks * (leastCost(sample, Math.max(bound, least)) - Math.log1p(bound)))
}

function lowerBound(differences: Counted, alpha: number): number {
  if (differences.length === 0) return -1
  const sample = describe(differences)
  const { tasks, least, most } = sample
  const allLuck = most === least ? most : dirichletMeanQuantile(sample, alpha)
  // So close to the end of the range rounding leaves no digits of 1 + mean.
  if (allLuck < 1e-12 - 1) return -1
  const low = Math.min(allLuck, Math.expm1(leastCost(sample, allLuck) + Math.log(alpha) / tasks))
  if (low <= 0) return Math.max(-1, low)
  let signs = Math.ceil(-Math.log2(alpha))
  const highest = [...differences].sort(([one], [other]) => other - one).find(([, count]) => (signs -= count) <= 0)
  return Math.min(low, Math.max(0, highest?.[0] ?? 0))
}

/** A place of {@link leastCost} with the cost and its slope there. */
interface Place {
  readonly mean: number
  readonly cost: number
  readonly slope: number
}

/**
 * ln(1 + mean) − ln P(mean of the tasks that can be drawn ≤ mean)/n, of which both searches want the least: with mean =
 * (bound + q)/(1 − q) the product is exp(−n · cost) · (1 + bound)ⁿ, and it is alpha at one bound.
 */
function costAt(sample: Sample, mean: number, rule: Rule): Place {
  const at = mean >= sample.most ? { below: 1, density: 0 } : dirichletMeanAt(sample, mean, rule)
  // Far out the integral is 0 but for its rounding error, which may be negative.
  const [below, density] = [Math.max(0, at.below), at.density]
  return {
    mean,
    cost: Math.log1p(mean) - Math.log(below) / sample.tasks,
    slope: 1 / (1 + mean) - density / below / sample.tasks,
  }
}

/** Of n · cost, and so of p relative to itself. */
const precision = 1e-9
const maxRounds = 24

/** With so few tasks the weights are so small that the probability has a kink at each value, and several minima. */
const fewTasks = 8

/**
 * The least cost at `from` or above: a coarse search, finer near `from` and between all kinks, then by cubic
 * interpolation between the neighbours of the best place. Only the best cost is exact.
 */
function leastCost(sample: Sample, from: number): number {
  const first = costAt(sample, from, rough)
  let best = first
  // No probability is above 1, so further up all costs are above the first.
  const to = Math.min(sample.most, Math.expm1(first.cost))
  const [coarse, values] = sample.tasks <= fewTasks ? [8, sample.values] : [4, []]
  const kinks = values.filter((kink) => kink > from && kink < to)
  const ends = [from, ...kinks.sort((a, b) => a - b), to]
  const means = ends.flatMap((start, index) => {
    const width = (ends[index + 1] ?? start) - start
    return width > 0 ? Array.from({ length: coarse }, (_, place) => start + width * (place / coarse) ** 2) : [start]
  })
  let [low, high] = [first, first]
  let last = first
  for (const mean of means.slice(1)) {
    const place = costAt(sample, mean, rough)
    if (last === best) high = place
    if (place.cost < best.cost) [low, best, high] = [last, place, place]
    last = place
    if (Math.log1p(mean) > best.cost) break
  }
  if (best.slope > 0) high = best
  else low = best
  for (let round = 0; round < maxRounds; round++) {
    const width = high.mean - low.mean
    const mean = low.mean + width * (round % 3 === 2 ? 0.5 : lowestBetween(low, high))
    const gain = Math.abs(best.slope * (mean - best.mean))
    if (!(sample.tasks * gain > precision) || !(width > 1e-12)) break
    const place = costAt(sample, mean, rough)
    if (place.cost < best.cost) best = place
    if (place.slope > 0) high = place
    else low = place
  }
  return costAt(sample, best.mean, exact).cost
}

/**
 * Where the cubic through two places with their slopes is lowest, as a share of the way; half where it is not falling
 * at the first and rising at the second.
 */
function lowestBetween(low: Place, high: Place): number {
  const width = high.mean - low.mean
  const bend = low.slope + high.slope - (3 * (high.cost - low.cost)) / width
  const root = Math.sqrt(bend * bend - low.slope * high.slope)
  const share = 1 - (high.slope + root - bend) / (high.slope - low.slope + 2 * root)
  return low.slope < 0 && high.slope > 0 && share > 0 && share < 1 ? share : 0.5
}
