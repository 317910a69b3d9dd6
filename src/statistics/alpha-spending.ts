import { expectNumber, gateLevel, positiveCount } from './_expect-number.js'
import { normalCdf, normalQuantile } from './normal.js'

/**
 * One-sided levels of several planned looks at growing data, that sum to `alpha`: each look is tested at what O'Brien
 * and Fleming's spending function 2 − 2Φ(z/√t), with Φ(z) = 1 − alpha/2, spends between it and the one before (Lan and
 * DeMets, Biometrika 70, 1983; t is the share of looks taken). The sum bounds the error whatever the dependence of the
 * looks, which grows with the tasks that they share. One look has all of `alpha`.
 * @throws RangeError unless `alpha` is between 0 and 0.5 and `looks` is a count of at least 1.
 */
export function spendAlpha(alpha: number, looks: number): number[] {
  expectNumber('alpha', alpha, gateLevel)
  expectNumber('looks', looks, positiveCount)
  const z = normalQuantile(1 - alpha / 2)
  const spent = (look: number): number => (look === 0 ? 0 : 2 * normalCdf(-z / Math.sqrt(look / looks)))
  return Array.from({ length: looks }, (_, place) => spent(place + 1) - spent(place))
}
