import { expectEqualLengths, expectNumbers, finite } from './_expect-number.js'
import { mean } from './dispersion.js'
import { normalQuantile } from './distributions.js'
import type { Interval } from './intervals.js'

/**
 * Kendall's τ-b (Biometrika 33, 1945) of two lists over the same items, such as models' scores clean and perturbed: −1
 * (opposite orders) to 1 (the same order), corrected for ties. Undefined below two items, and where all values of one
 * list are equal.
 * @throws RangeError for lists of unequal length, and for a value that is not finite.
 */
export function kendallTauB(first: readonly number[], second: readonly number[]): number | undefined {
  const ranks = ranksOf(first, second)
  let [concordance, ofFirst, ofSecond] = [0, 0, 0]
  for (let one = 0; one < first.length; one++) {
    for (let other = 0; other < one; other++) {
      const a = Math.sign(ranks.first[one]! - ranks.first[other]!)
      const b = Math.sign(ranks.second[one]! - ranks.second[other]!)
      concordance += a * b
      ofFirst += a * a
      ofSecond += b * b
    }
  }
  return ratio(concordance, ofFirst, ofSecond)
}

/**
 * Spearman's ρ: Pearson's correlation of the ranks, ties sharing their mean rank; −1 to 1. Undefined where {@link
 * kendallTauB} is, and throws where it does.
 */
export function spearman(first: readonly number[], second: readonly number[]): number | undefined {
  const ranks = ranksOf(first, second)
  return pearson(ranks.first, ranks.second)
}

/**
 * Pearson's correlation of two lists, −1 to 1. Undefined below two pairs, and where all values of one are equal.
 * @throws RangeError for lists of unequal length, and for a value that is not finite.
 */
export function pearson(first: readonly number[], second: readonly number[]): number | undefined {
  expectEqualLengths('both lists', [first, second])
  for (const values of [first, second]) expectNumbers('each value', values, finite)
  const [centreFirst, centreSecond] = [mean(first), mean(second)]
  if (centreFirst === undefined || centreSecond === undefined) return undefined
  let [product, ofFirst, ofSecond] = [0, 0, 0]
  first.forEach((value, place) => {
    const [a, b] = [value - centreFirst, second[place]! - centreSecond]
    product += a * b
    ofFirst += a * a
    ofSecond += b * b
  })
  return ratio(product, ofFirst, ofSecond)
}

/** One root of a product, not a product of roots: equal lists then give 1 to the last digit. */
function ratio(product: number, ofFirst: number, ofSecond: number): number | undefined {
  const scale = Math.sqrt(ofFirst * ofSecond)
  return scale > 0 && scale < Infinity ? Math.max(-1, Math.min(1, product / scale)) : undefined
}

function ranksOf(
  first: readonly number[],
  second: readonly number[],
): { first: readonly number[]; second: readonly number[] } {
  expectEqualLengths('both lists', [first, second])
  expectNumbers('each value', [...first, ...second], finite)
  return { first: midranks(first), second: midranks(second) }
}

/** The agreement of two judges; shares of 1. */
export interface CohenKappa {
  readonly items: number
  /** Share of items on which both agree. */
  readonly agreement: number
  /** That share for two independent judges who use each label as often as these two. */
  readonly byChance: number
  /**
   * (agreement − byChance)/(1 − byChance): 1 where they always agree, 0 where no more than by chance. Absent where
   * `byChance` is 1.
   */
  readonly kappa?: number
  /** Large-sample standard error of kappa. */
  readonly standardError?: number
  /**
   * Kappa ± the normal quantile × its standard error, within −1 and 1. Absent where that error is 0: no spread is no
   * evidence of certainty.
   */
  readonly interval?: Interval
}

/**
 * Cohen's kappa (Educational and Psychological Measurement 20, 1960) of a square table of counts, `counts[first
 * judge][second judge]`, with the large-sample standard error of Fleiss, Cohen and Everitt (Psychological Bulletin 72,
 * 1969, eq. 13). Items must be independent of each other. Undefined for anything but a square table of counts, and
 * without an item.
 */
export function cohenKappa(counts: readonly (readonly number[])[], confidence = 0.95): CohenKappa | undefined {
  const isTable = counts.every((row) => row.length === counts.length && row.every(isCount))
  const items = counts.reduce((sum, row) => sum + row.reduce((total, count) => total + count, 0), 0)
  if (!isTable || items === 0) return undefined
  const first = counts.map((row) => row.reduce((sum, count) => sum + count, 0) / items)
  const second = counts.map((_, column) => counts.reduce((sum, row) => sum + row[column]!, 0) / items)
  const agreement = counts.reduce((sum, row, place) => sum + row[place]!, 0) / items
  const byChance = first.reduce((sum, share, place) => sum + share * second[place]!, 0)
  const room = 1 - byChance
  if (room <= roundingError) return { items, agreement, byChance }
  const kappa = (agreement - byChance) / room
  const distance = 1 - agreement
  const squares = counts.flatMap((row, i) =>
    row.map((count, j) => {
      const weight = i === j ? room - (first[i]! + second[i]!) * distance : (second[i]! + first[j]!) * distance
      return (count / items) * weight ** 2
    }),
  )
  const spread =
    squares.reduce((sum, square) => sum + square, 0) - (agreement * byChance - 2 * byChance + agreement) ** 2
  const standardError = spread <= roundingError ? 0 : Math.sqrt(spread / items) / room ** 2
  if (standardError === 0) return { items, agreement, byChance, kappa, standardError }
  const half = normalQuantile((1 + confidence) / 2) * standardError
  const interval = { low: Math.max(-1, kappa - half), high: Math.min(1, kappa + half) }
  return { items, agreement, byChance, kappa, standardError, interval }
}

/** A smaller difference of shares is a rounding error of their sums. */
const roundingError = 1e-14

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

/**
 * Ranks from 1 on, smallest first, in the given order; equal values share the mean of their ranks. Values count as
 * equal where the next larger one is within 1e−12 of the largest size: rounding errors do not break ties. All are
 * finite.
 */
function midranks(values: readonly number[]): number[] {
  const slack = 1e-12 * values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
  const order = values.map((_, place) => place).sort((one, other) => values[one]! - values[other]!)
  const ranks = new Array<number>(values.length)
  let first = 0
  order.forEach((place, rank) => {
    const next = order[rank + 1]
    if (next !== undefined && values[next]! - values[place]! <= slack) return
    for (let tied = first; tied <= rank; tied++) ranks[order[tied]!] = (first + rank) / 2 + 1
    first = rank + 1
  })
  return ranks
}
