import { midranks } from './_midranks.js'
import { countSigns, isCountable } from './_count-signs.js'
import { normalCdf } from './normal.js'

/** What {@link wilcoxonSignedRank} finds. */
export interface WilcoxonSignedRank {
  /** The smaller one of the sums of the ranks of positive and of negative differences. */
  readonly statistic: number
  /** Two-sided. */
  readonly p: number
  /** Over all patterns of signs, or by the normal approximation without correction for continuity. */
  readonly method: 'exact' | 'normal'
}

/**
 * Wilcoxon's signed-rank test (Biometrics Bulletin 1, 1945) of whether differences, one a task, in shares of 1, are symmetric about 0, by their ranks. Differences of 0, which sizes
 * up to 1e−12 count as, are left out; equal sizes share a rank; values that are not finite are missing. Exact up to some 270 differences, also with
 * ties. Without a difference p is 1.
 */
export function wilcoxonSignedRank(differences: readonly number[]): WilcoxonSignedRank {
  const values = differences.filter((difference) => Number.isFinite(difference) && Math.abs(difference) > 1e-12)
  const doubled = midranks(values.map(Math.abs)).map((rank) => 2 * rank)
  const sum = (ranks: readonly number[]): number => ranks.reduce((total, rank) => total + rank, 0)
  const positive = sum(doubled.filter((_, place) => values[place]! > 0))
  const negative = sum(doubled) - positive
  const statistic = Math.min(positive, negative) / 2
  if (isCountable(doubled)) {
    return { statistic, p: countSigns(doubled, positive - negative).p, method: 'exact' }
  }
  const deviation = Math.sqrt(sum(doubled.map((rank) => rank * rank)))
  return { statistic, p: 2 * normalCdf(-Math.abs(positive - negative) / deviation), method: 'normal' }
}
