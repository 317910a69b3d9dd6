import type { Deed } from './deed.js'
import { ground } from './deed.js'
import type { Names } from './names.js'

/** What is believed to hold. */
export interface View {
  has(fact: string): boolean
  /** The terms of all facts of a predicate. */
  all(predicate: string): readonly (readonly string[])[]
}

/** Opens a view of facts such as `at ball1 rooma`. */
export function viewOf(facts: ReadonlySet<string>): View {
  const byPredicate = new Map<string, string[][]>()
  for (const fact of facts) {
    const [predicate = '', ...terms] = fact.split(' ')
    const known = byPredicate.get(predicate)
    if (known === undefined) byPredicate.set(predicate, [terms])
    else known.push(terms)
  }
  return { has: (fact) => facts.has(fact), all: (predicate) => byPredicate.get(predicate) ?? [] }
}

const mostWays = 60

/** Everything that a deed could be done with now and that changes something. Roles of one deed are filled with different names of their kinds. */
export function waysOf(deed: Deed, view: View, { kinds }: Names): readonly (readonly string[])[] {
  const found: string[][] = []
  const isSensible = (objects: readonly (string | undefined)[]): objects is readonly string[] =>
    !objects.includes(undefined) &&
    new Set(objects).size === objects.length &&
    deed.roles.every(({ kind }, role) => kinds.get(objects[role]!)?.has(kind) === true) &&
    (deed.deletes.length > 0 || deed.adds.some((atom) => !view.has(ground(atom, objects as readonly string[]))))
  const fill = (at: number, objects: readonly (string | undefined)[]): void => {
    const need = deed.needs[at]
    if (need === undefined) {
      if (isSensible(objects)) found.push([...objects])
      return
    }
    const [predicate, ...terms] = need
    for (const names of view.all(predicate)) {
      if (found.length >= mostWays) return
      const known = terms.map((term) => (typeof term === 'number' ? objects[term] : term))
      if (names.length !== terms.length || !names.every((name, index) => (known[index] ?? name) === name)) continue
      const filled = [...objects]
      terms.forEach((term, index) => {
        if (typeof term === 'number') filled[term] = names[index]
      })
      fill(at + 1, filled)
    }
  }
  fill(
    0,
    deed.roles.map(() => undefined),
  )
  return found
}

/** Facts after a deed. */
export function apply(facts: ReadonlySet<string>, deed: Deed, objects: readonly string[]): Set<string> {
  const next = new Set(facts)
  for (const atom of deed.deletes) next.delete(ground(atom, objects))
  for (const atom of deed.adds) next.add(ground(atom, objects))
  return next
}
