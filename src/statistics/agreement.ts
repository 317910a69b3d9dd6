import { normalQuantile } from './distributions.js'
import type { Interval } from './intervals.js'
import { meanAboveP, meanBelowP } from './mean-bounds.js'
import { boundOfTest } from './ratio-of-means.js'

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
  const low = 1 - boundOfTest(1 - kappa, 2, (ratio) => meanBelowP(relativeTo(ratio), 0))
  const high = 1 - boundOfTest(1 - kappa, 0, (ratio) => meanAboveP(relativeTo(ratio), 0))
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
