import { incompleteBeta } from './beta.js'

/** Probability that a Student t variable with `df` > 0 degrees of freedom is above `t`; NaN for NaN. */
export function studentTail(t: number, df: number): number {
  const square = t * t
  const rest = square === Infinity ? 1 : square / (df + square)
  const half = incompleteBeta(df / 2, 0.5, df / (df + square), rest) / 2
  return t >= 0 ? half : 1 - half
}

/**
 * Quantile of Student's t with `df` > 0 degrees of freedom: the t below which a share `probability` (0 to 1) lies; −Infinity at 0, Infinity
 * at 1, NaN for NaN. Bisection on {@link studentTail} down to neighbouring doubles.
 */
export function studentQuantile(probability: number, df: number): number {
  if (Number.isNaN(probability + df)) return NaN
  if (probability < 0.5) return -studentQuantile(1 - probability, df)
  const tail = 1 - probability
  if (tail <= 0) return Infinity
  let low = 0
  let high = 1
  while (studentTail(high, df) > tail) {
    low = high
    high *= 2
  }
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return middle
    if (studentTail(middle, df) > tail) low = middle
    else high = middle
  }
}
