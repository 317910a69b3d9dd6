import { expectEqualLengths, expectNumbers, finite } from './_expect-number.js'
import { mean } from './dispersion.js'
import { normalQuantile } from './distributions.js'
import type { Interval } from './intervals.js'
import { meanAboveP, meanBelowP } from './mean-bounds.js'
import { boundOfTest } from './ratio-of-means.js'

/**
 * Kendall's τ-b (Biometrika 33, 1945) of two lists over the same items, such as models' scores clean and perturbed: −1
 * (opposite orders) to 1 (the same order), corrected for ties. Undefined below two items, and where all values of one
 * list are equal.
 * @throws RangeError for lists of unequal length, and for a value that is not finite.
 */
export function kendallTauB(first: readonly number[], second: readonly number[]): number | undefined {
  const ranks = ranksOf(first, second)
  const items = first.length
  // Knight (1966, JASA 61): by the first ranks, and within ties by the second, a discordant pair is out of order.
  const order = ranks.first
    .map((_, place) => place)
    .sort((a, b) => ranks.first[a]! - ranks.first[b]! || ranks.second[a]! - ranks.second[b]!)
  const tiedInFirst = tiedPairs(order.map((place) => ranks.first[place]!))
  const tiedInBoth = tiedPairs(order.map((place) => ranks.first[place]! * (2 * items + 1) + ranks.second[place]!))
  const sorted = order.map((place) => ranks.second[place]!)
  const discordant = sortAndCount(sorted)
  const tiedInSecond = tiedPairs(sorted)
  const all = (items * (items - 1)) / 2
  const concordance = all - tiedInFirst - tiedInSecond + tiedInBoth - 2 * discordant
  return ratio(concordance, all - tiedInFirst, all - tiedInSecond)
}

/** Pairs of equal neighbours in a list in which equal values stand together. */
function tiedPairs(values: readonly number[]): number {
  let [pairs, run] = [0, 0]
  values.forEach((value, place) => {
    run = place > 0 && values[place - 1] === value ? run + 1 : 0
    pairs += run
  })
  return pairs
}

/** Sorts a list in place by merging; returns how many pairs were out of order. */
function sortAndCount(values: number[]): number {
  let exchanges = 0
  for (let width = 1; width < values.length; width *= 2) {
    for (let from = 0; from + width < values.length; from += 2 * width) {
      const [low, high] = [values.slice(from, from + width), values.slice(from + width, from + 2 * width)]
      let [a, b] = [0, 0]
      while (a < low.length || b < high.length) {
        const isHigh = a === low.length || (b < high.length && high[b]! < low[a]!)
        if (isHigh) exchanges += low.length - a
        values[from + a + b] = isHigh ? high[b]! : low[a]!
        if (isHigh) b++
        else a++
      }
    }
  }
  return exchanges
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
  /** Large-sample standard error of kappa over clusters. */
  readonly standardError?: number
  /** 95 %, of kappa over other clusters. */
  readonly interval?: Interval
}

type Table = readonly (readonly number[])[]

/**
 * Cohen's kappa (Educational and Psychological Measurement 20, 1960) of a square table of counts, `counts[first
 * judge][second judge]`. `clusters` are the tables of groups of items that may be correlated, such as the turns of one
 * trajectory, which add up to `counts`; without them every item is a cluster. Undefined for anything but a square table
 * of counts, and without an item.
 *
 * Kappa is 1 − disagreement/disagreement by chance. A kappa k is in the interval unless {@link meanAboveP} or {@link
 * meanBelowP} rejects that the mean over clusters of *disagreement − (1 − k) · disagreement by chance* is 0; an item's
 * part in the latter is that of its two labels, to first order. The standard error is that of Fleiss, Cohen and Everitt
 * (Psychological Bulletin 72, 1969, eq. 13) where every item is a cluster; above {@link maxTested} clusters the
 * interval is kappa ± 1.96 of it.
 */
export function cohenKappa(counts: Table, clusters?: readonly Table[]): CohenKappa | undefined {
  const isTable = [counts, ...(clusters ?? [])].every(
    (table) =>
      table.length === counts.length && table.every((row) => row.length === counts.length && row.every(isCount)),
  )
  const items = sizeOf(counts)
  if (!isTable || items === 0) return undefined
  const first = counts.map((row) => row.reduce((sum, count) => sum + count, 0) / items)
  const second = counts.map((_, column) => counts.reduce((sum, row) => sum + row[column]!, 0) / items)
  const agreement = counts.reduce((sum, row, place) => sum + row[place]!, 0) / items
  const byChance = first.reduce((sum, share, place) => sum + share * second[place]!, 0)
  const room = 1 - byChance
  if (room <= roundingError) return { items, agreement, byChance }
  const kappa = (agreement - byChance) / room
  const part = (i: number, j: number, ratio: number): number =>
    Number(i !== j) - ratio * (1 - second[i]! + (1 - first[j]!) - room)
  const sumOf = (table: Table, ratio: number): number =>
    table.reduce((sum, row, i) => row.reduce((all, count, j) => all + count * part(i, j, ratio), sum), 0)
  const squares = clusters
    ? clusters.reduce((sum, table) => sum + sumOf(table, 1 - kappa) ** 2, 0)
    : counts.reduce((sum, row, i) => row.reduce((all, count, j) => all + count * part(i, j, 1 - kappa) ** 2, sum), 0)
  const standardError = squares / items <= roundingError ? 0 : Math.sqrt(squares) / items / room
  const found = { items, agreement, byChance, kappa, standardError }
  const groups = clusters?.length ?? items
  if (groups > maxTested) {
    // No spread is no evidence of certainty.
    if (standardError === 0) return found
    const half = normalQuantile(0.975) * standardError
    return { ...found, interval: { low: Math.max(-1, kappa - half), high: Math.min(1, kappa + half) } }
  }
  const largest = (clusters ?? []).reduce((most, table) => Math.max(most, sizeOf(table)), 1)
  const relativeTo = (ratio: number): number[] => {
    const most = counts.flatMap((row, i) => row.map((_, j) => Math.abs(part(i, j, ratio))))
    const scale = largest * Math.max(...most)
    const within = (sum: number): number => Math.max(-1, Math.min(1, sum / scale))
    return clusters
      ? clusters.map((table) => within(sumOf(table, ratio)))
      : counts.flatMap((row, i) => row.flatMap((count, j) => new Array<number>(count).fill(within(part(i, j, ratio)))))
  }
  const half = 2 * standardError
  const low = 1 - boundOfTest(1 - kappa, 2, (ratio) => meanBelowP(relativeTo(ratio), 0), 1 - kappa + half)
  const high = 1 - boundOfTest(1 - kappa, 0, (ratio) => meanAboveP(relativeTo(ratio), 0), 1 - kappa - half)
  return { ...found, interval: { low, high } }
}

/** With more clusters the test takes long, and large samples are normal. */
const maxTested = 10_000

function sizeOf(table: Table): number {
  return table.reduce((sum, row) => row.reduce((all, count) => all + count, sum), 0)
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
