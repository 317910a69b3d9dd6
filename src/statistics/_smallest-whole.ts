/** Smallest whole number from `from` to `upTo` that is enough, where all above one that is enough are enough too; undefined where none is. */
export function smallestWhole(from: number, upTo: number, isEnough: (number: number) => boolean): number | undefined {
  let low = from - 1
  let high = from
  while (!isEnough(high)) {
    if (high >= upTo) return undefined
    low = high
    high = Math.min(upTo, high * 2)
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}
