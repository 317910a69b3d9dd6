import { count, expectNumber, extended, positive, share } from './_expect-number.js'
import { incompleteBeta } from './beta.js'
import { gammaTail } from './gamma.js'

/**
 * Probability that a chi-square variable with `df` > 0 degrees of freedom is above `x`; 1 for x ≤ 0.
 * @throws RangeError for NaN, and unless `df` is finite and above 0.
 */
export function chiSquareTail(x: number, df: number): number {
  expectNumber('x', x, extended)
  expectNumber('df', df, positive)
  return gammaTail(df / 2, x / 2)
}

/**
 * Probability that an F variable with `first` and `second` degrees of freedom (both > 0) is above `x`; 1 for x ≤ 0.
 * @throws RangeError for NaN, and unless both degrees of freedom are finite and above 0.
 */
export function fTail(x: number, first: number, second: number): number {
  expectNumber('x', x, extended)
  expectNumber('first', first, positive)
  expectNumber('second', second, positive)
  if (x <= 0) return 1
  if (x === Infinity) return 0
  const whole = second + first * x
  return incompleteBeta(second / 2, first / 2, second / whole, (first * x) / whole)
}

/**
 * Probability of at most `successes` in `trials` ≥ 0 independent trials that each succeed with a chance of `rate` (0 to
 * 1); 0 below no success, 1 from all on.
 * @throws RangeError where `successes` is NaN or `trials` is not a count, and unless `rate` is from 0 to 1.
 */
export function binomialCdf(successes: number, trials: number, rate: number): number {
  expectNumber('successes', successes, extended)
  expectNumber('trials', trials, count)
  expectNumber('rate', rate, share)
  const whole = Math.floor(successes)
  if (whole < 0) return 0
  if (whole >= trials) return 1
  return incompleteBeta(trials - whole, whole + 1, 1 - rate, rate)
}
