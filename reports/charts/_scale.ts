/** A linear function from values to positions in the drawing. */
export type Scale = (value: number) => number

/** The scale that puts `from` at `start` and `to` at `end`; everything is at `start` if `from` equals `to`. */
export function linearScale(from: number, to: number, start: number, end: number): Scale {
  const slope = to === from ? 0 : (end - start) / (to - from)
  return (value) => start + slope * (value - from)
}

/** Round figures from `from` to `to` with at most `max` steps: multiples of 1, 2 or 5 times a power of ten. */
export function ticksOf(from: number, to: number, max: number): number[] {
  const least = (to - from) / max
  if (!(least > 0)) return [from]
  const power = Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((factor) => factor * 10 ** power).find((size) => size >= least * (1 - 1e-9))!
  const first = Math.ceil(from / step - 1e-9)
  const last = Math.floor(to / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/**
 * Positions as near as possible to the `ideal` ones, in the same order, at least `gap` apart, and within `low` and
 * `high` if there is room for all. Those that are too close are moved apart evenly.
 */
export function spread(ideal: readonly number[], gap: number, low: number, high: number): number[] {
  const order = ideal.map((_, index) => index).sort((a, b) => ideal[a]! - ideal[b]! || a - b)
  const blocks: { sum: number; size: number; first: number }[] = []
  const startOf = ({ sum, size }: { sum: number; size: number }): number =>
    Math.max(low, Math.min(high - (size - 1) * gap, sum / size))
  order.forEach((index, rank) => {
    let block = { sum: ideal[index]!, size: 1, first: rank }
    for (
      let above = blocks.at(-1);
      above && startOf(above) + above.size * gap > startOf(block);
      above = blocks.at(-1)
    ) {
      blocks.pop()
      // A block starts at the mean of its members' ideal positions, each less its distance from the start.
      block = {
        sum: above.sum + block.sum - block.size * above.size * gap,
        size: above.size + block.size,
        first: above.first,
      }
    }
    blocks.push(block)
  })
  const positions: number[] = []
  for (const block of blocks) {
    for (let member = 0; member < block.size; member++) {
      positions[order[block.first + member]!] = startOf(block) + member * gap
    }
  }
  return positions
}
