import { type Domain, readDefinition } from './domain.js'
import type { Expression, List, Source, Typed } from './expression.js'
import { fail, headOf, quote, readTypedList, show } from './expression.js'
import { type Atom, type Scope, parts, readAtom, readFormula } from './formula.js'

/**
 * Reads a problem of a domain, all names in lower case. `where` names the text in messages.
 * @throws ShaketableError `bad-input` naming line and column.
 */
export function parseProblem(text: string, domain: Domain, where: string) {
  const source: Source = { text, where }
  const { name, sections } = readDefinition(source, 'problem')
  const objects = new Map<string, Typed>()
  for (const constant of domain.constants) objects.set(constant.name, constant)
  let init: List | undefined
  let goal: Expression | undefined
  for (const section of sections) {
    switch (headOf(section)) {
      case ':domain':
        checkDomainName(source, section, domain)
        break
      case ':objects':
        for (const object of readTypedList(source, section.items.slice(1), 'an object')) {
          objects.set(object.name, object)
        }
        break
      case ':init':
        init = section
        break
      case ':goal':
        goal = parts(source, section, 1)[0]
        break
      case ':requirements':
      case ':metric':
        break
      default:
        fail(source, section.at, `expected a section of a problem, got ${show(section)}, which is not supported.`)
    }
  }
  if (goal === undefined) fail(source, 0, 'expected a (:goal …), got none. Add one.')
  const scope: Scope = { source, predicates: domain.predicates, variables: new Set() }
  return {
    name,
    source,
    domain,
    /** The problem's objects and the domain's constants, each once. */
    objects: [...objects.values()] as readonly Typed[],
    /** The facts at the start, in the order of the text; a fact can occur several times. */
    init: init === undefined ? [] : readInit(scope, init, objects),
    goal: readFormula(scope, goal),
  }
}

/** See {@link parseProblem}. */
export type Problem = ReturnType<typeof parseProblem>

function checkDomainName(source: Source, section: List, domain: Domain): void {
  const named = section.items[1]
  if (named?.kind === 'word' && named.text === domain.name) return
  fail(
    source,
    section.at,
    `expected a problem of domain ${quote(domain.name)}, got ${show(named)}. Give the matching domain.`,
  )
}

function readInit(scope: Scope, section: List, objects: ReadonlyMap<string, Typed>): readonly Atom[] {
  const init: Atom[] = []
  const predicateNamed = new Map([...scope.predicates.keys()].map((name) => [name, name]))
  for (const item of section.items.slice(1)) {
    const head = item.kind === 'list' ? headOf(item) : undefined
    if (head === '=') continue
    if (head === 'not') {
      readAtom(scope, parts(scope.source, item as List, 1)[0]!)
      continue
    }
    const atom = readAtom(scope, item)
    // The declared strings are kept, so that the memory of the words read here is released.
    const terms = atom.terms.map((term) => {
      const object = objects.get(term)
      if (object !== undefined) return object.name
      const place = `expected declared objects in ${show(item)}, got ${quote(term)}`
      return fail(scope.source, item.at, `${place}. Declare it in (:objects …).`)
    })
    init.push({ kind: 'atom', predicate: predicateNamed.get(atom.predicate)!, terms })
  }
  return init
}
