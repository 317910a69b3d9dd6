import type { Deed } from './deed.js'
import { ground } from './deed.js'

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

/** Everything that a deed could be done with now. Roles of one deed are filled with different names. */
export function waysOf(deed: Deed, view: View): readonly (readonly string[])[] {
  const found: string[][] = []
  const objects: (string | undefined)[] = deed.roles.map(() => undefined)
  const fill = (at: number): void => {
    if (found.length >= mostWays) return
    const need = deed.needs[at]
    if (need === undefined) {
      if (!objects.includes(undefined) && new Set(objects).size === objects.length) found.push(objects as string[])
      return
    }
    const [predicate, ...terms] = need
    for (const names of view.all(predicate)) {
      const bound = terms.map((term) => (typeof term === 'number' ? objects[term] : term))
      if (names.length !== terms.length || !names.every((name, index) => (bound[index] ?? name) === name)) continue
      const before = [...objects]
      terms.forEach((term, index) => typeof term === 'number' && (objects[term] = names[index]))
      if (at + 1 === deed.needs.length) {
        if (!objects.includes(undefined) && new Set(objects).size === objects.length)
          found.push([...(objects as string[])])
      } else fill(at + 1)
      objects.splice(0, objects.length, ...before)
    }
  }
  fill(0)
  return found
}

/** Facts after a deed. */
export function apply(facts: ReadonlySet<string>, deed: Deed, objects: readonly string[]): Set<string> {
  const next = new Set(facts)
  for (const atom of deed.deletes) next.delete(ground(atom, objects))
  for (const atom of deed.adds) next.add(ground(atom, objects))
  return next
}
