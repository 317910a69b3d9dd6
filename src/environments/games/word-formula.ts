import type { Formula } from '../pddl/formula.js'
import type { Typed } from '../pddl/expression.js'
import type { Sayings } from './say.js'

/** A condition in words: `not: b1 is on b2.`, `for some block x: x is clear.` */
export function wordFormula(formula: Formula, sayings: Sayings): string {
  const inner = (part: Formula): string => wordFormula(part, sayings)
  const joined = (parts: readonly Formula[], word: string): string =>
    parts.map((part) => inner(part).replace(/[\s.]+$/, '')).join(` ${word} `)
  switch (formula.kind) {
    case 'atom':
      return sayings.predicate(formula.predicate, formula.terms.map(withoutMark))
    case 'equal':
      return `${withoutMark(formula.left)} is the same as ${withoutMark(formula.right)}`
    case 'not':
      return `not: ${inner(formula.part)}`
    case 'and':
    case 'or':
      return joined(formula.parts, formula.kind)
    case 'exists':
      return `for some ${wordVariables(formula.variables)}: ${inner(formula.part)}`
    case 'forall':
      return `for every ${wordVariables(formula.variables)}: ${inner(formula.part)}`
  }
}

function wordVariables(variables: readonly Typed[]): string {
  return variables.map(({ name, types }) => `${types.join(' or ')} ${withoutMark(name)}`).join(', ')
}

function withoutMark(term: string): string {
  return term.startsWith('?') ? term.slice(1) : term
}
