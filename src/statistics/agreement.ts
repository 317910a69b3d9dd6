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
  /** Large-sample standard error of kappa. */
  readonly standardError?: number
  /** 95 %, of kappa over other items. */
  readonly interval?: Interval
}

/**
 * Cohen's kappa (Educational and Psychological Measurement 20, 1960) of a square table of counts, `counts[first
 * judge][second judge]`. Undefined for anything but a square table of counts, and without an item.
 *
 * Kappa is 1 − disagreement/disagreement by chance. A kappa k is in the interval unless {@link meanAboveP} or {@link
 * meanBelowP} rejects that the mean over items of *disagreement − (1 − k) · disagreement by chance* is 0; an item's
 * part in the latter is that of its two labels, to first order. The standard error is that of Fleiss, Cohen and Everitt
 * (Psychological Bulletin 72, 1969, eq. 13); above {@link maxTested} items the interval is kappa ± 1.96 of it.
 */
export function cohenKappa(counts: readonly (readonly number[])[]): CohenKappa | undefined {
  const isTable = counts.flat().every((count) => Number.isSafeInteger(count) && count >= 0)
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
  const items = sum(counts.flat())
  if (!isTable || counts.some(({ length }) => length !== counts.length) || items === 0) return undefined
  const first = counts.map((row) => sum(row) / items)
  const second = counts.map((_, column) => sum(counts.map((row) => row[column]!)) / items)
  const agreement = sum(counts.map((row, place) => row[place]!)) / items
  const byChance = sum(first.map((share, place) => share * second[place]!))
  const room = 1 - byChance
  if (room <= roundingError) return { items, agreement, byChance }
  const kappa = (agreement - byChance) / room
  const part = (i: number, j: number, ratio: number): number =>
    Number(i !== j) - ratio * (1 - second[i]! + (1 - first[j]!) - room)
  const squares = sum(counts.flatMap((row, i) => row.map((count, j) => count * part(i, j, 1 - kappa) ** 2)))
  const standardError = squares / items <= roundingError ? 0 : Math.sqrt(squares) / items / room
  const measured = { items, agreement, byChance, kappa, standardError }
  if (items > maxTested) {
    // No spread is no evidence of certainty.
    if (standardError === 0) return measured
    const half = normalQuantile(0.975) * standardError
    return { ...measured, interval: { low: Math.max(-1, kappa - half), high: Math.min(1, kappa + half) } }
  }
  const relativeTo = (ratio: number): number[] => {
    const parts = counts.map((row, i) => row.map((_, j) => part(i, j, ratio)))
    const scale = Math.max(...parts.flat().map(Math.abs))
    return counts.flatMap((row, i) =>
      row.flatMap((count, j) => new Array<number>(count).fill(Math.max(-1, Math.min(1, parts[i]![j]! / scale)))),
    )
  }
  const half = 2 * standardError
  const low = 1 - boundOfTest(1 - kappa, 2, (ratio) => meanBelowP(relativeTo(ratio), 0), 1 - kappa + half)
  const high = 1 - boundOfTest(1 - kappa, 0, (ratio) => meanAboveP(relativeTo(ratio), 0), 1 - kappa - half)
  return { ...measured, interval: { low, high } }
}

/** With more items the test takes long, and large samples are normal. */
const maxTested = 10_000

/** A smaller difference of shares is a rounding error of their sums. */
const roundingError = 1e-14
