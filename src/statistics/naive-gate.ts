import { count, expectNumber, share } from './_expect-number.js'
import { normalCdf } from './normal.js'

/**
 * Chance that a check which fails where the candidate's mean is below the baseline's by more than `margin` fails although nothing changed: both arms of
 * `trials` independent episodes that each succeed with chance `rate`, by normal approximation. Undefined where nothing varies or nothing is played.
 * @throws RangeError unless `rate` and `margin` are from 0 to 1 and `trials` is a count.
 */
export function naiveFalseAlarm({
  rate,
  trials,
  margin,
}: {
  readonly rate: number
  readonly trials: number
  readonly margin: number
}): number | undefined {
  expectNumber('rate', rate, share)
  expectNumber('margin', margin, share)
  expectNumber('trials', trials, count)
  const error = Math.sqrt((2 * rate * (1 - rate)) / trials)
  return error > 0 && Number.isFinite(error) ? normalCdf(-margin / error) : undefined
}

/**
 * Chance that all of so many independent cases pass that each pass with chance `rate`: why a check must not ask for all
 * of them.
 * @throws RangeError unless `rate` is from 0 to 1 and `cases` is a count.
 */
export function chanceAllPass(rate: number, cases: number): number {
  expectNumber('rate', rate, share)
  expectNumber('cases', cases, count)
  return rate ** cases
}
