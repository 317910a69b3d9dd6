import { bisect } from './_bisect.js'
import type { Interval } from './intervals.js'
import { normalCdf, normalQuantile } from './normal.js'

/** What {@link tangoScore} finds. Differences are shares of 1, gained minus lost: below 0 is a drop. */
export interface ScoreTest {
  readonly estimate: number
  /** Of the difference, at the confidence asked for. It has a width even where no pair is discordant. */
  readonly interval: Interval
  /** The score statistic at a difference of −margin, under which it is about standard normal. */
  readonly z: number
  /** One-sided p of the hypothesis that the difference is −margin or worse. */
  readonly p: number
}

/**
 * Score interval and non-inferiority test for paired proportions (Tango 1998, Statistics in Medicine 17:891): of `pairs` independent pairs `lost` were a
 * success in the first alone and `gained` in the second alone. At a margin of 0 z is McNemar's; a margin below 0 asks for a gain. Counts may be fractions. Undefined without a pair, and for what are no
 * such counts or no confidence between 0 and 1.
 */
export function tangoScore(
  lost: number,
  gained: number,
  pairs: number,
  { margin = 0, confidence = 0.95 }: { readonly margin?: number; readonly confidence?: number } = {},
): ScoreTest | undefined {
  const isCounted = lost >= 0 && gained >= 0 && pairs > 0 && lost + gained <= pairs * (1 + 1e-9)
  if (!isCounted || Number.isNaN(margin) || !(confidence > 0 && confidence < 1)) return undefined
  const statistic = (difference: number): number => scoreAt(difference, lost, gained, pairs)
  const critical = normalQuantile((1 + confidence) / 2)
  const z = statistic(-margin)
  return {
    estimate: (gained - lost) / pairs,
    interval: {
      low: bisect(-1, 1, (difference) => statistic(difference) > critical),
      high: bisect(-1, 1, (difference) => statistic(difference) >= -critical),
    },
    z,
    p: normalCdf(-z),
  }
}

/** The statistic falls as the difference grows; the share lost is at its maximum of likelihood under that difference. */
function scoreAt(difference: number, lost: number, gained: number, pairs: number): number {
  const b = (2 * pairs - gained + lost) * difference - gained - lost
  const product = 8 * pairs * lost * difference * (1 - difference)
  const root = Math.sqrt(Math.max(0, b * b + product))
  // Of the two forms of the quadratic's root, the one that takes no difference of near-equal numbers.
  const lostShare = b > 0 ? product / (root + b) / (4 * pairs) : (root - b) / (4 * pairs)
  const variance = pairs * (2 * lostShare + difference * (1 - difference))
  const excess = gained - lost - pairs * difference
  if (variance > 0) return excess / Math.sqrt(variance)
  return excess === 0 ? 0 : excess * Infinity
}
