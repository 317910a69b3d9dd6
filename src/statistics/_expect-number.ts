/** What a number has to be: within bounds that belong to it, and a whole number where that is said. */
interface Domain {
  readonly from?: number
  readonly to?: number
  readonly whole?: true
}

/** @throws RangeError for a number that is not in its domain, NaN and infinite ones included: what was expected, and what came. */
export function expectNumber(name: string, value: number, { from = -Infinity, to = Infinity, whole }: Domain): void {
  const isKind = whole ? Number.isSafeInteger(value) : Number.isFinite(value)
  if (isKind && value >= from && value <= to) return
  const range = [
    from === -Infinity ? '' : ` from ${String(from)}`,
    to === Infinity ? '' : from === -Infinity ? ` of at most ${String(to)}` : ` to ${String(to)}`,
  ].join('')
  throw new RangeError(
    `Expected ${name} to be a ${whole ? 'whole' : 'finite'} number${range}, got ${String(value)}. Check what is passed.`,
  )
}

/** A count of some things out of so many trials. */
export function expectCount(name: string, successes: number, trials: number): void {
  expectNumber('trials', trials, { from: 0, whole: true })
  expectNumber(name, successes, { from: 0, to: trials, whole: true })
}
