import { incompleteBeta } from './beta.js'
import { gammaTail } from './gamma.js'

/** Probability that a chi-square variable with `df` > 0 degrees of freedom is above `x`; 1 for x ≤ 0, NaN for NaN. */
export function chiSquareTail(x: number, df: number): number {
  return gammaTail(df / 2, x / 2)
}

/** Probability that an F variable with `first` and `second` degrees of freedom (both > 0) is above `x`; 1 for x ≤ 0, NaN for NaN. */
export function fTail(x: number, first: number, second: number): number {
  if (x <= 0) return 1
  if (x === Infinity) return 0
  const whole = second + first * x
  return incompleteBeta(second / 2, first / 2, second / whole, (first * x) / whole)
}

/**
 * Probability of at most `successes` in `trials` ≥ 0 independent trials that each succeed with a chance of `share` (0 to 1); 0 below no
 * success, 1 from all on, NaN for NaN.
 */
export function binomialCdf(successes: number, trials: number, share: number): number {
  const whole = Math.floor(successes)
  if (whole < 0) return 0
  if (whole >= trials) return 1
  return incompleteBeta(trials - whole, whole + 1, 1 - share, share)
}
