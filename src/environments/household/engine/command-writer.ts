import type { Facts } from '../../pddl/tables.js'
import type { GroundAction, TaskAction } from '../../pddl/task.js'
import { contextOf, derive } from './derive.js'
import type { ActionWording, Grammar, Item, Piece, Query } from './grammar.js'

/** Writes the command of a ground action. */
export type CommandWriter = (ground: GroundAction, facts: Facts) => string

/**
 * Makes a writer that remembers commands. A template that asks only for facts that no action changes gives one command
 * for one choice of the parameters that it speaks of; other templates are derived anew each time.
 */
export function commandWriter(grammar: Grammar, names: readonly string[]): CommandWriter {
  const { task } = grammar
  const changing = changingRelations(grammar)
  const known: (string | undefined)[] = []
  const memories = grammar.actions.map((wording) => {
    const reach = reachOf(grammar, wording.template, wording)
    return {
      lasting:
        !reach.relations.some((relation) => changing.has(relation)) &&
        task.objects.length ** reach.parameters.length <= Number.MAX_SAFE_INTEGER,
      speaksOf: reach.parameters,
      texts: new Map<number, string>(),
    }
  })
  return (ground, facts) => {
    const ready = known[ground.number]
    if (ready !== undefined) return ready
    const { number } = ground.action
    const write = (): string =>
      derive({ grammar, facts, names }, grammar.actions[number]!.template, contextOf(grammar, number, ground.arguments))
    const { lasting, speaksOf, texts } = memories[number]!
    if (!lasting) return write()
    let key = 0
    for (const parameter of speaksOf) key = key * task.objects.length + ground.arguments[parameter]!
    let text = texts.get(key)
    if (text === undefined) {
      text = write()
      texts.set(key, text)
    }
    known[ground.number] = text
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

/** The relations that a template can ask for, and the parameters on which what it says depends. */
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
  // Those that come up on the way are gone through too.
  for (const rule of rules) {
    for (const alternative of grammar.rules[rule] ?? []) {
      inQuery(alternative.condition)
      inPieces(alternative.pieces)
    }
  }
  const all = [...wording.parameters.keys()]
  // A placeholder that is not bound yet may take no object of any parameter, so the text depends on all of them.
  const open = [...placeholders].some(
    (placeholder) => !wording.parameters.some((parameter) => parameter.placeholder === placeholder),
  )
  const spoken = all.filter((index) => {
    const { placeholder, variable } = wording.parameters[index]!
    return variables.has(variable) || placeholders.has(placeholder)
  })
  return { relations, parameters: open ? all : spoken }
}

/**
 * Gives entities the names that people read. Of the ids of one class (what stands before the first `_bar_`, with
 * `basin` added to ids that contain it) the last by code point is number 1. Other ids keep their text, with a blank
 * behind it.
 * @param ids the ids of all entities that occur in a fact at the start, sorted by code point.
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
