import { gammaTail } from './gamma.js'

/** Probability that a standard normal variable is below `z`, to about 14 digits in both tails; NaN for NaN. */
export function normalCdf(z: number): number {
  const tail = gammaTail(0.5, (z * z) / 2) / 2
  return z < 0 ? tail : 1 - tail
}

/**
 * Quantile of the standard normal distribution: the z below which a share `probability` lies; −Infinity at 0 or less, Infinity at 1 or more, NaN
 * for NaN. Halley's method on {@link normalCdf} from the start of Abramowitz and Stegun 26.2.23, which is within 4.5e−4.
 */
export function normalQuantile(probability: number): number {
  if (Number.isNaN(probability)) return NaN
  if (probability <= 0) return -Infinity
  if (probability >= 1) return Infinity
  if (probability > 0.5) return -normalQuantile(1 - probability)
  if (probability === 0.5) return 0
  const t = Math.sqrt(-2 * Math.log(probability))
  const rational =
    (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t)
  let z = rational - t
  for (let step = 0; step < 3; step++) {
    const error = (normalCdf(z) - probability) * Math.sqrt(2 * Math.PI) * Math.exp((z * z) / 2)
    z -= error / (1 + (z * error) / 2)
  }
  return z
}
