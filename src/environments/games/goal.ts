import type { Atom, Formula } from '../pddl/formula.js'
import type { Facts } from '../pddl/tables.js'
import { normalise, Registers } from '../pddl/normal-form.js'
import { planQuery } from '../pddl/plan.js'
import type { Frame } from '../pddl/solve.js'
import { satisfied } from '../pddl/solve.js'
import type { Task } from '../pddl/task.js'
import type { Typed } from '../pddl/expression.js'
import type { Sayings } from './say.js'
import { wordFormula } from './word-formula.js'

/** One of the conditions that a goal consists of. */
export interface GoalPart {
  readonly text: string
  holds(facts: Facts): boolean
}

/** So many conditions of one `forall` are counted singly; more of them are one condition. */
const mostInstances = 1000

/** Takes a goal apart: what `and` joins, and what `forall` says of each object, are conditions of their own. */
export function goalParts(task: Task, sayings: Sayings): readonly GoalPart[] {
  return [...conjuncts(task, task.problem.goal)].map((formula): GoalPart => {
    if (formula.kind !== 'atom') {
      return { text: wordFormula(formula, sayings), holds: holdsIn(task, formula) }
    }
    const atom = task.table.number(task.predicate(formula.predicate)!, objectsOf(task, formula))
    return { text: sayings.fact(atom), holds: (facts) => facts.has(atom) }
  })
}

function* conjuncts(task: Task, formula: Formula): Generator<Formula> {
  if (formula.kind === 'and') {
    for (const part of formula.parts) yield* conjuncts(task, part)
    return
  }
  const instances = formula.kind === 'forall' ? instancesOf(task, formula) : undefined
  if (instances === undefined) yield formula
  else for (const instance of instances) yield* conjuncts(task, instance)
}

function instancesOf(
  task: Task,
  formula: Extract<Formula, { readonly variables: readonly Typed[] }>,
): readonly Formula[] | undefined {
  const members = formula.variables.map(({ types }) => task.types.members(types))
  if (members.reduce((product, { length }) => product * length, 1) > mostInstances) return undefined
  let bindings: ReadonlyMap<string, string>[] = [new Map()]
  formula.variables.forEach(({ name }, index) => {
    bindings = bindings.flatMap((binding) =>
      members[index]!.map((object) => new Map([...binding, [name, task.objects[object]!]])),
    )
  })
  return bindings.map((binding) => substitute(formula.part, binding))
}

function substitute(formula: Formula, binding: ReadonlyMap<string, string>): Formula {
  const name = (term: string): string => binding.get(term) ?? term
  switch (formula.kind) {
    case 'atom':
      return { ...formula, terms: formula.terms.map(name) }
    case 'equal':
      return { ...formula, left: name(formula.left), right: name(formula.right) }
    case 'not':
      return { ...formula, part: substitute(formula.part, binding) }
    case 'and':
    case 'or':
      return { ...formula, parts: formula.parts.map((part) => substitute(part, binding)) }
    case 'exists':
    case 'forall': {
      const hidden = new Set(formula.variables.map((variable) => variable.name))
      const inner = new Map([...binding].filter(([variable]) => !hidden.has(variable)))
      return { ...formula, part: substitute(formula.part, inner) }
    }
  }
}

function objectsOf(task: Task, { terms }: Atom): readonly number[] {
  return terms.map((term) => task.object(term)!)
}

function holdsIn(task: Task, formula: Formula): GoalPart['holds'] {
  const registers = new Registers()
  const query = normalise(formula, new Map(), registers)
  const plan = planQuery(query, registers, [], [], task.statistics)
  const frame: Frame = {
    table: task.table,
    registers: Int32Array.from(registers.names, (name) => (name === undefined ? 0 : task.object(name)!)),
    allowed: registers.types.map((types) => types && task.types.flags(types)),
    members: registers.types.map((types) => (types === undefined ? [] : task.types.members(types))),
  }
  return (facts) => satisfied(plan, frame, facts)
}
