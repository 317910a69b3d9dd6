const stirling = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]

/** What Stirling's formula leaves of ln Γ(x) for x ≥ 12: ln Γ(x) − (x − ½) ln x + x − ½ ln 2π, to about 16 digits (DLMF 5.11.1). */
export function stirlingRemainder(x: number): number {
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
 * ln Γ(x) for x > 0, to about 15 digits: Stirling's series (DLMF 5.11.1) from 12 on, the recurrence Γ(x+1) = xΓ(x) below. There the logarithm is taken last, since
 * a difference of large logarithms loses digits.
 */
export function logGamma(x: number): number {
  if (x >= 12) return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + stirlingRemainder(x)
  let shift = 1
  let argument = x
  while (argument < 12) shift *= argument++
  const factorial = Math.sqrt((2 * Math.PI) / argument) * argument ** argument * Math.exp(-argument)
  return Math.log((factorial / shift) * Math.exp(stirlingRemainder(argument)))
}

const mostTerms = 100_000

/**
 * Regularised upper incomplete gamma function Q(a, x) for a > 0: the probability that a gamma variable of shape a is above x; 1 for x ≤ 0,
 * NaN for NaN. The power series DLMF 8.11.4 below a + 1, the continued fraction DLMF 8.9.2 by Lentz's method above.
 */
export function gammaTail(a: number, x: number): number {
  if (x <= 0) return 1
  if (x === Infinity) return 0
  if (Number.isNaN(a + x)) return NaN
  return x < a + 1 ? 1 - gammaBelow(a, x) : front(a, x) * continuedFraction(a, x)
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
  for (let n = 1; n < mostTerms && term > sum * 1e-17; n++) {
    term *= x / (a + n)
    sum += term
  }
  return sum
}

/** All its terms are positive from x = a + 1 on: nothing in it can become 0. */
function continuedFraction(a: number, x: number): number {
  let base = x + 1 - a
  let denominator = 1 / base
  let numerator = Infinity
  let fraction = denominator
  for (let n = 1; n < mostTerms; n++) {
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
