/** What a number has to be: within bounds that belong to it (`from`, `to`) or do not (`above`, `below`), and a whole number where that is said. */
interface Domain {
  readonly from?: number
  readonly to?: number
  readonly above?: number
  readonly below?: number
  readonly whole?: true
  /** Minus and plus infinity belong to it too. */
  readonly infinite?: true
}

/** A number of things. */
export const count: Domain = { from: 0, whole: true }
/** A number of things of which there has to be one. */
export const positiveCount: Domain = { from: 1, whole: true }
/** A rate, a probability, or a score. */
export const share: Domain = { from: 0, to: 1 }
/** A difference of two shares. */
export const difference: Domain = { from: -1, to: 1 }
/** A confidence, an alpha or a power: of neither 0 nor 1 is there an answer. */
export const level: Domain = { above: 0, below: 1 }
/** A variance, a standard deviation, or a score in a unit of its own. */
export const notNegative: Domain = { from: 0 }
/** Degrees of freedom, and parameters of a distribution. */
export const positive: Domain = { above: 0 }
export const finite: Domain = {}
/** Where a distribution function is asked for, which has limits at both ends. */
export const extended: Domain = { infinite: true }

/** @throws RangeError for a number that is not in its domain, NaN included: what was expected, and what came. */
export function expectNumber(name: string, value: number, domain: Domain): void {
  if (!isIn(value, domain))
    throw new RangeError(`Expected ${name} to be ${describe(domain)}, got ${String(value)}. ${advise(domain)}`)
}

/** {@link expectNumber} for each of a list; missing ones are taken out before. */
export function expectNumbers(name: string, values: ArrayLike<number>, domain: Domain): void {
  for (let place = 0; place < values.length; place++) expectNumber(name, values[place]!, domain)
}

/** A count of some things out of so many trials. */
export function expectCount(name: string, successes: number, trials: number): void {
  expectNumber('trials', trials, count)
  expectNumber(name, successes, { from: 0, to: trials, whole: true })
}

/** @throws RangeError for lists that are not equally long. */
export function expectEqualLengths(name: string, lists: readonly ArrayLike<unknown>[]): void {
  const other = lists.find(({ length }) => length !== lists[0]!.length)
  if (other === undefined) return
  throw new RangeError(
    `Expected ${name} of equal length, got ${String(lists[0]!.length)} and ${String(other.length)} values. Check what is passed.`,
  )
}

/** Lists over the same things, equally long, in which NaN is a missing score. */
export function expectScores(name: string, lists: readonly (readonly number[])[]): void {
  expectEqualLengths(name, lists)
  for (const scores of lists) {
    for (const score of scores) if (!Number.isNaN(score)) expectNumber('each score', score, finite)
  }
}

function isIn(value: number, { from = -Infinity, to = Infinity, above, below, whole, infinite }: Domain): boolean {
  if (!(value >= from && value <= to)) return false
  if ((above !== undefined && value <= above) || (below !== undefined && value >= below)) return false
  return whole ? Number.isSafeInteger(value) : infinite === true || Number.isFinite(value)
}

function describe({ from, to, above, below, whole, infinite }: Domain): string {
  const kind = infinite ? 'a number' : whole ? 'a whole number' : 'a finite number'
  const bounds = [
    from === undefined
      ? ''
      : to === undefined
        ? `of at least ${String(from)}`
        : `from ${String(from)} to ${String(to)}`,
    above === undefined ? '' : `above ${String(above)}`,
    below === undefined ? '' : `below ${String(below)}`,
  ].filter((bound) => bound !== '')
  return [kind, bounds.join(' and ')].join(' ').trim()
}

function advise({ to, below, whole }: Domain): string {
  return !whole && (to === 1 || below === 1) ? 'Give a share of 1, not a percentage.' : 'Check what is passed.'
}
