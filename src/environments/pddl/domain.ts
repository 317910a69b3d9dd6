import { keepRecent } from '../keep-recent.js'
import type { Expression, List, Source, Typed } from './expression.js'
import { fail, headOf, readExpressions, readTypedList, readVariables, rootType, show, wordsFrom } from './expression.js'
import { type Effect, type Formula, type Scope, always, readEffects, readFormula, within } from './formula.js'

/** A PDDL domain, all names in lower case. */
export interface Domain {
  readonly name: string
  readonly source: Source
  /** Each type with the types directly above it; `object` is above all. */
  readonly types: ReadonlyMap<string, readonly string[]>
  readonly constants: readonly Typed[]
  /** Each predicate with its arity. */
  readonly predicates: ReadonlyMap<string, number>
  readonly actions: readonly ActionSchema[]
}

/** An action's parameters, precondition and effects. */
export interface ActionSchema {
  readonly name: string
  readonly parameters: readonly Typed[]
  readonly precondition: Formula
  readonly effects: readonly Effect[]
}

/**
 * Reads a domain. `where` names the text in messages.
 * @throws ShaketableError `bad-input` naming line and column.
 */
export function parseDomain(text: string, where: string): Domain {
  const source: Source = { text, where }
  const { name, sections } = readDefinition(source, 'domain')
  const types = new Map<string, readonly string[]>([[rootType, []]])
  const constants: Typed[] = []
  const predicates = new Map<string, number>()
  const actions: List[] = []
  for (const section of sections) {
    switch (headOf(section)) {
      case ':types':
        for (const type of readTypedList(source, section.items.slice(1), 'a type')) {
          if (type.name === rootType) continue
          types.set(type.name, [...(types.get(type.name) ?? []), ...type.types])
        }
        break
      case ':constants':
        constants.push(...readTypedList(source, section.items.slice(1), 'a constant'))
        break
      case ':predicates':
        for (const item of section.items.slice(1)) readPredicate(source, item, predicates)
        break
      case ':requirements':
      case ':functions':
        break
      case ':action':
        actions.push(section)
        break
      default:
        fail(source, section.at, `expected a section of a domain, got ${show(section)}, which is not supported.`)
    }
  }
  const read = actions.map((section) => readAction({ source, predicates, variables: new Set() }, section))
  return { name, source, types, constants, predicates, actions: read }
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

function readPredicate(source: Source, item: Expression, predicates: Map<string, number>): void {
  const name = item.kind === 'list' ? headOf(item) : undefined
  if (item.kind === 'word' || name === undefined) {
    return fail(source, item.at, `expected a predicate such as (on ?a ?b), got ${show(item)}.`)
  }
  predicates.set(name, readVariables(source, item.items.slice(1)).length)
}

function readAction(outer: Scope, section: List): ActionSchema {
  const { source } = outer
  const name = section.items[1]
  if (name?.kind !== 'word') fail(source, section.at, `expected the name of an action, got ${show(name)}.`)
  const fields = new Map<string, Expression>()
  for (let index = 2; index < section.items.length; index += 2) {
    const [key, value] = [section.items[index]!, section.items[index + 1]]
    if (key.kind !== 'word' || ![':parameters', ':precondition', ':effect'].includes(key.text) || value === undefined) {
      fail(source, key.at, `expected ':parameters', ':precondition' or ':effect' with a value, got ${show(key)}.`)
    }
    fields.set(key.text, value)
  }
  const list = fields.get(':parameters')
  if (list?.kind === 'word') fail(source, list.at, `expected parameters in parentheses, got ${show(list)}.`)
  const parameters = readVariables(source, list?.items ?? [])
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

const keepDomain = keepRecent<Domain>(32)

/** Like {@link parseDomain}, with a cache: many games have the same domain text. */
export function parseDomainOnce(text: string, where: string): Domain {
  return keepDomain(text, () => parseDomain(text, where))
}
