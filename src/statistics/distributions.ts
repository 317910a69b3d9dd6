import { gammaBelow, gammaTail, incompleteBeta, logBeta } from './special-functions.js'

/**
 * Probability that a standard normal variable is below `z`, to about 14 digits in both tails.
 */
export function normalCdf(z: number): number {
  const tail = gammaTail(0.5, (z * z) / 2) / 2
  return z < 0 ? tail : 1 - tail
}

/**
 * Quantile of the standard normal distribution: the z below which a share `probability` lies, to 1e−9 of itself or
 * better; −Infinity at 0, Infinity at 1. Halley's method from the start of Abramowitz and Stegun 26.2.23, which is
 * within 4.5e−4; on the share between z and 0 where that is the smaller one, and on {@link normalCdf} in the tail.
 */
export function normalQuantile(probability: number): number {
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

/** Beyond this many times √df the tail is the first term of its series in df/t², to the last digit. */
const far = 1e8

/**
 * Probability that a Student t variable with `df` > 0 degrees of freedom is above `t`, to full relative precision far
 * out in the tail.
 */
export function studentTail(t: number, df: number): number {
  const ratio = Math.abs(t) / Math.sqrt(df)
  const square = t * t
  const half =
    ratio > far
      ? Math.exp(-df * Math.log(ratio) - logBeta(df / 2, 0.5)) / df
      : incompleteBeta(df / 2, 0.5, df / (df + square), square / (df + square)) / 2
  return t >= 0 ? half : 1 - half
}

/** Probability that a Student t variable is between 0 and `t` ≥ 0. */
function studentCentre(t: number, df: number): number {
  const square = t * t
  return incompleteBeta(0.5, df / 2, square / (df + square), df / (df + square)) / 2
}

/**
 * Quantile of Student's t with `df` > 0 degrees of freedom: the t below which a share `probability` (0 to 1) lies, to
 * 1e−9 of itself or better; −Infinity at 0, Infinity at 1. Bisection down to neighbouring doubles, on the share between
 * 0 and t where that is the smaller one, and on {@link studentTail} in the tail.
 */
export function studentQuantile(probability: number, df: number): number {
  const isLow = probability < 0.5
  const tail = isLow ? probability : 1 - probability
  if (tail === 0) return isLow ? -Infinity : Infinity
  const toCentre = isLow ? 0.5 - probability : probability - 0.5
  if (toCentre === 0) return 0
  const isBelow = (t: number): boolean =>
    toCentre < 0.25 ? studentCentre(t, df) < toCentre : studentTail(t, df) > tail
  let low = 0
  let high = 1
  while (isBelow(high)) {
    low = high
    high *= 2
  }
  for (;;) {
    const middle = low / 2 + high / 2
    if (middle <= low || middle >= high) return isLow ? -middle : middle
    if (isBelow(middle)) low = middle
    else high = middle
  }
}

/**
 * Probability of at most `successes` in `trials` ≥ 0 independent trials that each succeed with probability `rate` (0 to
 * 1); 0 below no success, 1 from all on.
 */
export function binomialCdf(successes: number, trials: number, rate: number): number {
  const whole = Math.floor(successes)
  if (whole < 0) return 0
  if (whole >= trials) return 1
  return incompleteBeta(trials - whole, whole + 1, 1 - rate, rate)
}

/**
 * One-sided p of Fisher's exact test: the probability of at least `first` of `firstOf` where both groups have the same
 * rate, given the sum of both. 1 for empty groups.
 */
export function fisherAboveP(first: number, firstOf: number, second: number, secondOf: number): number {
  const [all, sum] = [firstOf + secondOf, first + second]
  let p = 0
  for (let k = first; k <= Math.min(firstOf, sum); k++) {
    if (sum - k > secondOf) continue
    p += Math.exp(logChoose(firstOf, k) + logChoose(secondOf, sum - k) - logChoose(all, sum))
  }
  return Math.min(1, p)
}

function logChoose(n: number, k: number): number {
  return -Math.log(n + 1) - logBeta(n - k + 1, k + 1)
}
