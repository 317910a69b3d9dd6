/**
 * Ranks from 1 on, smallest first, in the given order; equal values share the mean of their ranks. Values count as equal where the next larger one is within
 * 1e−12 of the largest size: rounding errors do not break ties. All are finite.
 */
export function midranks(values: readonly number[]): number[] {
  const slack = 1e-12 * values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
  const order = values.map((_, place) => place).sort((one, other) => values[one]! - values[other]!)
  const ranks = new Array<number>(values.length)
  let first = 0
  order.forEach((place, rank) => {
    const next = order[rank + 1]
    if (next !== undefined && values[next]! - values[place]! <= slack) return
    for (let tied = first; tied <= rank; tied++) ranks[order[tied]!] = (first + rank) / 2 + 1
    first = rank + 1
  })
  return ranks
}
