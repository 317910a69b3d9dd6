import type { Interval } from './intervals.js'
import { normalQuantile } from './normal.js'

/** How far two judges agree; shares of 1. */
export interface CohenKappa {
  readonly items: number
  /** Share of items on which both say the same. */
  readonly agreement: number
  /** That share for two judges with these habits who do not look at the items. */
  readonly byChance: number
  /** (agreement − byChance)/(1 − byChance): 1 for two who always agree, 0 for no more than chance. Absent where chance alone agrees always. */
  readonly kappa?: number
  /** Large-sample standard error of kappa. */
  readonly standardError?: number
  /** Kappa ± the normal quantile × its standard error, within −1 and 1. Absent where that error is 0: no spread is no evidence of certainty. */
  readonly interval?: Interval
}

/**
 * Cohen's kappa (Educational and Psychological Measurement 20, 1960) of a square table of counts, `counts[first judge][second judge]`, with the
 * large-sample standard error of Fleiss, Cohen and Everitt (Psychological Bulletin 72, 1969, eq. 13). Items must be independent of each other.
 * Undefined for what is no square table of counts, and without an item.
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

/** Below this a difference of shares is what adding them up leaves. */
const roundingError = 1e-14

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
