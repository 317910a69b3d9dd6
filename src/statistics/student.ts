import { expectNumber, extended, positive, share } from './_expect-number.js'
import { incompleteBeta, logBeta } from './beta.js'

/** Beyond so many times √df the tail is the first term of its series in df/t², to the last digit. */
const far = 1e8

/**
 * Probability that a Student t variable with `df` > 0 degrees of freedom is above `t`, to full relative precision far
 * out.
 * @throws RangeError for NaN, and unless `df` is finite and above 0.
 */
export function studentTail(t: number, df: number): number {
  expectNumber('t', t, extended)
  expectNumber('df', df, positive)
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
 * @throws RangeError unless `probability` is from 0 to 1, and `df` is finite and above 0.
 */
export function studentQuantile(probability: number, df: number): number {
  expectNumber('probability', probability, share)
  expectNumber('df', df, positive)
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
