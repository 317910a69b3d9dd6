import { mean as average, median as middle, sampleVariance } from 'simple-statistics'

/**
 * Arithmetic mean of a list, in the list's unit; undefined for an empty one, and where a value is not finite.
 * Compensated summation (Kahan-Babuska); never outside the range of the values by a rounding error.
 */
export function mean(values: readonly number[]): number | undefined {
  const { low, high } = range(values)
  if (!Number.isFinite(high - low)) return undefined
  return Math.min(high, Math.max(low, average(values as number[])))
}

/**
 * Sample standard deviation of a list (n − 1), in the list's unit, by two passes (deviations from the mean, so that a
 * large offset does not cost digits). Undefined below two values, and where a value is not finite.
 */
export function standardDeviation(values: readonly number[]): number | undefined {
  const { low, high } = range(values)
  if (values.length < 2 || !Number.isFinite(high - low)) return undefined
  return low === high ? 0 : Math.sqrt(sampleVariance(values as number[]))
}

/**
 * Median of a list, in the list's unit: the mean of the two middle values where their number is even; undefined for an
 * empty list, and where a value is not finite.
 */
export function median(values: readonly number[]): number | undefined {
  return values.length > 0 && values.every(Number.isFinite) ? middle(values as number[]) : undefined
}

/** Smallest and largest value; not finite for an empty list, and where a value is not. */
function range(values: readonly number[]): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    if (!Number.isFinite(value)) return { low: NaN, high: NaN }
    if (value < low) low = value
    if (value > high) high = value
  }
  return { low, high }
}

/**
 * The result of {@link spreadByGroup}, in the unit of the values. Standard deviations are sample ones (n − 1), absent
 * where there are too few values.
 */
export interface SpreadByGroup {
  readonly meanOfMeans?: number
  /** Of all values together: it mixes the spread within groups with that between them. */
  readonly pooled?: number
  /** Within a group: root of the squared deviations from the groups' own means over their degrees of freedom. */
  readonly within?: number
  /** Of the groups' means. */
  readonly between?: number
}

/**
 * Separates the spread within groups from that between them, such as seeds within temperatures. Values that are not
 * finite are missing; empty groups are left out.
 */
export function spreadByGroup(all: readonly (readonly number[])[]): SpreadByGroup {
  const groups = all.map((values) => values.filter(Number.isFinite))
  const means = groups.flatMap((values) => mean(values) ?? [])
  let [squares, freedom] = [0, 0]
  for (const values of groups) {
    const deviation = standardDeviation(values)
    if (deviation === undefined) continue
    squares += deviation ** 2 * (values.length - 1)
    freedom += values.length - 1
  }
  const spread = {
    meanOfMeans: mean(means),
    pooled: standardDeviation(groups.flat()),
    within: freedom > 0 ? Math.sqrt(squares / freedom) : undefined,
    between: standardDeviation(means),
  }
  return Object.fromEntries(Object.entries(spread).filter(([, value]) => value !== undefined))
}
