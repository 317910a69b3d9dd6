import { ShaketableError, unknownName } from '../../core/errors.js'

/** What is called one thing on the first side and another on the second. */
export interface NamePair {
  readonly first: string
  readonly second: string
}

/** One value for each side of a comparison. */
export type Sides<Value> = Readonly<Record<keyof NamePair, Value>>

/** `a`, or `a → b` where the two sides call it differently. */
export function nameOf({ first, second }: NamePair): string {
  return first === second ? first : `${first} → ${second}`
}

/**
 * Pairs the names of two sides, in the first side's order: the pairs that are given, and of all others equal names
 * (unless `onlyGiven`). Where nothing is given and each side has one name, those two are a pair.
 * @throws ShaketableError `usage` for a given name that its side does not have, and for one that is given twice.
 */
export function pairNames(
  kind: string,
  first: readonly string[],
  second: readonly string[],
  given: readonly NamePair[] = [],
  onlyGiven = false,
): NamePair[] {
  for (const pair of given) {
    if (!first.includes(pair.first)) throw new ShaketableError('usage', unknownName(kind, pair.first, first))
    if (!second.includes(pair.second)) throw new ShaketableError('usage', unknownName(kind, pair.second, second))
  }
  for (const side of ['first', 'second'] as const) {
    const names = given.map((pair) => pair[side])
    const twice = names.find((name, place) => names.indexOf(name) !== place)
    if (twice !== undefined)
      throw new ShaketableError('usage', `Expected each ${kind} once, but '${twice}' is paired twice.`)
  }
  if (given.length === 0 && first.length === 1 && second.length === 1) return [{ first: first[0]!, second: second[0]! }]
  const taken = new Set(given.map((pair) => pair.second))
  return first.flatMap((name) => {
    const wanted = given.find((pair) => pair.first === name)
    if (wanted !== undefined) return wanted
    if (onlyGiven && given.length > 0) return []
    return second.includes(name) && !taken.has(name) ? { first: name, second: name } : []
  })
}
