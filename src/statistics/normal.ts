import { expectNumber, extended, share } from './_expect-number.js'
import { gammaBelow, gammaTail } from './gamma.js'

/**
 * Probability that a standard normal variable is below `z`, to about 14 digits in both tails.
 * @throws RangeError for NaN.
 */
export function normalCdf(z: number): number {
  expectNumber('z', z, extended)
  const tail = gammaTail(0.5, (z * z) / 2) / 2
  return z < 0 ? tail : 1 - tail
}

/**
 * Quantile of the standard normal distribution: the z below which a share `probability` lies, to 1e−9 of itself or
 * better; −Infinity at 0, Infinity at 1. Halley's method from the start of Abramowitz and Stegun 26.2.23, which is
 * within 4.5e−4; on the share between z and 0 where that is the smaller one, and on {@link normalCdf} in the tail.
 * @throws RangeError unless `probability` is from 0 to 1.
 */
export function normalQuantile(probability: number): number {
  expectNumber('probability', probability, share)
  if (probability === 0) return -Infinity
  if (probability === 1) return Infinity
  if (probability > 0.5) return -normalQuantile(1 - probability)
  if (probability === 0.5) return 0
  const t = Math.sqrt(-2 * Math.log(probability))
  const rational =
    (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t)
  const toCentre = 0.5 - probability
  let z = toCentre < 0.25 ? -toCentre * Math.sqrt(2 * Math.PI) : rational - t
  for (let step = 0; step < 6; step++) {
    const excess = toCentre < 0.25 ? toCentre - gammaBelow(0.5, (z * z) / 2) / 2 : normalCdf(z) - probability
    // In one exponent, as far out the density is too small for a division.
    const error = Math.sign(excess) * Math.exp(Math.log(Math.abs(excess)) + (z * z) / 2) * Math.sqrt(2 * Math.PI)
    z -= error / (1 + (z * error) / 2)
  }
  return z
}
