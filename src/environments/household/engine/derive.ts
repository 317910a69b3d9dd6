import { ShaketableError } from '../../../core/errors.js'
import { quote } from '../../pddl/expression.js'
import { effectsRegardless } from '../../pddl/play.js'
import type { Facts } from '../../pddl/tables.js'
import type { GroundAction, Task } from '../../pddl/task.js'
import type { Grammar, Item, Piece, Query, Words } from './grammar.js'

/** Inputs from which a text is derived. */
interface TextSource {
  readonly grammar: Grammar
  /** The facts of texts, which differ from those of the state: see {@link textChanges}. */
  readonly facts: Facts
  /** The display name of each object. */
  readonly names: readonly string[]
}

/** The objects of placeholders and variables. */
export interface Context {
  /** By placeholder; -1 for none. */
  readonly mapping: readonly number[]
  /** The bound placeholders in the order of their binding, each with its variable. */
  readonly order: readonly { readonly placeholder: number; readonly variable: number }[]
  /** By variable; -1 for none. */
  readonly variables: readonly number[]
}

/** The context in which the parameters of an action are these objects; without an action the empty context. */
export function contextOf(grammar: Grammar, action?: number, objects: readonly number[] = []): Context {
  const mapping = new Array<number>(grammar.placeholders).fill(-1)
  const variables = new Array<number>(grammar.variables).fill(-1)
  const parameters = action === undefined ? [] : grammar.actions[action]!.parameters
  parameters.forEach(({ placeholder, variable }, index) => {
    mapping[placeholder] = objects[index]!
    variables[variable] = objects[index]!
  })
  return { mapping, order: parameters, variables }
}

const maxPieces = 100_000
const maxDepth = 200
const maxCandidates = 2_000_000

/** Derives a text. @throws ShaketableError `environment` if the grammar is circular or no rule applies */
export function derive(source: TextSource, pieces: readonly Piece[], context: Context): string {
  return new Derivation(source).pieces(pieces, context, 0)
}

class Derivation {
  readonly #source: TextSource
  #spent = 0

  constructor(source: TextSource) {
    this.#source = source
  }

  pieces(pieces: readonly Piece[], context: Context, depth: number): string {
    if (depth > maxDepth || (this.#spent += pieces.length) > maxPieces) {
      fail('expected rules that come to an end, got a text that grows without one')
    }
    let text = ''
    for (const piece of pieces) {
      if (piece.kind === 'literal') text += piece.text
      else if (piece.kind === 'reference') text += this.#rule(piece.rule, context, depth)
      else text += this.#each(piece, context, depth)
    }
    return text
  }

  #rule(number: number, context: Context, depth: number): string {
    const { facts, grammar } = this.#source
    for (const rule of grammar.rules[number]!) {
      if (rule.condition !== undefined && !solveQuery(grammar, facts, rule.condition, context, 'first').length) continue
      return this.pieces(rule.pieces, context, depth + 1)
    }
    return fail('expected a rule whose condition holds, got none')
  }

  #each(piece: Piece & { readonly kind: 'each' }, context: Context, depth: number): string {
    const { facts, grammar } = this.#source
    const contexts = piece.query === undefined ? [context] : solveQuery(grammar, facts, piece.query, context, 'all')
    const items = contexts.map((inner) => this.#item(piece.item, inner, depth))
    if (!piece.list) return items.join('')
    const { empty, separator, last } = grammar.listWords
    if (items.length === 0) return this.#listWord(empty, context, depth)
    if (items.length === 1) return items[0]!
    const head = items.slice(0, -1).join(items.length > 2 ? this.#listWord(separator, context, depth) : '')
    return head + this.#listWord(last, context, depth) + items.at(-1)!
  }

  #listWord(rule: number, context: Context, depth: number): string {
    if (rule === -1) fail('expected rules for list_empty, list_separator and list_last_separator, got not all of them')
    return this.#rule(rule, context, depth)
  }

  #item(item: Item, context: Context, depth: number): string {
    if (++this.#spent > maxPieces) fail('expected rules that come to an end, got a text that grows without one')
    return item.kind === 'reference' ? this.#rule(item.rule, context, depth) : this.#words(item, context)
  }

  #words(words: Words, context: Context): string {
    switch (words.kind) {
      case 'text':
        return words.text
      case 'join':
        return words.parts.map((part) => this.#words(part, context)).join('')
      case 'first':
        return words.parts.map((part) => this.#words(part, context)).find((text) => text !== '') ?? ''
      case 'word':
        return this.#word(words, context)
    }
  }

  #word(word: Words & { readonly kind: 'word' }, context: Context): string {
    const { grammar, names } = this.#source
    const object = context.variables[word.variable]!
    if (object === -1) fail(`expected ${quote(word.name)} to stand for something, got nothing`)
    switch (word.field) {
      case 'name':
        return names[object]!
      case 'id':
        return grammar.task.objects[object]!
      case 'type':
        return grammar.task.problem.objects.find(({ name }) => name === grammar.task.objects[object])?.types[0] ?? ''
      case 'indefinite':
        return 'a'
      case 'definite':
        return 'the'
    }
  }
}

function fail(message: string): never {
  const sentence = `The grammar of the game: ${message}. Use the grammar that came with the game.`
  throw new ShaketableError('environment', sentence)
}

/**
 * The contexts in which a query holds, in the order of the facts. Bound placeholders must match. Unbound ones are
 * bound, but never to an object that another placeholder already has.
 */
function solveQuery(
  grammar: Grammar,
  facts: Facts,
  query: Query,
  context: Context,
  amount: 'first' | 'all',
): Context[] {
  const { table } = grammar.task
  const found: Context[] = []
  const mapping = [...context.mapping]
  const order = [...context.order]
  let visited = 0
  const walk = (at: number): boolean => {
    const atom = query[at]
    if (atom === undefined) {
      const variables = [...context.variables]
      for (const { placeholder, variable } of order) variables[variable] = mapping[placeholder]!
      found.push({ mapping: [...mapping], order: [...order], variables })
      return amount === 'first'
    }
    if (atom.predicate === -1) return false
    const known = atom.placeholders.findIndex((placeholder) => mapping[placeholder] !== -1)
    const candidates =
      known === -1
        ? table.ofPredicate(atom.predicate)
        : table.ofArgument(atom.predicate, known, mapping[atom.placeholders[known]!]!)
    const before = order.length
    if ((visited += candidates.length) > maxCandidates)
      fail('expected queries over few facts, got one that finds no end')
    for (const candidate of candidates) {
      if (!facts.has(candidate)) continue
      if (fit(atom, table.argumentsOf[candidate]!, mapping, order) && walk(at + 1)) return true
      while (order.length > before) mapping[order.pop()!.placeholder] = -1
    }
    return false
  }
  walk(0)
  return found
}

function fit(
  atom: Query[number],
  objects: readonly number[],
  mapping: number[],
  order: { readonly placeholder: number; readonly variable: number }[],
): boolean {
  for (let position = 0; position < objects.length; position++) {
    const object = objects[position]!
    const placeholder = atom.placeholders[position]!
    if (atom.fits[position]![object] !== 1) return false
    const bound = mapping[placeholder]!
    if (bound === object) continue
    if (bound !== -1 || order.some((other) => mapping[other.placeholder] === object)) return false
    mapping[placeholder] = object
    order.push({ placeholder, variable: atom.variables[position]! })
  }
  return true
}

/** The changes of a ground action to the facts of texts. */
export interface TextChanges {
  readonly set: readonly number[]
  readonly cleared: readonly number[]
}

/**
 * Texts are derived not from the state but from facts of their own: every literal of an effect counts as if its
 * condition held, and a deleted atom becomes denied (`not_p`). No atom is denied at the start. A literal both added and
 * deleted counts as deleted, unless both have the same condition.
 * @param denied for each predicate, the relation of its denied atoms
 */
export function textChanges(task: Task, ground: GroundAction, denied: readonly number[]): TextChanges {
  const effects = effectsRegardless(task, ground)
  const adds = effects.filter(({ effect }) => effect.adds)
  const deletes = effects.filter(
    ({ effect, atom }) =>
      !effect.adds &&
      !adds.some((other) => other.atom === atom && sameCondition(other.effect.condition, effect.condition)),
  )
  const deleted = deletes.map(({ atom }) => atom)
  const added = adds.map(({ atom }) => atom).filter((atom) => !deleted.includes(atom))
  const denial = (atom: number): number =>
    task.table.number(denied[task.table.predicateOf[atom]!]!, task.table.argumentsOf[atom]!)
  return {
    set: [...added, ...deleted.map(denial)],
    cleared: [...deleted, ...added.map(denial)],
  }
}

const sameCondition = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)
