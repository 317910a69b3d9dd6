import { betaQuantile, incompleteBeta } from './special-functions.js'

/** Values and their Dirichlet parameters, in two lists of one length. Parameters are above 0. */
export interface WeightedValues {
  readonly values: readonly number[]
  readonly weights: readonly number[]
}

/** Sums the weights of equal values, and sorts the values. */
export function mergeEqual(pieces: Iterable<readonly [value: number, weight: number]>): WeightedValues {
  const merged = new Map<number, number>()
  for (const [value, weight] of pieces) merged.set(value, (merged.get(value) ?? 0) + weight)
  const sorted = [...merged].sort(([one], [other]) => one - other)
  return { values: sorted.map(([value]) => value), weights: sorted.map(([, weight]) => weight) }
}

/**
 * Probability that a mean of `values` under random weights, Dirichlet with parameters `weights`, is below `at`. For two
 * values it is a beta probability.
 *
 * Σ Dᵢxᵢ is below exactly where Y = Σ Gᵢ(xᵢ − at) is below 0 for independent gamma variables Gᵢ. The moment generating
 * function of Y, Π (1 − s(xᵢ − at))^−wᵢ, over s is integrated along the vertical line through the saddle point of both
 * (Daniels, Biometrika 74, 1987). The trapezoidal rule gives about 12 digits of the smaller of the probabilities below
 * and above, however small it is.
 */
export function dirichletMeanCdf({ values, weights }: WeightedValues, at: number): number {
  const scale = Math.max(...values.map((value) => Math.abs(value - at)))
  // Values within a rounding error of `at` count as equal to it.
  const terms = values
    .map((value, place) => ({ offset: (value - at) / scale, weight: weights[place]! }))
    .filter(({ offset }) => Math.abs(offset) > 1e-15)
  const [low, high] = [terms.filter(({ offset }) => offset < 0), terms.filter(({ offset }) => offset > 0)]
  if (low.length === 0) return 0
  if (high.length === 0) return 1
  if (low.length === 1 && high.length === 1) {
    const [below, above] = [low[0]!, high[0]!]
    const range = above.offset - below.offset
    return incompleteBeta(above.weight, below.weight, -below.offset / range, above.offset / range)
  }
  const isMeanAbove = terms.reduce((sum, { offset, weight }) => sum + offset * weight, 0) >= 0
  return isMeanAbove
    ? upperTail(terms.map(({ offset, weight }) => ({ offset: -offset, weight })))
    : 1 - upperTail(terms)
}

interface Term {
  readonly offset: number
  readonly weight: number
}

/** Step of the trapezoidal rule. Halving it changes the result by less than 1e−13. */
const step = 0.2

/** Probability that Σ G·offset is above 0, where its mean is not. */
function upperTail(terms: readonly Term[]): number {
  const { saddle, width } = findSaddle(terms)
  let total = 0
  let front = 0
  for (let place = 0; ; place++) {
    const stretch = Math.exp(place * step)
    const along = (width * (stretch - 1 / stretch)) / 2
    let log = -Math.log(saddle * saddle + along * along) / 2
    let angle = -Math.atan2(along, saddle)
    for (const { offset, weight } of terms) {
      const [real, imaginary] = [1 - offset * saddle, offset * along]
      log -= (weight / 2) * Math.log(real * real + imaginary * imaginary)
      angle += weight * Math.atan2(imaginary, real)
    }
    if (place === 0) front = log
    const size = (Math.exp(log - front) * (stretch + 1 / stretch)) / (place === 0 ? 4 : 2)
    total += size * Math.cos(angle)
    if (!(size > 1e-17)) return (total * Math.exp(front) * width * step) / Math.PI
  }
}

/** Bisection alone needs about 60. */
const maxRounds = 200

/**
 * Where the integrand is smallest on the real axis, right of 0, and how wide it is there. Newton's method, kept inside
 * a bracket.
 */
function findSaddle(terms: readonly Term[]): { readonly saddle: number; readonly width: number } {
  let low = 0
  let high = 1 / terms.reduce((highest, { offset }) => Math.max(highest, offset), 0)
  let saddle = high / 2
  for (let round = 0; ; round++) {
    let slope = -1 / saddle
    let curvature = 1 / (saddle * saddle)
    for (const { offset, weight } of terms) {
      const part = offset / (1 - offset * saddle)
      slope += weight * part
      curvature += weight * part * part
    }
    if (slope > 0) high = saddle
    else low = saddle
    const newton = saddle - slope / curvature
    const next = newton > low && newton < high ? newton : (low + high) / 2
    // Any point near the saddle gives the result; only the speed depends on it.
    if (Math.abs(next - saddle) <= 1e-4 * saddle || round === maxRounds)
      return { saddle, width: 1 / Math.sqrt(curvature) }
    saddle = next
  }
}

/**
 * Quantile of the distribution of {@link dirichletMeanCdf} at `probability` (0 to 1), to about 10 digits. `values` are
 * distinct and ascending.
 */
export function dirichletMeanQuantile(weighted: WeightedValues, probability: number): number {
  const { values, weights } = weighted
  let [low, high] = [values[0]!, values.at(-1)!]
  if (values.length === 1) return low
  if (values.length === 2) return low + (high - low) * betaQuantile(probability, weights[1]!, weights[0]!)
  // False position in the Illinois form, on logits, which are nearly straight.
  const logit = (share: number): number => Math.log(share / (1 - share))
  const wanted = logit(probability)
  let [atLow, atHigh] = [-Infinity, Infinity]
  let side = 0
  const smallest = 1e-12 * (high - low)
  for (let round = 0; ; round++) {
    const isOpen = atLow === -Infinity || atHigh === Infinity
    const guess = isOpen ? (low + high) / 2 : (low * atHigh - high * atLow) / (atHigh - atLow)
    const excess = logit(dirichletMeanCdf(weighted, guess)) - wanted
    if (Math.abs(excess) < 1e-11 || high - low <= smallest || round === maxRounds) return guess
    if (excess < 0) {
      if (side === -1) atHigh /= 2
      ;[low, atLow, side] = [guess, excess, -1]
    } else {
      if (side === 1) atLow /= 2
      ;[high, atHigh, side] = [guess, excess, 1]
    }
  }
}
