import { mean as average, median as middle, sampleVariance, variance } from 'simple-statistics'

/**
 * Arithmetic mean of a list, in the list's unit; undefined for an empty one, and where a value is not finite.
 * Compensated summation (Kahan-Babuska), and never outside the values by a rounding error.
 */
export function mean(values: readonly number[]): number | undefined {
  const { low, high } = range(values)
  if (!Number.isFinite(high - low)) return undefined
  return Math.min(high, Math.max(low, average(values as number[])))
}

/**
 * Standard deviation of a list, in the list's unit, by two passes (deviations from the mean, so that a large offset
 * does no harm). `sample` divides by n−1 and is undefined below two values; `population` divides by n and is undefined
 * for an empty list. Undefined where a value is not finite.
 */
export function standardDeviation(
  values: readonly number[],
  convention: 'sample' | 'population' = 'sample',
): number | undefined {
  const { low, high } = range(values)
  if (values.length < (convention === 'sample' ? 2 : 1)) return undefined
  if (!Number.isFinite(high - low)) return undefined
  if (low === high) return 0
  return Math.sqrt(convention === 'sample' ? sampleVariance(values as number[]) : variance(values as number[]))
}

/**
 * Median of a list, in the list's unit: the mean of the two middle values where their number is even; undefined for an
 * empty list, and where a value is not finite.
 */
export function median(values: readonly number[]): number | undefined {
  return values.length > 0 && values.every(Number.isFinite) ? middle(values as number[]) : undefined
}

/** Not finite for an empty list, and where a value is not. */
function range(values: readonly number[]): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    if (!Number.isFinite(value)) return { low: NaN, high: NaN }
    if (value < low) low = value
    if (value > high) high = value
  }
  return { low, high }
}
