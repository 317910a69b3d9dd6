import type { Expression, List, Source, Typed } from './expression.js'
import {
  fail,
  headOf,
  quote,
  readExpressions,
  readTypedList,
  readVariables,
  rootType,
  show,
  wordsFrom,
} from './expression.js'
import type { Effect, Formula, Scope } from './formula.js'
import { always, readEffects, readFormula, within } from './formula.js'

/** A PDDL domain, all names in lower case. */
export interface Domain {
  readonly name: string
  readonly source: Source
  readonly requirements: readonly string[]
  /** Each type with the types directly above it; `object` is above all. */
  readonly types: ReadonlyMap<string, readonly string[]>
  readonly constants: readonly Typed[]
  /** Each predicate with its arity. */
  readonly predicates: ReadonlyMap<string, number>
  readonly actions: readonly ActionSchema[]
  /** The names of objects that actions speak of, with where the text first does. */
  readonly mentions: ReadonlyMap<string, number>
}

/** An action's parameters, precondition and effects. */
export interface ActionSchema {
  readonly name: string
  readonly parameters: readonly Typed[]
  readonly precondition: Formula
  readonly effects: readonly Effect[]
}

const supported = new Set(
  `strips typing negative-preconditions disjunctive-preconditions equality existential-preconditions
  universal-preconditions quantified-preconditions conditional-effects adl action-costs`
    .split(/\s+/)
    .map((name) => `:${name}`),
)

/**
 * Reads a domain. `where` names the text in messages.
 * @throws ShaketableError `bad-input` naming line and column; a requirement that is not supported is refused by name.
 */
export function parseDomain(text: string, where: string): Domain {
  const source: Source = { text, where }
  const { name, sections } = readDefinition(source, 'domain')
  const requirements: string[] = []
  const types = new Map<string, readonly string[]>([[rootType, []]])
  const typesAt = new Map<string, number>()
  const constants: Typed[] = []
  const predicates = new Map<string, number>()
  const actions: List[] = []
  for (const section of sections) {
    switch (headOf(section)) {
      case ':requirements':
        requirements.push(...readRequirements(source, section))
        break
      case ':types':
        for (const type of readTypedList(source, section.items.slice(1), 'a type')) {
          if (type.name === rootType) continue
          types.set(type.name, [...(types.get(type.name) ?? []), ...type.types])
          typesAt.set(type.name, type.at)
        }
        break
      case ':constants':
        constants.push(...readTypedList(source, section.items.slice(1), 'a constant'))
        break
      case ':predicates':
        for (const item of section.items.slice(1)) readPredicate(source, item, predicates)
        break
      case ':functions':
        break
      case ':action':
        actions.push(section)
        break
      default:
        fail(source, section.at, `expected a section of a domain, got ${show(section)}, which is not supported.`)
    }
  }
  const circle = findCircle(types)
  if (circle !== undefined) {
    fail(
      source,
      typesAt.get(circle)!,
      `expected types without a circle, got ${quote(circle)} above itself. Remove one.`,
    )
  }
  for (const above of [...types.values()].flat()) if (!types.has(above)) types.set(above, [rootType])
  checkTypes(source, constants, types)
  const mentions = new Map<string, number>()
  const read = actions.map((section) =>
    readAction({ source, predicates, variables: new Set(), mentions }, section, types),
  )
  const names = new Set<string>()
  read.forEach((action, index) => {
    if (names.has(action.name)) {
      fail(source, actions[index]!.at, `expected each action once, got ${quote(action.name)} again. Rename one.`)
    }
    names.add(action.name)
  })
  return { name, source, requirements, types, constants, predicates, actions: read, mentions }
}

/** Reads `(define (domain name) …)` or `(define (problem name) …)`. */
export function readDefinition(source: Source, kind: 'domain' | 'problem'): { name: string; sections: List[] } {
  const expressions = readExpressions(source)
  const [definition] = expressions
  const title = definition?.kind === 'list' ? definition.items[1] : undefined
  if (definition?.kind !== 'list' || headOf(definition) !== 'define' || title?.kind !== 'list') {
    fail(source, definition?.at ?? 0, `expected (define (${kind} …) …), got ${show(definition)}.`)
  }
  const [, name] = wordsFrom(source, title, 0, 'a name')
  if (headOf(title) !== kind || name === undefined) {
    fail(source, title.at, `expected (${kind} name), got ${show(title)}. Give the ${kind} file here.`)
  }
  if (expressions[1] !== undefined) {
    fail(source, expressions[1].at, `expected nothing after the ${kind}, got ${show(expressions[1])}. Remove it.`)
  }
  const sections = definition.items.slice(2).map((section) => {
    if (section.kind === 'list') return section
    return fail(source, section.at, `expected a section in parentheses, got ${show(section)}.`)
  })
  return { name: name.text, sections }
}

/** The requirements of a section, all of them supported. */
export function readRequirements(source: Source, section: List): string[] {
  return wordsFrom(source, section, 1, 'a requirement').map((word) => {
    if (supported.has(word.text)) return word.text
    return fail(
      source,
      word.at,
      `expected a supported requirement, got ${quote(word.text)}. Supported: ${[...supported].join(' ')}.`,
    )
  })
}

/** Rejects an undeclared type. @throws ShaketableError `bad-input` naming line and column. */
export function checkTypes(source: Source, typed: readonly Typed[], types: ReadonlyMap<string, unknown>): void {
  for (const { name, types: used, at } of typed) {
    const unknown = used.find((type) => !types.has(type))
    if (unknown === undefined) continue
    fail(source, at, `expected a declared type for ${quote(name)}, got ${quote(unknown)}. Declare it in (:types …).`)
  }
}

function readPredicate(source: Source, item: Expression, predicates: Map<string, number>): void {
  const name = item.kind === 'list' ? headOf(item) : undefined
  if (item.kind === 'word' || name === undefined) {
    return fail(source, item.at, `expected a predicate such as (on ?a ?b), got ${show(item)}.`)
  }
  const arity = readVariables(source, item.items.slice(1)).length
  const known = predicates.get(name)
  if (known !== undefined && known !== arity) {
    fail(source, item.at, `expected one arity for ${quote(name)}, got ${known} and ${arity}. Remove one declaration.`)
  }
  predicates.set(name, arity)
}

function readAction(outer: Scope, section: List, types: ReadonlyMap<string, unknown>): ActionSchema {
  const { source } = outer
  const name = section.items[1]
  if (name?.kind !== 'word') fail(source, section.at, `expected the name of an action, got ${show(name)}.`)
  const fields = new Map<string, Expression>()
  for (let index = 2; index < section.items.length; index += 2) {
    const [key, value] = [section.items[index]!, section.items[index + 1]]
    if (key.kind !== 'word' || ![':parameters', ':precondition', ':effect'].includes(key.text) || value === undefined) {
      fail(source, key.at, `expected ':parameters', ':precondition' or ':effect' with a value, got ${show(key)}.`)
    }
    if (fields.has(key.text)) fail(source, key.at, `expected ${quote(key.text)} once, got it again. Remove one.`)
    fields.set(key.text, value)
  }
  const list = fields.get(':parameters')
  if (list?.kind === 'word') fail(source, list.at, `expected parameters in parentheses, got ${show(list)}.`)
  const parameters = readVariables(source, list?.items ?? [])
  checkTypes(source, parameters, types)
  const scope = within(outer, parameters)
  const precondition = fields.get(':precondition')
  const effect = fields.get(':effect')
  return {
    name: name.text,
    parameters,
    precondition: precondition === undefined ? always : readFormula(scope, precondition),
    effects: effect === undefined ? [] : readEffects(scope, effect),
  }
}

const known = new Map<string, Domain>()

/** Like {@link parseDomain}, with a cache: many games have the same domain text. */
export function parseDomainOnce(text: string, where: string): Domain {
  const kept = known.get(text)
  if (kept !== undefined) return kept
  const domain = parseDomain(text, where)
  if (known.size >= 32) known.clear()
  known.set(text, domain)
  return domain
}

/**
 * A type that is its own supertype, if there is one.
 * @param types each with its direct supertypes; a type that is not a key has none
 */
function findCircle(types: ReadonlyMap<string, readonly string[]>): string | undefined {
  const done = new Set<string>()
  for (const start of types.keys()) {
    if (done.has(start)) continue
    const path = new Set([start])
    const open: { readonly name: string; next: number }[] = [{ name: start, next: 0 }]
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const above = types.get(top.name)?.[top.next++]
      if (above === undefined) {
        done.add(top.name)
        path.delete(top.name)
        open.pop()
      } else if (path.has(above)) return above
      else if (!done.has(above)) {
        path.add(above)
        open.push({ name: above, next: 0 })
      }
    }
  }
  return undefined
}
