import { expectCount, expectNumber, marginBelowOne } from './_expect-number.js'
import { bisect } from './_bisect.js'
import type { Interval } from './intervals.js'
import { wilsonInterval } from './intervals.js'
import { normalCdf } from './normal.js'

/**
 * Score test that a share is not below another by a margin or more, arms independent (Farrington and Manning 1990, Statistics in Medicine 9:1447):
 * `successes` of `trials` in the candidate against those of the baseline. `z` is the difference's distance from −margin over its standard error under that
 * hypothesis, `p` its upper tail. Undefined without a trial in either arm.
 * @throws RangeError for what are not counts, for more successes than trials, and unless `margin` is at least 0 and below 1.
 */
export function farringtonManning(
  successes: number,
  trials: number,
  baselineSuccesses: number,
  baselineTrials: number,
  margin: number,
): { readonly estimate: number; readonly z: number; readonly p: number } | undefined {
  expectCount('successes', successes, trials)
  expectCount('successes of the baseline', baselineSuccesses, baselineTrials)
  expectNumber('margin', margin, marginBelowOne)
  if (trials === 0 || baselineTrials === 0) return undefined
  const slope = (share: number): number =>
    likelihoodSlope(successes, trials, share) + likelihoodSlope(baselineSuccesses, baselineTrials, share + margin)
  const share = bisect(0, 1 - margin, (candidate) => slope(candidate) > 0)
  const variance =
    (share * (1 - share)) / trials + ((share + margin) * Math.max(0, 1 - share - margin)) / baselineTrials
  const estimate = successes / trials - baselineSuccesses / baselineTrials
  const excess = estimate + margin
  // Without variance all trials ended alike and the margin is 0, or so small that it is lost in rounding: so is its z, about its root.
  const z = variance > 0 ? excess / Math.sqrt(variance) : 0
  return { estimate, z, p: normalCdf(-z) }
}

/**
 * Interval of the difference of two independent shares, first minus second, from the Wilson interval of each (Newcombe 1998, Statistics in Medicine 17:873,
 * method 10); undefined without a trial in either arm.
 * @throws RangeError where {@link wilsonInterval} does.
 */
export function newcombeInterval(
  successes: number,
  trials: number,
  otherSuccesses: number,
  otherTrials: number,
  confidence = 0.95,
): Interval | undefined {
  const [ofFirst, ofSecond] = [
    wilsonInterval(successes, trials, confidence),
    wilsonInterval(otherSuccesses, otherTrials, confidence),
  ]
  if (trials === 0 || otherTrials === 0) return undefined
  const [first, second] = [successes / trials, otherSuccesses / otherTrials]
  return {
    low: first - second - Math.hypot(first - ofFirst.low, ofSecond.high - second),
    high: first - second + Math.hypot(ofFirst.high - first, second - ofSecond.low),
  }
}

function likelihoodSlope(successes: number, trials: number, share: number): number {
  const failures = trials - successes
  return (successes === 0 ? 0 : successes / share) - (failures === 0 ? 0 : failures / (1 - share))
}
