import { expectNumber } from './_expect-number.js'
import { smallestWhole } from './_smallest-whole.js'
import { normalCdf, normalQuantile } from './normal.js'
import type { Risks } from './sample-size.js'

/** Cohen's h (1988): the difference of two shares after 2·arcsin √p, on which shares near 0 and 1 are as easy to tell apart as others. */
export function cohenH(first: number, second: number): number {
  for (const share of [first, second]) expectNumber('each share', share, { from: 0, to: 1 })
  return 2 * Math.asin(Math.sqrt(first)) - 2 * Math.asin(Math.sqrt(second))
}

/** Chance that a two-sided test sees that two shares differ, from `trials` independent trials in each arm (Cohen 1988, normal approximation of h). */
export function proportionsPower({
  first,
  second,
  trials,
  alpha = 0.05,
}: {
  readonly first: number
  readonly second: number
  readonly trials: number
  readonly alpha?: number
}): number {
  const shift = cohenH(first, second) * Math.sqrt(trials / 2)
  const critical = normalQuantile(1 - alpha / 2)
  return normalCdf(shift - critical) + normalCdf(-shift - critical)
}

/** Trials in each arm that {@link proportionsPower} needs for the power asked for, rounded up; undefined where a billion are not enough: for equal shares. */
export function proportionsTrials({
  first,
  second,
  alpha = 0.05,
  power = 0.8,
}: Risks & { readonly first: number; readonly second: number }): number | undefined {
  return smallestWhole(1, 1e9, (trials) => proportionsPower({ first, second, trials, alpha }) >= power)
}
