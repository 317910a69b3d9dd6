import { betaQuantile, incompleteBeta } from './special-functions.js'

/** Values and their Dirichlet parameters, in two lists of one length. Parameters are above 0. */
export interface WeightedValues {
  readonly values: readonly number[]
  readonly weights: readonly number[]
}

/** Sums the weights of equal values, and sorts by the weights, as is fastest for {@link dirichletMeanCdf}. */
export function mergeEqual(pieces: Iterable<readonly [value: number, weight: number]>): WeightedValues {
  const merged = new Map<number, number>()
  for (const [value, weight] of pieces) merged.set(value, (merged.get(value) ?? 0) + weight)
  const sorted = [...merged].sort(([, one], [, other]) => one - other)
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
  if (offsets.length < values.length) [offsets, weightOf] = [scratch(values.length), scratch(values.length)]
  let scale = 0
  for (const value of values) scale = Math.max(scale, Math.abs(value - at))
  let count = 0
  let low = 0
  let mean = 0
  for (let place = 0; place < values.length; place++) {
    const offset = (values[place]! - at) / scale
    // Values within a rounding error of `at` count as equal to it.
    if (!(Math.abs(offset) > 1e-15)) continue
    if (offset < 0) low++
    mean += offset * weights[place]!
    offsets[count] = offset
    weightOf[count++] = weights[place]!
  }
  if (low === 0) return 0
  if (low === count) return 1
  if (count === 2) {
    const [below, above] = offsets[0]! < 0 ? [0, 1] : [1, 0]
    const range = offsets[above]! - offsets[below]!
    return incompleteBeta(weightOf[above]!, weightOf[below]!, -offsets[below]! / range, offsets[above]! / range)
  }
  if (mean < 0) return 1 - upperTail(count)
  for (let place = 0; place < count; place++) offsets[place]! *= -1
  return upperTail(count)
}

/** The gamma variables of Σ G·offset, in buffers that each call overwrites: there are many calls. */
let [offsets, weightOf] = [new Float64Array(0), new Float64Array(0)]

function scratch(size: number): Float64Array<ArrayBuffer> {
  return new Float64Array(2 * size)
}

/** Step of the trapezoidal rule. Halving it changes the result by less than 1e−13. */
const step = 0.2
/** Where the square of a product's size leaves 1/huge to huge, its logarithm is taken, so that it never overflows. */
const huge = 1e100

/**
 * Probability that Σ G·offset is above 0, where its mean is not. Neighbours with equal weights are multiplied as complex
 * numbers and have one logarithm together; it is fast where equal weights stand together.
 */
function upperTail(count: number): number {
  const { saddle, width } = findSaddle(count)
  let total = 0
  let front = 0
  for (let place = 0; ; place++) {
    const stretch = Math.exp(place * step)
    const along = (width * (stretch - 1 / stretch)) / 2
    let log = -Math.log(saddle * saddle + along * along) / 2
    let angle = -Math.atan2(along, saddle)
    let real = 1
    let imaginary = 0
    let turns = 0
    for (let term = 0; term < count; term++) {
      const right = 1 - offsets[term]! * saddle
      const up = offsets[term]! * along
      const before = imaginary
      imaginary = real * up + before * right
      real = real * right - before * up
      // A factor turns by less than 90°, so a change of sign against its direction crosses the negative axis.
      if (up > 0) {
        if (before >= 0 && imaginary < 0) turns++
      } else if (before < 0 && imaginary >= 0) turns--
      const size = real * real + imaginary * imaginary
      const weight = weightOf[term]!
      if (weightOf[term + 1] === weight && term + 1 < count && size < huge && size > 1 / huge) continue
      log -= (weight / 2) * Math.log(size)
      angle += weight * (Math.atan2(imaginary, real) + turns * 2 * Math.PI)
      real = 1
      imaginary = turns = 0
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
function findSaddle(count: number): { readonly saddle: number; readonly width: number } {
  let low = 0
  let highest = 0
  for (let term = 0; term < count; term++) highest = Math.max(highest, offsets[term]!)
  let high = 1 / highest
  let saddle = high / 2
  for (let round = 0; ; round++) {
    let slope = -1 / saddle
    let curvature = 1 / (saddle * saddle)
    for (let term = 0; term < count; term++) {
      const part = offsets[term]! / (1 - offsets[term]! * saddle)
      slope += weightOf[term]! * part
      curvature += weightOf[term]! * part * part
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
 * distinct.
 */
export function dirichletMeanQuantile(weighted: WeightedValues, probability: number): number {
  const { values, weights } = weighted
  let [low, high] = [Math.min(...values), Math.max(...values)]
  if (values.length === 1) return low
  if (values.length === 2) {
    const above = values.indexOf(high)
    return low + (high - low) * betaQuantile(probability, weights[above]!, weights[1 - above]!)
  }
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
