import { logGamma } from './gamma.js'

const steps = 512

/**
 * Mean of `chance(v)` where v = s/σ is the sample standard deviation of normal values over the true one, with `df` > 0 degrees of freedom (v² · df is
 * chi-square). It turns chances for a known σ into those of a t test. Simpson's rule on either side of `kink`, where `chance` may bend; the
 * weights are scaled to 1 in sum, so that a mean of chances is one.
 */
export function overSpread(df: number, chance: (v: number) => number, kink = Infinity): number {
  const reach = 10 / Math.sqrt(2 * df)
  const low = Math.max(0, 1 - reach)
  const high = 1 + reach
  const bend = Math.min(high, Math.max(low, kink))
  const logFront = Math.LN2 + (df / 2) * Math.log(df / 2) - logGamma(df / 2)
  let [sum, weights] = [0, 0]
  for (const [from, to] of [
    [low, bend],
    [bend, high],
  ] as const) {
    const width = (to - from) / steps
    if (width === 0) continue
    for (let step = 0; step <= steps; step++) {
      const v = from + step * width
      const simpson = step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2
      const weight = simpson * width * Math.exp(logFront + logPower(v, df - 1) - (df * v * v) / 2)
      sum += weight * chance(v)
      weights += weight
    }
  }
  return Math.min(1, sum / weights)
}

/** ln(v^exponent), with 0^0 = 1. */
function logPower(v: number, exponent: number): number {
  return exponent === 0 ? 0 : exponent * Math.log(v)
}
