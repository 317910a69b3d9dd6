const stirling = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]

/**
 * The remainder of Stirling's formula for ln Γ(x), x ≥ 12: ln Γ(x) − (x − ½) ln x + x − ½ ln 2π, to about 16 digits
 * (DLMF 5.11.1).
 */
function stirlingRemainder(x: number): number {
  const square = x * x
  let power = x
  let series = 0
  for (const coefficient of stirling) {
    series += coefficient / power
    power *= square
  }
  return series
}

/**
 * ln Γ(x) for x > 0, to about 15 digits: Stirling's series (DLMF 5.11.1) from 12 on, the recurrence Γ(x+1) = xΓ(x)
 * below. There the logarithm is taken last, since a difference of large logarithms loses digits.
 */
export function logGamma(x: number): number {
  if (x >= 12) return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + stirlingRemainder(x)
  let shift = 1
  let argument = x
  while (argument < 12) shift *= argument++
  const factorial = Math.sqrt((2 * Math.PI) / argument) * argument ** argument * Math.exp(-argument)
  return Math.log((factorial / shift) * Math.exp(stirlingRemainder(argument)))
}

const maxTerms = 100_000

/**
 * Regularised upper incomplete gamma function Q(a, x) for a > 0: the probability that a gamma variable of shape a is
 * above x; 1 for x ≤ 0, NaN for NaN. The power series DLMF 8.11.4 below a + 1, the continued fraction DLMF 8.9.2 by
 * Lentz's method above.
 */
export function gammaTail(a: number, x: number): number {
  if (x <= 0) return 1
  if (x === Infinity) return 0
  if (Number.isNaN(a + x)) return NaN
  return x < a + 1 ? 1 - gammaBelow(a, x) : front(a, x) * gammaFraction(a, x)
}

/** 1 − {@link gammaTail}, to full relative precision where that is near 1: for 0 < x < a + 1. */
export function gammaBelow(a: number, x: number): number {
  return front(a, x) * series(a, x)
}

function front(a: number, x: number): number {
  return Math.exp(a * Math.log(x) - x - logGamma(a))
}

function series(a: number, x: number): number {
  let term = 1 / a
  let sum = term
  for (let n = 1; n < maxTerms && term > sum * 1e-17; n++) {
    term *= x / (a + n)
    sum += term
  }
  return sum
}

/** For x ≥ a + 1, where all terms are positive, so that no denominator can become 0. */
function gammaFraction(a: number, x: number): number {
  let base = x + 1 - a
  let denominator = 1 / base
  let numerator = Infinity
  let fraction = denominator
  for (let n = 1; n < maxTerms; n++) {
    const coefficient = -n * (n - a)
    base += 2
    denominator = 1 / (base + coefficient * denominator)
    numerator = base + coefficient / numerator
    const change = numerator * denominator
    fraction *= change
    if (Math.abs(change - 1) < 1e-15) break
  }
  return fraction
}

/**
 * ln B(a, b) = ln Γ(a) + ln Γ(b) − ln Γ(a+b) for a, b > 0, to about 15 digits: where one of them is large, the large
 * parts of Stirling's formula are cancelled analytically, since subtracting them loses digits.
 */
export function logBeta(a: number, b: number): number {
  if (a > b) return logBeta(b, a)
  if (b < 12) return logGamma(a) + logGamma(b) - logGamma(a + b)
  const large = -(b - 0.5) * Math.log1p(a / b) + stirlingRemainder(b) - stirlingRemainder(a + b)
  if (a < 12) return logGamma(a) + large + a - a * Math.log(a + b)
  return a * Math.log(a / (a + b)) + 0.5 * Math.log((2 * Math.PI) / a) + stirlingRemainder(a) + large
}

/**
 * Regularised incomplete beta function I_x(a, b) for a, b > 0: the probability that a beta variable is below x; 0 below
 * 0, 1 above 1. `rest` is 1 − x, for callers that know it to more digits than the subtraction gives. Continued fraction
 * DLMF 8.17.22 by Lentz's method, on the side of the symmetry I_x(a, b) = 1 − I_{1−x}(b, a) that converges fast.
 */
export function incompleteBeta(a: number, b: number, x: number, rest = 1 - x): number {
  if (x <= 0) return 0
  if (rest <= 0) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - belowMean(b, a, rest, x)
  return belowMean(a, b, x, rest)
}

function belowMean(a: number, b: number, x: number, rest: number): number {
  const logRest = x < 0.5 ? Math.log1p(-x) : Math.log(rest)
  const logX = rest < 0.5 ? Math.log1p(-rest) : Math.log(x)
  return (Math.exp(a * logX + b * logRest - logBeta(a, b)) / a) * betaFraction(a, b, x)
}

const tiny = 1e-300
function betaFraction(a: number, b: number, x: number): number {
  const away = (value: number): number => (Math.abs(value) < tiny ? tiny : value)
  let numerator = 1
  let denominator = 1 / away(1 - ((a + b) * x) / (a + 1))
  let fraction = denominator
  for (let m = 1; m < maxTerms; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    let change = 1
    for (const coefficient of [even, odd]) {
      denominator = 1 / away(1 + coefficient * denominator)
      numerator = away(1 + coefficient / numerator)
      change = numerator * denominator
      fraction *= change
    }
    if (Math.abs(change - 1) < 1e-15) break
  }
  return fraction
}

/**
 * Quantile of the beta distribution with a, b > 0: the x in [0, 1] below which a share `probability` lies; 0 at a share
 * of 0, 1 at 1. Newton's method on {@link incompleteBeta}, kept inside a bracket that is halved wherever a step would
 * leave it.
 */
export function betaQuantile(probability: number, a: number, b: number): number {
  if (probability === 0 || probability === 1) return probability
  const scale = logBeta(a, b)
  let low = 0
  let high = 1
  let x = a / (a + b)
  for (let step = 0; step < 2000; step++) {
    const excess = incompleteBeta(a, b, x) - probability
    if (excess === 0) return x
    if (excess < 0) low = x
    else high = x
    const newton = x - excess / Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - scale)
    const next = newton > low && newton < high ? newton : (low + high) / 2
    if (Math.abs(next - x) <= Number.EPSILON * x || next <= low || next >= high) return next
    x = next
  }
  return x
}
