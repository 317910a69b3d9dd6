import { mean, standardDeviation } from './dispersion.js'

/** Spread of values that fall into groups, in their unit; sample convention throughout. */
export interface GroupedDispersion {
  /** One for each group, in the given order. */
  readonly groups: readonly { readonly count: number; readonly mean?: number; readonly deviation?: number }[]
  /** Mean of the groups' means: every group counts the same. */
  readonly mean?: number
  /** Within groups: √(Σ squares about each group's own mean / Σ (n−1)). Absent where no group has two values. */
  readonly within?: number
  /** Of the groups' means. Absent below two groups. */
  readonly between?: number
  /** Of all values in one heap, which mixes the two and should never stand alone. Absent below two values. */
  readonly pooled?: number
}

/**
 * Tells the spread within groups from the spread between them, such as over seeds at one temperature from that over temperatures. Values that are not finite are
 * missing, and groups without a value do not enter.
 */
export function dispersionByGroup(groups: readonly (readonly number[])[]): GroupedDispersion {
  const known = groups.map((group) => group.filter(Number.isFinite))
  const described = known.map((group) => ({
    count: group.length,
    mean: mean(group),
    deviation: standardDeviation(group),
  }))
  const means = described.map((group) => group.mean).filter((value) => value !== undefined)
  const freedom = described.reduce((sum, { count }) => sum + Math.max(0, count - 1), 0)
  const squares = described.reduce((sum, { count, deviation = 0 }) => sum + (count - 1) * deviation ** 2, 0)
  return {
    groups: described.map(({ count, ...group }) => ({ count, ...defined(group) })),
    ...defined({
      mean: mean(means),
      within: freedom === 0 ? undefined : Math.sqrt(squares / freedom),
      between: standardDeviation(means),
      pooled: standardDeviation(known.flat()),
    }),
  }
}

function defined<Key extends string>(given: Readonly<Record<Key, number | undefined>>): Partial<Record<Key, number>> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<
    Record<Key, number>
  >
}
