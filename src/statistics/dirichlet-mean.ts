/** Values and their Dirichlet parameters, in two lists of one length. Parameters are above 0. */
export interface WeightedValues {
  readonly values: readonly number[]
  readonly weights: readonly number[]
}

/** Steps of the trapezoidal rule, in units of the substituted variable. */
const step = 0.08
const maxSteps = 1000
const negligible = 1e-14

/**
 * Probability that a mean of `values` under random weights, Dirichlet with parameters `weights`, is at most `at`. For two values it is a beta
 * probability; for weights of 1 it is the Bayesian bootstrap (Rubin 1981, Annals of Statistics 9:130) without its noise.
 *
 * Σ Dᵢxᵢ ≤ at holds exactly where Y = Σ Gᵢ(xᵢ − at) ≤ 0 for independent gamma variables Gᵢ. The moment generating function of Y, Π (1 − s(xᵢ − at))^−wᵢ,
 * is inverted along a vertical line through its saddle point; the trapezoidal rule with t = scale·sinh(u) is good to
 * about 9 digits, and to 5 where nearly all of the weight lies on one value.
 */
export function dirichletMeanCdf({ values, weights }: WeightedValues, at: number): number {
  const offsets = Float64Array.from(values, (value) => value - at)
  let [min, max] = [Infinity, -Infinity]
  for (const offset of offsets) {
    min = Math.min(min, offset)
    max = Math.max(max, offset)
  }
  if (max <= 0) return 1
  if (min >= 0) return 0
  const { saddle, scale, limit } = findSaddle(offsets, weights, 1 / min, 1 / max)
  const side = saddle >= 0 ? 1 : -1
  // The integrand has a pole at 0. The line is kept away from it; its side decides which tail is found.
  const line = Math.abs(saddle) >= 1.5 * scale ? saddle : side * Math.min(1.5 * scale, 0.5 * Math.abs(limit(side)))
  let sum = 0
  for (let place = 0; place < maxSteps; place++) {
    const u = (place + 0.5) * step
    const t = scale * Math.sinh(u)
    let logSize = -0.5 * Math.log(line * line + t * t)
    let angle = -Math.atan2(t, line)
    for (let index = 0; index < offsets.length; index++) {
      const [real, imaginary] = [1 - line * offsets[index]!, -t * offsets[index]!]
      logSize -= 0.5 * weights[index]! * Math.log(real * real + imaginary * imaginary)
      angle -= weights[index]! * Math.atan2(imaginary, real)
    }
    const size = Math.exp(logSize) * scale * Math.cosh(u)
    sum += size * Math.cos(angle)
    if (size < negligible) break
  }
  const tail = (sum * step) / Math.PI
  return Math.min(1, Math.max(0, side > 0 ? 1 - tail : -tail))
}

/** Where the cumulant generating function of Y is least, found by Newton's method within bounds, and the width of the peak there. */
function findSaddle(offsets: Float64Array, weights: readonly number[], least: number, most: number) {
  let [low, high] = [least, most]
  let saddle = 0
  let curvature = 1
  for (let round = 0; round < 100; round++) {
    let slope = 0
    curvature = 0
    for (let index = 0; index < offsets.length; index++) {
      const part = offsets[index]! / (1 - saddle * offsets[index]!)
      slope += weights[index]! * part
      curvature += weights[index]! * part * part
    }
    if (slope < 0) low = saddle
    else high = saddle
    const newton = saddle - slope / curvature
    const next = newton > low && newton < high ? newton : (low + high) / 2
    const isClose = Math.abs(next - saddle) <= 1e-9 / Math.sqrt(curvature)
    saddle = next
    if (isClose) break
  }
  return { saddle, scale: 1 / Math.sqrt(curvature), limit: (side: number) => (side > 0 ? most : least) }
}
