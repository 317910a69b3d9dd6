/**
 * Where `isBelow` turns from true to false between `low` and `high`: the first double at which it is false. `low` where it is nowhere true, `high`
 * where it is true throughout.
 */
export function bisect(low: number, high: number, isBelow: (x: number) => boolean): number {
  if (!isBelow(low)) return low
  if (isBelow(high)) return high
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return high
    if (isBelow(middle)) low = middle
    else high = middle
  }
}
