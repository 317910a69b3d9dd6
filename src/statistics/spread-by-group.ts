import { mean, standardDeviation } from './dispersion.js'

/** What {@link spreadByGroup} finds, in the unit of the values; standard deviations are sample ones (n − 1) and absent where they cannot be taken. */
export interface SpreadByGroup {
  readonly groups: readonly { readonly mean?: number; readonly deviation?: number }[]
  readonly meanOfMeans?: number
  /** Of all values in one heap: it mixes what is within with what is between. */
  readonly pooled?: number
  /** Within a group: root of the squared deviations from the groups' own means over their degrees of freedom. */
  readonly within?: number
  /** Of the groups' means. */
  readonly between?: number
}

/** Tells the spread within groups from that between them: seeds within temperatures, which are never pooled silently. Values that are not finite are missing; empty groups enter nowhere. */
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
