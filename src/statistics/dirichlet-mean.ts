import { normalQuantile } from './distributions.js'
import { betaQuantile, incompleteBeta, logBeta } from './special-functions.js'

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

/** How fine a trapezoidal rule is: its step, and the share of the first point from which on points are left out. */
export interface Rule {
  readonly step: number
  readonly least: number
}

/** About 12 digits: halving the step changes the result by less than 1e−13. */
export const exact: Rule = { step: 0.2, least: 1e-17 }
/**
 * About 6 digits in half the time, 2 in far tails, for a search that ends with {@link exact}.
 */
export const rough: Rule = { step: 0.3, least: 1e-8 }

/** What is known of a distribution at one place. */
export interface AtPlace {
  /** The probability of values below. */
  readonly below: number
  /** To fewer digits than `below`, which suffices for the steps of a search; NaN where it is not known. */
  readonly density: number
}

/** The probability alone of {@link dirichletMeanAt}. */
export function dirichletMeanCdf(weighted: WeightedValues, at: number): number {
  return dirichletMeanAt(weighted, at, exact).below
}

/**
 * Distribution at `at` of a mean of `values` under random weights, Dirichlet with parameters `weights`. For two values
 * it is a beta distribution.
 *
 * Σ Dᵢxᵢ is below exactly where Y = Σ Gᵢ(xᵢ − at) is below 0 for independent gamma variables Gᵢ. The moment generating
 * function of Y, Π (1 − s(xᵢ − at))^−wᵢ, over s is integrated along the vertical line through the saddle point of both
 * (Daniels, Biometrika 74, 1987). The trapezoidal rule gives the digits of the smaller of the probabilities below and
 * above, however small it is. The density is Σwᵢ − 1 times the integral of the moment generating function alone, by
 * parts.
 */
export function dirichletMeanAt({ values, weights }: WeightedValues, at: number, rule: Rule): AtPlace {
  if (offsets.length < values.length) [offsets, weightOf] = [scratch(values.length), scratch(values.length)]
  let scale = 0
  for (const value of values) scale = Math.max(scale, Math.abs(value - at))
  let count = 0
  let low = 0
  let mean = 0
  let total = 0
  for (let place = 0; place < values.length; place++) {
    const weight = weights[place]!
    const offset = (values[place]! - at) / scale
    total += weight
    // Values within a rounding error of `at` count as equal to it.
    if (!(Math.abs(offset) > 1e-15)) continue
    if (offset < 0) low++
    mean += offset * weight
    offsets[count] = offset
    weightOf[count++] = weight
  }
  if (low === 0) return { below: 0, density: 0 }
  if (low === count) return { below: 1, density: 0 }
  if (count === 2) return betweenTwo(scale, total)
  if (mean < 0) {
    const { below, density } = upperTail(count, rule)
    return { below: 1 - below, density: (density * (total - 1)) / scale }
  }
  for (let place = 0; place < count; place++) offsets[place]! *= -1
  const { below, density } = upperTail(count, rule)
  return { below, density: (density * (total - 1)) / scale }
}

/** {@link dirichletMeanAt} where two of the offsets, times `scale`, are not 0; `total` is the sum of all weights. */
function betweenTwo(scale: number, total: number): AtPlace {
  const [below, above] = offsets[0]! < 0 ? [0, 1] : [1, 0]
  const range = offsets[above]! - offsets[below]!
  const [a, b] = [weightOf[above]!, weightOf[below]!]
  const [x, rest] = [-offsets[below]! / range, offsets[above]! / range]
  const log = (a - 1) * Math.log(x) + (b - 1) * Math.log(rest) - logBeta(a, b)
  const share = (total - 1) / (a + b - 1)
  return {
    below: incompleteBeta(a, b, x, rest),
    density: share > 0 ? (share * Math.exp(log)) / (range * scale) : NaN,
  }
}

/** The gamma variables of Σ G·offset, in buffers that each call overwrites: there are many calls. */
let [offsets, weightOf] = [new Float64Array(0), new Float64Array(0)]

function scratch(size: number): Float64Array<ArrayBuffer> {
  return new Float64Array(2 * size)
}

/** Where the square of a product's size leaves 1/huge to huge, its logarithm is taken, so that it never overflows. */
const huge = 1e100

/**
 * Probability that Σ G·offset is above 0, where its mean is not, or below it with the signs turned; and the integral of
 * the moment generating function. Neighbours with equal weights are multiplied as complex numbers and have one
 * logarithm together; it is fast where equal weights stand together.
 */
function upperTail(count: number, { step, least }: Rule): AtPlace {
  const { saddle, width } = findSaddle(count)
  let [total, slope] = [0, 0]
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
    const cosine = Math.cos(angle)
    total += size * cosine
    slope += size * (saddle * cosine - along * Math.sin(angle))
    if (size > least) continue
    const factor = (Math.exp(front) * width * step) / Math.PI
    return { below: total * factor, density: slope * factor }
  }
}

/** Bisection alone needs about 60. */
const maxRounds = 200
const maxRough = 3

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
    if (Math.abs(next - saddle) <= 1e-2 * saddle || round === maxRounds)
      return { saddle, width: 1 / Math.sqrt(curvature) }
    saddle = next
  }
}

/**
 * Quantile of the distribution of {@link dirichletMeanAt} at `probability` (above 0, below 1), to about 10 digits.
 * `values` are distinct.
 */
export function dirichletMeanQuantile(weighted: WeightedValues, probability: number): number {
  const { values, weights } = weighted
  // Not spread into Math.min: there may be more values than a call can have arguments.
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)]
  if (values.length === 1) return low
  if (values.length === 2) {
    const above = values.indexOf(high)
    return low + (high - low) * betaQuantile(probability, weights[above]!, weights[1 - above]!)
  }
  // Newton's method on logits, which are nearly straight, kept inside a bracket and halved where it is slow.
  const logit = (share: number): number => Math.log(share / (1 - share))
  const wanted = logit(probability)
  const smallest = 1e-12 * (high - low)
  let guess = startOf(weighted, probability)
  if (!(guess > low && guess < high)) guess = (low + high) / 2
  let [rule, last] = [rough, Infinity]
  for (let round = 0; ; round++) {
    const { below, density } = dirichletMeanAt(weighted, guess, rule)
    const excess = logit(below) - wanted
    const newton = guess - (excess * below * (1 - below)) / density
    if (rule === rough) {
      // Only exact evaluations narrow the bracket.
      if (Math.abs(excess) < 4e-3 || round === maxRough) rule = exact
      if (newton > low && newton < high) guess = newton
      else rule = exact
      continue
    }
    if (excess < 0) low = guess
    else high = guess
    const isInside = newton > low && newton < high
    // The step is off by about the square of the excess.
    if (Math.abs(excess) < 1e-6) return isInside ? newton : guess
    if (high - low <= smallest || round === maxRounds) return guess
    guess = isInside && Math.abs(excess) < last / 2 ? newton : (low + high) / 2
    last = Math.abs(excess)
  }
}

/** The quantile from three moments (Cornish and Fisher 1938). */
function startOf({ values, weights }: WeightedValues, probability: number): number {
  let [total, centre] = [0, 0]
  values.forEach((value, place) => {
    total += weights[place]!
    centre += weights[place]! * value
  })
  centre /= total
  let [squares, cubes] = [0, 0]
  values.forEach((value, place) => {
    const away = value - centre
    squares += weights[place]! * away * away
    cubes += weights[place]! * away * away * away
  })
  const z = normalQuantile(probability)
  const variance = squares / total / (total + 1)
  const third = (2 * cubes) / total / (total + 1) / (total + 2)
  return centre + z * Math.sqrt(variance) + ((z * z - 1) / 6) * (third / variance)
}
