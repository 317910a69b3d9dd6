import { count, expectNumber } from './_expect-number.js'
import { binomialCdf, chiSquareTail } from './tails.js'

/** Tests of whether as many pairs were lost as gained; every p is two-sided. */
export interface McNemar {
  /** Binomial test on the discordant pairs. */
  readonly exact: number
  /** The same with half of the chance of what was seen: less timid, and the one to take for few pairs (Fagerland 2013). */
  readonly midP: number
  /** With Edwards' correction, (|lost − gained| − 1)²/(lost + gained), 1 degree of freedom. Absent without a discordant pair. */
  readonly chiSquare?: { readonly statistic: number; readonly p: number }
  /** Without the correction. Absent without a discordant pair. */
  readonly uncorrected?: { readonly statistic: number; readonly p: number }
}

/**
 * McNemar's test (Psychometrika 12, 1947) on pairs of successes and failures: `lost` were a success in the first alone, `gained` in the second alone. The
 * pairs must be independent: one a task. Without a discordant pair p is 1.
 * @throws RangeError for what are not counts.
 */
export function mcnemar(lost: number, gained: number): McNemar {
  expectNumber('lost', lost, count)
  expectNumber('gained', gained, count)
  const discordant = lost + gained
  if (discordant === 0) return { exact: 1, midP: 1 }
  if (lost === gained) return { exact: 1, midP: 1, ...chiSquares(lost, gained) }
  const fewer = Math.min(lost, gained)
  const atMost = binomialCdf(fewer, discordant, 0.5)
  const below = binomialCdf(fewer - 1, discordant, 0.5)
  return { exact: Math.min(1, 2 * atMost), midP: atMost + below, ...chiSquares(lost, gained) }
}

function chiSquares(lost: number, gained: number): Pick<McNemar, 'chiSquare' | 'uncorrected'> {
  const test = (distance: number): { statistic: number; p: number } => {
    const statistic = distance ** 2 / (lost + gained)
    return { statistic, p: chiSquareTail(statistic, 1) }
  }
  return { chiSquare: test(Math.abs(lost - gained) - 1), uncorrected: test(lost - gained) }
}
