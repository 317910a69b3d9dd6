import { count, expectNumber, expectNumbers, notNegative, share } from './_expect-number.js'
import { wholeNumbers } from './_whole-numbers.js'
import { percentileInterval } from './bootstrap-intervals.js'
import type { Interval } from './intervals.js'

/**
 * Performance-drop rate: the share of the first score that is gone in the second, 1 − second/first; below 0 for a gain.
 * Undefined where the first is 0, or so close to it that the rate is beyond all numbers.
 * @throws RangeError unless both are finite and at least 0.
 */
export function dropRate(first: number, second: number): number | undefined {
  expectNumbers('each score', [first, second], notNegative)
  const rate = 1 - second / first
  return Number.isFinite(rate) ? rate : undefined
}

/**
 * Share of the first score that the second keeps, cut to 1 where it gains: min(1, second/first). Undefined where the
 * first is 0.
 * @throws RangeError unless both are finite and at least 0.
 */
export function keptShare(first: number, second: number): number | undefined {
  expectNumbers('each score', [first, second], notNegative)
  return first > 0 ? Math.min(1, second / first) : undefined
}

/**
 * Change of the log odds from one rate of success to another: ln(second/(1 − second)) − ln(first/(1 − first)). A drop from 0.99 to 0.98 weighs as much as one
 * from 0.5 to 0.33. Undefined where either is 0 or 1.
 * @throws RangeError unless both are from 0 to 1.
 */
export function logOddsChange(first: number, second: number): number | undefined {
  expectNumbers('each rate', [first, second], share)
  const change = Math.log(second / (1 - second)) - Math.log(first / (1 - first))
  return Number.isFinite(change) ? change : undefined
}

/**
 * 95 % interval (unless told otherwise) of the {@link dropRate} of two mean scores over the same tasks: percentile bootstrap over tasks, both scores of a task drawn
 * together. Undefined where nothing differs between resamples, and where the first mean is so small that it is 0 in more than (1 − confidence)/2 of
 * them: the rate has no bound then.
 * @throws RangeError for a score that is not finite or below 0, where the number of resamples is not a count, and unless `confidence` is between 0 and 1.
 */
export function dropRateInterval(
  byTask: readonly { readonly first: number; readonly second: number }[],
  {
    random,
    resamples = 10_000,
    confidence = 0.95,
  }: { readonly random: () => number; readonly resamples?: number; readonly confidence?: number },
): Interval | undefined {
  expectNumber('resamples', resamples, count)
  for (const task of byTask) expectNumbers('each score', [task.first, task.second], notNegative)
  const tasks = byTask.length
  const draw = wholeNumbers(random)
  const first = Float64Array.from(byTask, (task) => task.first)
  const second = Float64Array.from(byTask, (task) => task.second)
  const rates = Float64Array.from({ length: resamples }, () => {
    let [firsts, seconds] = [0, 0]
    for (let drawn = 0; drawn < tasks; drawn++) {
      const task = draw(tasks)
      firsts += first[task]!
      seconds += second[task]!
    }
    return dropRate(firsts, seconds) ?? NaN
  })
  return percentileInterval(rates, confidence)
}
