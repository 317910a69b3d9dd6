import { mean as average, median as middle, sampleVariance, variance } from 'simple-statistics'

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
 * Standard deviation of a list, in the list's unit, by two passes (deviations from the mean, so that a large offset
 * does not cost digits). `sample` divides by n−1 and is undefined below two values; `population` divides by n and is
 * undefined for an empty list. Undefined where a value is not finite.
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
  readonly groups: readonly { readonly mean?: number; readonly deviation?: number }[]
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
export function spreadByGroup(given: readonly (readonly number[])[]): SpreadByGroup {
  const groups = given.map((values) => values.filter(Number.isFinite))
  const described = groups.map((values) => defined({ mean: mean(values), deviation: standardDeviation(values) }))
  const means = described.map((group) => group.mean).filter((centre) => centre !== undefined)
  let [squares, freedom] = [0, 0]
  for (const [place, { deviation }] of described.entries()) {
    if (deviation === undefined) continue
    const degrees = groups[place]!.length - 1
    squares += deviation ** 2 * degrees
    freedom += degrees
  }
  return {
    groups: described,
    ...defined({
      meanOfMeans: mean(means),
      pooled: standardDeviation(groups.flat()),
      within: freedom > 0 ? Math.sqrt(squares / freedom) : undefined,
      between: standardDeviation(means),
    }),
  }
}

function defined<Key extends string>(given: Readonly<Record<Key, number | undefined>>): Partial<Record<Key, number>> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<
    Record<Key, number>
  >
}
