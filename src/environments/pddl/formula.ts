import type { Expression, List, Source, Typed } from './expression.js'
import { count, fail, headOf, quote, readVariables, show, wordsFrom } from './expression.js'

/** A condition. Terms are variables (`?x`) or names. */
export type Formula =
  | Atom
  | { readonly kind: 'equal'; readonly left: string; readonly right: string }
  | { readonly kind: 'not'; readonly part: Formula }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Formula[] }
  | { readonly kind: 'exists' | 'forall'; readonly variables: readonly Typed[]; readonly part: Formula }

/** A predicate and its terms. */
export interface Atom {
  readonly kind: 'atom'
  readonly predicate: string
  readonly terms: readonly string[]
}

/** The context of reading a formula. */
export interface Scope {
  readonly source: Source
  /** Arity of each declared predicate. */
  readonly predicates: ReadonlyMap<string, number>
  readonly variables: ReadonlySet<string>
}

/** The condition that always holds. */
export const always: Formula = { kind: 'and', parts: [] }

/** Reads a condition; `()` always holds. @throws ShaketableError `bad-input` naming line and column. */
export function readFormula(scope: Scope, expression: Expression): Formula {
  const { source } = scope
  if (expression.kind === 'word') {
    fail(source, expression.at, `expected a condition in parentheses, got ${show(expression)}.`)
  }
  if (expression.items.length === 0) return always
  const head = headOf(expression)
  switch (head) {
    case 'and':
    case 'or':
      return { kind: head, parts: expression.items.slice(1).map((item) => readFormula(scope, item)) }
    case 'not': {
      const [part] = parts(source, expression, 1)
      return { kind: 'not', part: readFormula(scope, part!) }
    }
    case 'imply': {
      const [premise, conclusion] = parts(source, expression, 2)
      return {
        kind: 'or',
        parts: [{ kind: 'not', part: readFormula(scope, premise!) }, readFormula(scope, conclusion!)],
      }
    }
    case 'exists':
    case 'forall': {
      const [list, part] = parts(source, expression, 2)
      const variables = readQuantified(source, list!)
      return { kind: head, variables, part: readFormula(within(scope, variables), part!) }
    }
    case '=': {
      const [left, right] = readTerms(scope, expression, 2)
      return { kind: 'equal', left: left!, right: right! }
    }
    default:
      return readAtom(scope, expression)
  }
}

/** Reads a predicate with its terms. */
export function readAtom(scope: Scope, expression: Expression): Atom {
  const { source } = scope
  const predicate = expression.kind === 'list' ? headOf(expression) : undefined
  if (expression.kind === 'word' || predicate === undefined) {
    fail(source, expression.at, `expected a predicate with its terms, got ${show(expression)}.`)
  }
  const arity = scope.predicates.get(predicate)
  if (arity === undefined) {
    fail(source, expression.at, `expected a declared predicate, got ${show(expression)}.`)
  }
  return { kind: 'atom', predicate, terms: readTerms(scope, expression, arity) }
}

/** The scope inside a quantifier. */
export function within(scope: Scope, variables: readonly Typed[]): Scope {
  return { ...scope, variables: new Set([...scope.variables, ...variables.map((variable) => variable.name)]) }
}

/** Reads the variables of `exists` and `forall`. */
function readQuantified(source: Source, list: Expression): Typed[] {
  if (list.kind === 'word') fail(source, list.at, `expected variables in parentheses, got ${show(list)}.`)
  return readVariables(source, list.items)
}

/** The parts of an expression after its first word. @throws ShaketableError `bad-input` for another number of them */
export function parts(source: Source, list: List, number: number): readonly Expression[] {
  if (list.items.length !== number + 1) {
    fail(source, list.at, `expected ${count(number, 'part')} in ${show(list)}, got ${list.items.length - 1}.`)
  }
  return list.items.slice(1)
}

function readTerms(scope: Scope, list: List, arity: number): string[] {
  const words = wordsFrom(scope.source, list, 1, 'a variable or a name')
  if (words.length !== arity) {
    fail(scope.source, list.at, `expected ${count(arity, 'term')} in ${show(list)}, got ${words.length}.`)
  }
  return words.map((word) => {
    if (word.text.startsWith('?') && !scope.variables.has(word.text)) {
      fail(
        scope.source,
        word.at,
        `expected a variable of this place, got ${quote(word.text)}. Declare it as a parameter.`,
      )
    }
    return word.text
  })
}

/** One literal that an action adds or deletes, for all values of `variables` for which `condition` held before. */
export interface Effect {
  readonly adds: boolean
  readonly atom: Atom
  readonly condition: Formula | undefined
  readonly variables: readonly Typed[]
}

/** Reads the literals of an effect, in the order of the text. Costs are ignored. */
export function readEffects(scope: Scope, expression: Expression): Effect[] {
  const effects: Effect[] = []
  collect(scope, expression, undefined, [], effects)
  return effects
}

function collect(
  scope: Scope,
  expression: Expression,
  condition: Formula | undefined,
  variables: readonly Typed[],
  into: Effect[],
): void {
  const { source } = scope
  if (expression.kind === 'word') {
    fail(source, expression.at, `expected an effect in parentheses, got ${show(expression)}.`)
  }
  if (expression.items.length === 0) return
  switch (headOf(expression)) {
    case 'and':
      for (const item of expression.items.slice(1)) collect(scope, item, condition, variables, into)
      return
    case 'forall': {
      const [list, body] = parts(source, expression, 2)
      const inner = readQuantified(source, list!)
      collect(within(scope, inner), body!, condition, [...variables, ...inner], into)
      return
    }
    case 'when': {
      const [premise, body] = parts(source, expression, 2)
      const added = readFormula(scope, premise!)
      const both: Formula = condition === undefined ? added : { kind: 'and', parts: [condition, added] }
      collect(scope, body!, both, variables, into)
      return
    }
    case 'not': {
      const [body] = parts(source, expression, 1)
      into.push({ adds: false, atom: readAtom(scope, body!), condition, variables })
      return
    }
    case 'increase':
      return
    default:
      into.push({ adds: true, atom: readAtom(scope, expression), condition, variables })
  }
}
