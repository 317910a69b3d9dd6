import type { Task } from '../../pddl/task.js'
import { ShaketableError } from '../../../core/errors.js'
import type { GrammarDocument } from './grammar-document.js'
import type { Each, Field, Placeholder, QueryAtom, Symbol, WordExpression } from './symbols.js'
import { parseQuery, parseSymbols } from './symbols.js'
import { quote } from '../../pddl/expression.js'

/** A grammar compiled for a task: names are numbers, and every reachable symbol exists. */
export interface Grammar {
  readonly task: Task
  /** The numbers of placeholders and of variable names. */
  readonly placeholders: number
  readonly variables: number
  /** The alternatives of a symbol. */
  readonly rules: readonly (readonly Rule[])[]
  readonly intro: readonly Piece[]
  readonly actions: readonly ActionWording[]
  /** For each predicate the relation of its denied atoms, see textChanges(). */
  readonly denied: readonly number[]
  readonly listWords: ListWords
}

/** The symbols for lists in words; -1 for one that the grammar lacks. */
interface ListWords {
  readonly empty: number
  readonly separator: number
  readonly last: number
}

/** The wording of one action of the task. */
export interface ActionWording {
  /** The placeholder and the variable of each parameter. */
  readonly parameters: readonly { readonly placeholder: number; readonly variable: number }[]
  readonly template: readonly Piece[]
  readonly feedback: readonly Piece[]
}

/** One alternative of a symbol. */
export interface Rule {
  readonly condition: Query | undefined
  readonly pieces: readonly Piece[]
}

/** A part of a text to derive. */
export type Piece =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'reference'; readonly rule: number }
  | { readonly kind: 'each'; readonly item: Item; readonly query: Query | undefined; readonly list: boolean }

/** The part that is repeated for each solution of a query. */
export type Item = Words | { readonly kind: 'reference'; readonly rule: number }

/** An expression whose variables are numbers. */
export type Words =
  | { readonly kind: 'word'; readonly variable: number; readonly name: string; readonly field: Field }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'join' | 'first'; readonly parts: readonly Words[] }

/** Predicates to match in order. A predicate of -1 never matches. */
export type Query = readonly {
  readonly predicate: number
  readonly placeholders: readonly number[]
  /** The variable name of each placeholder. */
  readonly variables: readonly number[]
  /** Which objects are of each placeholder's type. */
  readonly fits: readonly Uint8Array[]
}[]

/** Compiles a grammar for a task. @throws ShaketableError `bad-input` if it is invalid or lacks a needed symbol */
export function compileGrammar(document: GrammarDocument, task: Task, where: string): Grammar {
  return new GrammarCompiler(document, task, where).compile()
}

class GrammarCompiler {
  readonly #document: GrammarDocument
  readonly #task: Task
  readonly #where: string
  readonly #placeholders = new Map<string, number>()
  readonly #variables = new Map<string, number>()
  readonly #ruleNumbers = new Map<string, number>()
  readonly #rules: (readonly Rule[])[] = []
  /** Referenced rules that are not compiled yet; a list, so that a long chain needs no deep recursion. */
  readonly #pending: (() => void)[] = []
  readonly #denied: number[]
  readonly #types: ReadonlySet<string>

  constructor(document: GrammarDocument, task: Task, where: string) {
    this.#document = document
    this.#task = task
    this.#where = where
    this.#types = new Set(task.problem.domain.types.keys())
    this.#denied = [...task.problem.domain.predicates.values()].map((arity) => task.table.addPredicate(arity))
  }

  compile(): Grammar {
    const intro = this.#pieces('#intro#', 'the opening')
    const actions = this.#task.actions.map(({ name, normal }): ActionWording => {
      const wording = this.#document.actions.get(name)
      if (wording === undefined) {
        return this.#fail(`expected a template and a feedback for action ${quote(name)} of the domain, got none`)
      }
      return {
        parameters: normal.schema.parameters.map((parameter) => {
          const placeholder = { name: parameter.name.slice(1), type: parameter.types[0]! }
          return { placeholder: this.#placeholder(placeholder), variable: this.#variable(placeholder.name) }
        }),
        template: this.#pieces(wording.template, `the template of action ${quote(name)}`),
        feedback: this.#pieces(wording.feedback, `the feedback of action ${quote(name)}`),
      }
    })
    const listWord = (name: string): number => (this.#document.rules.has(name) ? this.#rule(name, 'lists') : -1)
    const listWords = {
      empty: listWord('list_empty'),
      separator: listWord('list_separator'),
      last: listWord('list_last_separator'),
    }
    for (let read = this.#pending.pop(); read !== undefined; read = this.#pending.pop()) read()
    return {
      task: this.#task,
      placeholders: this.#placeholders.size,
      variables: this.#variables.size,
      rules: this.#rules,
      intro,
      actions,
      denied: this.#denied,
      listWords,
    }
  }

  #rule(name: string, user: string): number {
    const known = this.#ruleNumbers.get(name)
    if (known !== undefined) return known
    const sources = this.#document.rules.get(name)
    if (sources === undefined || sources.length === 0) {
      return this.#fail(`expected a rule for symbol ${quote(`#${name}#`)}, which ${user} needs, got none`)
    }
    const number = this.#ruleNumbers.size
    this.#ruleNumbers.set(name, number)
    this.#pending.push(() => {
      this.#rules[number] = sources.map((source) => ({
        condition: source.condition === '' ? undefined : this.#query(parseQuery(source.condition, this.#where)),
        pieces: this.#pieces(source.text, `symbol ${quote(`#${name}#`)}`),
      }))
    })
    return number
  }

  #pieces(text: string, user: string): Piece[] {
    return parseSymbols(text, `${this.#where}, ${user}`).map((symbol) => this.#piece(symbol, user))
  }

  #piece(symbol: Symbol, user: string): Piece {
    switch (symbol.kind) {
      case 'literal':
        return symbol
      case 'reference':
        return { kind: 'reference', rule: this.#rule(symbol.name, user) }
      case 'each':
        return { ...symbol, item: this.#item(symbol.item, user), query: symbol.query && this.#query(symbol.query) }
    }
  }

  #item(item: Each['item'], user: string): Item {
    return item.kind === 'reference' ? { kind: 'reference', rule: this.#rule(item.name, user) } : this.#words(item)
  }

  #words(expression: WordExpression): Words {
    switch (expression.kind) {
      case 'text':
        return expression
      case 'word': {
        const { variable, field } = expression
        return { kind: 'word', variable: this.#variable(variable), name: variable, field }
      }
      default:
        return { kind: expression.kind, parts: expression.parts.map((part) => this.#words(part)) }
    }
  }

  #query(atoms: readonly QueryAtom[]): Query {
    return atoms.map(({ predicate, placeholders }) => ({
      predicate: this.#relation(predicate, placeholders.length),
      placeholders: placeholders.map((placeholder) => this.#placeholder(placeholder)),
      variables: placeholders.map(({ name }) => this.#variable(name)),
      fits: placeholders.map(({ type }) => {
        if (!this.#types.has(type)) this.#fail(`expected a type of the domain, got ${quote(type)}`)
        return this.#task.types.flags([type])
      }),
    }))
  }

  #relation(name: string, arity: number): number {
    const positive = this.#task.predicate(name)
    const relation = positive ?? (name.startsWith('not_') ? this.#deniedRelation(name.slice('not_'.length)) : undefined)
    return relation !== undefined && this.#task.table.arity(relation) === arity ? relation : -1
  }

  #deniedRelation(name: string): number | undefined {
    const predicate = this.#task.predicate(name)
    return predicate === undefined ? undefined : this.#denied[predicate]
  }

  #placeholder({ name, type }: Placeholder): number {
    return numberOf(this.#placeholders, `${name}:${type}`)
  }

  #variable(name: string): number {
    return numberOf(this.#variables, name)
  }

  #fail(message: string): never {
    throw new ShaketableError('bad-input', `${this.#where}: ${message}. Use the grammar that came with the game.`)
  }
}

function numberOf(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key)
  if (known !== undefined) return known
  numbers.set(key, numbers.size)
  return numbers.size - 1
}
