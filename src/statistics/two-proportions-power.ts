import { count, expectNumber, expectNumbers, level, share } from './_expect-number.js'
import { smallestWhole } from './_smallest-whole.js'
import { normalCdf, normalQuantile } from './normal.js'
import type { Risks } from './sample-size.js'

/**
 * Cohen's h (1988): the difference of two shares after 2·arcsin √p, on which shares near 0 and 1 are as easy to tell
 * apart as others.
 * @throws RangeError unless both are from 0 to 1.
 */
export function cohenH(first: number, second: number): number {
  expectNumbers('each share', [first, second], share)
  return 2 * Math.asin(Math.sqrt(first)) - 2 * Math.asin(Math.sqrt(second))
}

/**
 * Chance that a two-sided test sees that two shares differ, from `trials` independent trials in each arm (Cohen 1988,
 * normal approximation of h).
 * @throws RangeError where {@link cohenH} does, where `trials` is not a count, and unless `alpha` is between 0 and 1.
 */
export function proportionsPower({
  first,
  second,
  trials,
  alpha = 0.05,
}: {
  readonly first: number
  readonly second: number
  readonly trials: number
  readonly alpha?: number
}): number {
  expectNumber('trials', trials, count)
  expectNumber('alpha', alpha, level)
  const shift = cohenH(first, second) * Math.sqrt(trials / 2)
  const critical = normalQuantile(1 - alpha / 2)
  return normalCdf(shift - critical) + normalCdf(-shift - critical)
}

/**
 * Trials in each arm that {@link proportionsPower} needs for the power asked for, rounded up; undefined where a billion
 * are not enough: for equal shares.
 * @throws RangeError where {@link proportionsPower} does, and unless `power` is between 0 and 1.
 */
export function proportionsTrials({
  first,
  second,
  alpha = 0.05,
  power = 0.8,
}: Risks & { readonly first: number; readonly second: number }): number | undefined {
  expectNumber('power', power, level)
  return smallestWhole(1, 1e9, (trials) => proportionsPower({ first, second, trials, alpha }) >= power)
}
