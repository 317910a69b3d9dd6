import type { Facts } from '../../pddl/tables.js'
import type { GroundAction, TaskAction } from '../../pddl/task.js'
import { contextOf, derive } from './derive.js'
import type { ActionWording, Grammar, Item, Piece, Query } from './grammar.js'

/** Writes the command of a ground action. */
export type CommandWriter = (ground: GroundAction, facts: Facts) => string

/**
 * Makes a writer that caches commands: without the cache steps take two to three times as long. A template that depends
 * only on facts that no action changes has one command for each choice of the parameters that it mentions; other
 * templates are derived each time.
 */
export function commandWriter(grammar: Grammar, names: readonly string[]): CommandWriter {
  const { task } = grammar
  const changing = changingRelations(grammar)
  const written: (string | undefined)[] = []
  const caches = grammar.actions.map((wording) => {
    const reach = reachOf(grammar, wording.template, wording)
    return {
      lasting:
        !reach.relations.some((relation) => changing.has(relation)) &&
        task.objects.length ** reach.parameters.length <= Number.MAX_SAFE_INTEGER,
      mentioned: reach.parameters,
      texts: new Map<number, string>(),
    }
  })
  return (ground, facts) => {
    const ready = written[ground.number]
    if (ready !== undefined) return ready
    const { number } = ground.action
    const write = (): string =>
      derive({ grammar, facts, names }, grammar.actions[number]!.template, contextOf(grammar, number, ground.arguments))
    const { lasting, mentioned, texts } = caches[number]!
    if (!lasting) return write()
    let key = 0
    for (const parameter of mentioned) key = key * task.objects.length + ground.arguments[parameter]!
    let text = texts.get(key)
    if (text === undefined) {
      text = write()
      texts.set(key, text)
    }
    written[ground.number] = text
    return text
  }
}

/** The relations whose facts can change during play. */
function changingRelations(grammar: Grammar): Set<number> {
  const changing = new Set<number>()
  const effects = grammar.task.actions.flatMap((action: TaskAction) => action.effects)
  for (const { predicate } of effects) changing.add(predicate).add(grammar.denied[predicate]!)
  return changing
}

/** The relations that a template can query, and the parameters on which its text depends. */
function reachOf(
  grammar: Grammar,
  template: readonly Piece[],
  wording: ActionWording,
): { readonly relations: readonly number[]; readonly parameters: readonly number[] } {
  const relations: number[] = []
  const variables = new Set<number>()
  const placeholders = new Set<number>()
  const inQuery = (query: Query | undefined): void => {
    for (const atom of query ?? []) {
      relations.push(atom.predicate)
      for (const placeholder of atom.placeholders) placeholders.add(placeholder)
    }
  }
  const rules = new Set(Object.values(grammar.listWords))
  const inItem = (item: Item): void => {
    if (item.kind === 'word') variables.add(item.variable)
    else if (item.kind === 'join' || item.kind === 'first') item.parts.forEach(inItem)
    else if (item.kind === 'reference') rules.add(item.rule)
  }
  const inPieces = (pieces: readonly Piece[]): void => {
    for (const piece of pieces) {
      if (piece.kind === 'reference') rules.add(piece.rule)
      else if (piece.kind === 'each') {
        inItem(piece.item)
        inQuery(piece.query)
      }
    }
  }
  inPieces(template)
  // The set grows during the loop, which visits added rules too.
  for (const rule of rules) {
    for (const alternative of grammar.rules[rule] ?? []) {
      inQuery(alternative.condition)
      inPieces(alternative.pieces)
    }
  }
  const all = [...wording.parameters.keys()]
  // An unbound placeholder never takes the object of a parameter, so the text depends on all parameters.
  const open = [...placeholders].some(
    (placeholder) => !wording.parameters.some((parameter) => parameter.placeholder === placeholder),
  )
  const mentioned = all.filter((index) => {
    const { placeholder, variable } = wording.parameters[index]!
    return variables.has(variable) || placeholders.has(placeholder)
  })
  return { relations, parameters: open ? all : mentioned }
}

/**
 * The display names of entities. Among the ids of one class (the part before the first `_bar_`, plus `basin` for ids
 * that contain it) the last by code point has number 1. Other ids are followed by a blank.
 * @param ids of all entities that occur in a fact at the start, sorted by code point
 */
export function displayNames(ids: readonly string[]): string[] {
  const left = new Map<string, number>()
  const classes = ids.map((id) => {
    const end = id.indexOf('_bar_')
    if (end === -1) return undefined
    const name = id.slice(0, end) + (id.includes('basin') ? 'basin' : '')
    left.set(name, (left.get(name) ?? 0) + 1)
    return name
  })
  return ids.map((id, index) => {
    const name = classes[index]
    if (name === undefined) return `${id} `
    const number = left.get(name)!
    left.set(name, number - 1)
    return `${name} ${number}`
  })
}
