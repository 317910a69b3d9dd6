import type { ActionSchema } from '../../../src/environments/pddl/domain.js'
import type { Atom, Formula } from '../../../src/environments/pddl/formula.js'
import type { Problem } from '../../../src/environments/pddl/problem.js'
import { above } from '../../../src/environments/pddl/tables.js'
import type { Typed } from '../../../src/environments/pddl/expression.js'

/** The semantics of PDDL in its plainest form, for comparison: a state is a set of atoms written as text. */
export type State = ReadonlySet<string>

type Values = ReadonlyMap<string, string>

export const written = (atom: Atom, values: Values = new Map()): string =>
  [atom.predicate, ...atom.terms.map((term) => values.get(term) ?? term)].join(' ')

/** Every assignment of objects of their types to the variables. */
export function assignments(problem: Problem, variables: readonly Typed[], values: Values = new Map()): Values[] {
  let all: Values[] = [values]
  for (const variable of variables) {
    const fitting = problem.objects.filter(({ types }) => {
      const known = above(problem.domain, types)
      return variable.types.some((type) => known.has(type))
    })
    all = all.flatMap((before) => fitting.map(({ name }) => new Map([...before, [variable.name, name]])))
  }
  return all
}

/** Whether a formula holds. */
export function holds(problem: Problem, formula: Formula, state: State, values: Values = new Map()): boolean {
  const value = (term: string): string => values.get(term) ?? term
  switch (formula.kind) {
    case 'atom':
      return state.has(written(formula, values))
    case 'equal':
      return value(formula.left) === value(formula.right)
    case 'not':
      return !holds(problem, formula.part, state, values)
    case 'and':
      return formula.parts.every((part) => holds(problem, part, state, values))
    case 'or':
      return formula.parts.some((part) => holds(problem, part, state, values))
    case 'exists':
      return assignments(problem, formula.variables, values).some((inner) => holds(problem, formula.part, state, inner))
    case 'forall':
      return assignments(problem, formula.variables, values).every((inner) =>
        holds(problem, formula.part, state, inner),
      )
  }
}

/** The applicable instances of an action, as `name argument argument`, sorted. */
export function applicable(problem: Problem, action: ActionSchema, state: State): string[] {
  return assignments(problem, action.parameters)
    .filter((values) => holds(problem, action.precondition, state, values))
    .map((values) => [action.name, ...values.values()].join(' '))
    .sort()
}

/** The state after an instance of an action; an atom that is both added and deleted is added. */
export function after(problem: Problem, action: ActionSchema, objects: readonly string[], state: State): State {
  const values = new Map(action.parameters.map((parameter, index) => [parameter.name, objects[index]!]))
  const added: string[] = []
  const deleted: string[] = []
  for (const effect of action.effects) {
    for (const inner of assignments(problem, effect.variables, values)) {
      if (effect.condition !== undefined && !holds(problem, effect.condition, state, inner)) continue
      ;(effect.adds ? added : deleted).push(written(effect.atom, inner))
    }
  }
  const next = new Set(state)
  for (const atom of deleted) next.delete(atom)
  for (const atom of added) next.add(atom)
  return next
}
