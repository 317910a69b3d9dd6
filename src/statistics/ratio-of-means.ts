import { mean, standardDeviation } from './dispersion.js'
import { normalQuantile } from './distributions.js'
import type { Interval } from './intervals.js'
import { type Counted, countedAboveP } from './mean-bounds.js'

/** The result of {@link ratioOfMeans}. */
export interface RatioOfMeans {
  /** Mean after over mean before. */
  readonly value: number
  /** 95 %, of the ratio over other tasks. Absent where a mean of 0 before is not ruled out. */
  readonly interval?: Interval
}

const critical = normalQuantile(0.025)
const precision = 1e-7

/**
 * The ratio of two means over the same tasks, `second` over `first`, one score a task in each, with the task as the
 * cluster. A ratio k is in the interval unless `meanAboveP` or `meanBelowP` rejects that the mean of
 * second − k · first is 0 (Fieller 1954, with their test in place of t). At k = 1 these are the differences, so the
 * interval excludes 1 exactly where that of the mean difference excludes 0. Scores are from 0 to `largest`. Pairs with
 * a score that is not finite are missing; undefined without a pair, and where the first mean is 0.
 */
export function ratioOfMeans(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  largest = 1,
): RatioOfMeans | undefined {
  const pairs = Array.from(first, (before, task) => [before / largest, second[task]! / largest] as const).filter(
    ([before, after]) => Number.isFinite(before) && Number.isFinite(after),
  )
  const before = mean(pairs.map(([score]) => score)) ?? 0
  const value = (mean(pairs.map(([, score]) => score)) ?? 0) / before
  if (!Number.isFinite(value)) return undefined
  const counts = new Map<string, [before: number, after: number, tasks: number]>()
  for (const [one, other] of pairs) {
    const key = `${String(one)} ${String(other)}`
    const known = counts.get(key)
    if (known === undefined) counts.set(key, [one, other, 1])
    else known[2]++
  }
  const distinct = [...counts.values()].sort(([, , one], [, , other]) => one - other)
  // k from 0 to infinity is part/(1 − part); the weights keep every difference within −1 and 1.
  const weighted = (part: number, sign: 1 | -1): Counted => {
    const [down, up] = part < 0.5 ? [part / (1 - part), 1] : [1, (1 - part) / part]
    return distinct.map(([one, other, tasks]) => [sign * (up * other - down * one), tasks])
  }
  const estimate = value / (1 + value)
  const spread = standardDeviation(pairs.map(([one, other]) => other - value * one)) ?? 0
  const error = spread / Math.sqrt(pairs.length) / before
  const boundAt = (end: 0 | 1): number => {
    const guess = Math.max(0, value + (end === 0 ? critical : -critical) * error)
    const sign = end === 0 ? 1 : -1
    // At half, where the means are equal, the answer is that of the test of their difference.
    return boundOfTest(estimate, end, (part) => countedAboveP(weighted(part, sign), 0), guess / (1 + guess), 0.5)
  }
  const [low, high] = [boundAt(0), boundAt(1)]
  return { value, ...(high < 1 && { interval: { low: low / (1 - low), high: high / (1 - high) } }) }
}

/** In standard errors: how far within the interval its bound may be. */
const tolerance = 1e-2

/**
 * A bound of a 95 % interval: the last place, from `accepted` on towards `end`, at which the p of a monotone one-sided
 * test is not below 0.025, within a hundredth of a standard error; `end` where it is not below there. The search begins
 * at `guess`. The bound is on the right side of `decisive`.
 */
export function boundOfTest(
  accepted: number,
  end: number,
  pAt: (place: number) => number,
  guess: number,
  decisive = accepted,
): number {
  // In standard errors this is nearly straight, so that few steps find its root.
  const excess = (place: number): number => normalQuantile(Math.min(0.5, Math.max(1e-300, pAt(place)))) - critical
  const isBetween = (place: number): boolean => (place - inside) * (place - outside) < 0
  let [inside, above] = [accepted, -critical]
  let [outside, below] = [end, NaN]
  let next = isBetween(guess) ? guess : (accepted + end) / 2
  for (let last = 0; Math.abs(outside - inside) >= precision;) {
    const here = excess(next)
    const side = here >= 0 ? 1 : -1
    const slope = (here - above) / (next - inside)
    if (side === 1) [inside, above] = [next, here]
    else [outside, below] = [next, here]
    if (side === 1 && (next === end || here < tolerance)) break
    if (Number.isNaN(below)) {
      // No place is known to be outside yet: the line through the two last places tells where to look.
      next = inside + (tolerance / 2 - above) / slope
      if (!isBetween(next)) next = end
      continue
    }
    // The Illinois method: an end that stays for a second time counts half as much.
    if (side === last && side === 1) below /= 2
    if (side === last && side === -1) above /= 2
    last = side
    const share = (above - tolerance / 2) / (above - below)
    next = inside + (outside - inside) * Math.min(0.95, Math.max(0.05, share))
  }
  return isBetween(decisive) && excess(decisive) >= 0 ? decisive : inside
}
