import type { Domain } from './domain.js'
import { checkTypes, readDefinition, readRequirements } from './domain.js'
import type { Expression, List, Source, Typed } from './expression.js'
import { fail, headOf, quote, readTypedList, show } from './expression.js'
import type { Atom, Formula, Scope } from './formula.js'
import { parts, readAtom, readFormula } from './formula.js'
import { nearMiss } from '../../core/errors.js'

/** A PDDL problem of a domain, all names in lower case. */
export interface Problem {
  readonly name: string
  readonly source: Source
  readonly domain: Domain
  /** The problem's objects and the domain's constants, each once. */
  readonly objects: readonly Typed[]
  /** The facts at the start, in the order of the text; a fact can occur several times. */
  readonly init: readonly Atom[]
  readonly goal: Formula
  /** The names of objects in the goal, with the offset of their first mention. */
  readonly mentions: ReadonlyMap<string, number>
}

/**
 * Reads a problem of a domain. `where` names the text in messages.
 * @throws ShaketableError `bad-input` naming line and column.
 */
export function parseProblem(text: string, domain: Domain, where: string): Problem {
  const source: Source = { text, where }
  const { name, sections } = readDefinition(source, 'problem')
  const objects = new Map<string, Typed>()
  for (const constant of domain.constants) addObject(source, objects, constant)
  let init: List | undefined
  let goal: Expression | undefined
  for (const section of sections) {
    switch (headOf(section)) {
      case ':domain':
        checkDomainName(source, section, domain)
        break
      case ':requirements':
        readRequirements(source, section)
        break
      case ':objects': {
        const declared = readTypedList(source, section.items.slice(1), 'an object')
        checkTypes(source, declared, domain.types)
        for (const object of declared) addObject(source, objects, object)
        break
      }
      case ':init':
        if (init !== undefined) fail(source, section.at, 'expected one (:init …), got another. Join them.')
        init = section
        break
      case ':goal':
        if (goal !== undefined) fail(source, section.at, "expected one (:goal …), got another. Join them with 'and'.")
        goal = parts(source, section, 1)[0]
        break
      case ':metric':
        break
      default:
        fail(source, section.at, `expected a section of a problem, got ${show(section)}, which is not supported.`)
    }
  }
  if (goal === undefined) fail(source, 0, 'expected a (:goal …), got none. Add one.')
  const mentions = new Map<string, number>()
  const scope: Scope = { source, predicates: domain.predicates, variables: new Set(), mentions }
  return {
    name,
    source,
    domain,
    objects: [...objects.values()],
    init: init === undefined ? [] : readInit({ ...scope, mentions: new Map() }, init, objects),
    goal: readFormula(scope, goal),
    mentions,
  }
}

/**
 * Rejects undeclared objects in the goal or an action. ALFWorld's games do not use this check: there such a name
 * matches nothing.
 * @throws ShaketableError `bad-input` naming line and column.
 */
export function checkMentions({ source, domain, objects, mentions }: Problem): void {
  const declared = new Set(objects.map(({ name }) => name))
  const check = (where: Source, names: ReadonlyMap<string, number>, section: string): void => {
    for (const [name, at] of names) {
      if (declared.has(name)) continue
      const near = nearMiss(name, [...declared])
      const hint = near === undefined ? '' : ` Did you mean ${quote(near)}?`
      fail(where, at, `expected a declared object, got ${quote(name)}.${hint} Declare it in (${section} …).`)
    }
  }
  check(domain.source, domain.mentions, ':constants')
  check(source, mentions, ':objects')
}

function checkDomainName(source: Source, section: List, domain: Domain): void {
  const named = section.items[1]
  if (named?.kind === 'word' && named.text === domain.name) return
  fail(
    source,
    section.at,
    `expected a problem of domain ${quote(domain.name)}, got ${show(named)}. Give the matching domain.`,
  )
}

function addObject(source: Source, objects: Map<string, Typed>, object: Typed): void {
  const known = objects.get(object.name)
  if (known !== undefined && known.types.join() !== object.types.join()) {
    fail(
      source,
      object.at,
      `expected one type for ${quote(object.name)}, got ${quote(known.types.join(' '))} and ${quote(object.types.join(' '))}. Remove one.`,
    )
  }
  objects.set(object.name, object)
}

function readInit(scope: Scope, section: List, objects: ReadonlyMap<string, Typed>): Atom[] {
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
