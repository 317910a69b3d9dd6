/**
 * The numbers that are allowed; NaN never is. Both bounds are included: an excluded bound is given as the next number
 * beside it, so that a check is two comparisons.
 */
interface Domain {
  readonly low: number
  readonly high: number
  readonly isWhole: boolean
  readonly words: string
}

const { MAX_VALUE: largest, MIN_VALUE: aboveZero, MAX_SAFE_INTEGER: largestWhole, EPSILON: epsilon } = Number

function numbers(low: number, high: number, words: string): Domain {
  return { low, high, isWhole: false, words }
}

function wholeNumbers(low: number, high: number, words: string): Domain {
  return { low, high, isWhole: true, words }
}

/** A number of things. */
export const count = wholeNumbers(0, largestWhole, 'a whole number of at least 0')
/** A number of things, at least one. */
export const positiveCount = wholeNumbers(1, largestWhole, 'a whole number of at least 1')
const countTo = (max: number): Domain => wholeNumbers(0, max, `a whole number from 0 to ${String(max)}`)
/** A rate, a probability, or a score. */
export const share = numbers(0, 1, 'a finite number from 0 to 1')
/** A difference of two shares. */
export const difference = numbers(-1, 1, 'a finite number from -1 to 1')
/** A confidence, an alpha or a power. */
export const level = numbers(aboveZero, 1 - epsilon / 2, 'a finite number above 0 and below 1')
/** The alpha of a bound. */
export const boundLevel = numbers(aboveZero, 0.5, 'a finite number above 0 and at most 0.5')
/** The alpha of a gate. */
export const gateLevel = numbers(aboveZero, 0.5 - epsilon / 4, 'a finite number above 0 and below 0.5')
/** The variance of numbers from −1 to 1, or an unbiased estimate of it. */
export const differenceVariance = numbers(0, 2 + 1e-9, 'a finite number from 0 to 2')
/** Degrees of freedom, and parameters of a distribution. */
export const positive = numbers(aboveZero, largest, 'a finite number above 0')
export const finite = numbers(-largest, largest, 'a finite number')
/** The argument of a distribution function, which has limits at both ends. */
export const extended = numbers(-Infinity, Infinity, 'a number')

/** @throws RangeError for a number outside of its domain, NaN included. */
export function expectNumber(name: string, value: number, domain: Domain): void {
  if (value >= domain.low && value <= domain.high && (!domain.isWhole || Number.isSafeInteger(value))) return
  refuse(name, value, domain)
}

function refuse(name: string, value: number, { high, isWhole, words }: Domain): never {
  const advice = !isWhole && high <= 1 ? 'Give a share of 1, not a percentage.' : 'Check what is passed.'
  throw new RangeError(`Expected ${name} to be ${words}, got ${String(value)}. ${advice}`)
}

/** {@link expectNumber} for each number of a list, without missing ones. */
export function expectNumbers(name: string, values: ArrayLike<number>, domain: Domain): void {
  for (let place = 0; place < values.length; place++) expectNumber(name, values[place]!, domain)
}

/** A count of successes, or of other events, in a number of trials. */
export function expectCount(name: string, successes: number, trials: number): void {
  expectNumber('trials', trials, count)
  expectNumber(name, successes, countTo(trials))
}

/** @throws RangeError for lists that are not equally long. */
export function expectEqualLengths(name: string, lists: readonly ArrayLike<unknown>[]): void {
  const other = lists.find(({ length }) => length !== lists[0]!.length)
  if (other === undefined) return
  throw new RangeError(
    `Expected ${name} of equal length, got ${String(lists[0]!.length)} and ${String(other.length)} values. Check what is passed.`,
  )
}

/** Lists of equal length over the same items, in which NaN is a missing score. */
export function expectScores(name: string, lists: readonly (readonly number[])[]): void {
  expectEqualLengths(name, lists)
  for (const scores of lists) {
    for (const score of scores) if (!Number.isNaN(score)) expectNumber('each score', score, finite)
  }
}
