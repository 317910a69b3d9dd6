import type { Interval } from './intervals.js'

/**
 * The 95 % interval of a statistic from its values over half-samples: the quantiles of their deviations from their own
 * mean, around the estimate from the whole sample, so that a statistic that depends on the size of the sample is not
 * moved. A half-sample is half of the members in whole clusters, drawn without replacement; its deviation from the
 * whole has the sampling variance of the whole (McCarthy 1969, Review of the International Statistical Institute
 * 37:239). No cluster is drawn twice as in a usual bootstrap, where the copies would look like a lack of diversity.
 * Undefined where the values do not differ.
 */
export function halfSampleInterval(estimate: number, values: readonly number[]): Interval | undefined {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0)
  const sorted = Float64Array.from(values, (value) => estimate + value - mean).sort()
  if (sorted.length === 0) return undefined
  const interval = { low: quantileOf(sorted, 0.025), high: quantileOf(sorted, 0.975) }
  return interval.high - interval.low > 1e-12 ? interval : undefined
}

/** Interpolated linearly between neighbours. */
function quantileOf(sorted: Float64Array, probability: number): number {
  const place = probability * (sorted.length - 1)
  const before = Math.floor(place)
  const [low, high] = [sorted[before]!, sorted[Math.min(before + 1, sorted.length - 1)]!]
  return low + (high - low) * (place - before)
}

/**
 * Draws whole clusters, in random order and without replacement, until they hold `size` members (which they have
 * together); the last one is cut.
 */
export function drawClusters<Member>(
  clusters: readonly (readonly Member[])[],
  size: number,
  draw: (below: number) => number,
): Member[][] {
  const rest = [...clusters]
  const drawn: Member[][] = []
  for (let [from, left] = [0, size]; left > 0; from++) {
    const other = from + draw(rest.length - from)
    const members = rest[other]!.slice(0, left)
    rest[other] = rest[from]!
    if (members.length > 0) drawn.push(members)
    left -= members.length
  }
  return drawn
}

/**
 * A stream of whole numbers in [0, below), seeded with four draws of `random`: the generator sfc32 (Chris
 * Doty-Humphrey, PractRand), for loops in which `random` itself would take longer than the work.
 */
export function wholeNumbers(random: () => number): (below: number) => number {
  const word = (): number => Math.floor(random() * 2 ** 32) | 0
  let [a, b, c, counter] = [word(), word(), word(), word()]
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  for (let warm = 0; warm < 12; warm++) next()
  return (below) => Math.floor(next() * 2 ** -32 * below)
}
