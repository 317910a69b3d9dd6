import { AtomTable, Facts, typeTable } from './tables.js'
import { compareCodePoints } from './code-points.js'
import { type NormalAction, Registers, normalActions, normalise } from './normal-form.js'
import { type Plan, type Statistics, planQuery } from './plan.js'
import type { Problem } from './problem.js'
import type { Frame } from './solve.js'

/** An action of a task. */
export interface TaskAction {
  readonly name: string
  /** Its index among the actions of the task. */
  readonly number: number
  readonly normal: NormalAction
  readonly frame: Frame
  /** Finds all arguments for which the action is applicable. */
  readonly all: Plan
  /** Tests given arguments. */
  readonly one: Plan
  readonly effects: readonly TaskEffect[]
  /** Whether its changes depend on the state. */
  readonly conditional: boolean
  /** The ground actions so far, by a code of their arguments. */
  readonly instances: Map<number | string, GroundAction>
}

/** One literal of an effect. */
export interface TaskEffect {
  readonly adds: boolean
  readonly predicate: number
  readonly terms: readonly number[]
  /** Finds the values of `forall` for which the effect occurs; undefined where it always occurs. */
  readonly condition: Plan | undefined
}

/** An action with its arguments. Each is unique in its task, so they can be compared by identity. */
export interface GroundAction {
  readonly action: TaskAction
  readonly arguments: readonly number[]
  /** Counts up from 0 within a task: an index for data of this ground action. */
  readonly number: number
}

/** Atoms that become true and false. */
export interface Changes {
  readonly added: readonly number[]
  readonly deleted: readonly number[]
}

/**
 * Compiles a problem for playing and searching. Objects and predicates are numbers here; a state is a {@link Facts}.
 * All states share a task, which keeps the ground atoms and actions that occurred in any of them.
 */
export function compileTask(problem: Problem) {
  const { domain } = problem
  const actions = normalActions(domain)
  const goalRegisters = new Registers()
  const goal = normalise(problem.goal, new Map(), goalRegisters)
  const names = new Set(problem.objects.map((object) => object.name))
  for (const registers of [goalRegisters, ...actions.map((action) => action.registers)]) {
    for (const name of registers.names) if (name !== undefined) names.add(name)
  }
  const objects = [...names].sort(compareCodePoints)
  const numbers = new Map(objects.map((name, number) => [name, number]))
  const table = new AtomTable(objects.length)
  const predicates = new Map<string, number>()
  for (const [name, arity] of domain.predicates) predicates.set(name, table.addPredicate(arity))
  const init = new Facts(new Int32Array(64))
  const start = problem.init.map((atom) => atom.terms.map((term) => numbers.get(term)!))
  // In order, so that the table only ever appends.
  const order = [...start.keys()].sort((left, right) => compareLists(start[left]!, start[right]!))
  for (const index of order) init.add(table.number(predicates.get(problem.init[index]!.predicate)!, start[index]!))
  const statistics = measure(table, predicates)
  const types = typeTable(domain, objects, problem.objects)
  const frameOf = (registers: Registers): Frame => ({
    table,
    registers: Int32Array.from(registers.names, (name) => (name === undefined ? 0 : numbers.get(name)!)),
    allowed: registers.types.map((of) => (of === undefined ? undefined : types.flags(of))),
    members: registers.types.map((of) => (of === undefined ? [] : types.members(of))),
  })
  return {
    problem,
    /** The names of all objects, sorted by code point. Undeclared names in the domain are included, without a type. */
    objects: objects as readonly string[],
    types,
    table,
    /** The atoms that hold at the start. */
    init,
    /** The number of ground actions so far, and the changes of those whose effects do not depend on the state. */
    instances: { count: 0, changes: [] as (Changes | undefined)[] },
    actions: actions.map((normal, number) => taskAction(number, normal, frameOf(normal.registers), statistics)),
    goal: {
      normal: goal,
      registers: goalRegisters,
      plan: planQuery(goal, goalRegisters, [], [], statistics),
      frame: frameOf(goalRegisters),
    },
    /** Statistics for planning queries. */
    statistics,
    /** The number of an object. */
    object: (name: string): number | undefined => numbers.get(name),
    /** The number of a predicate. */
    predicate: (name: string): number | undefined => predicates.get(name),
  }
}

/** See {@link compileTask}. */
export type Task = ReturnType<typeof compileTask>

function taskAction(number: number, normal: NormalAction, frame: Frame, statistics: Statistics): TaskAction {
  const { schema, registers } = normal
  const parameters = [...schema.parameters.keys()]
  return {
    name: schema.name,
    number,
    normal,
    frame,
    all: planQuery(normal.precondition, registers, [], parameters, statistics),
    one: planQuery(normal.precondition, registers, parameters, [], statistics),
    effects: normal.effects.map((effect) => ({
      adds: effect.adds,
      predicate: statistics.predicate(effect.literal.predicate),
      terms: effect.literal.terms,
      condition: effect.condition && planQuery(effect.condition, registers, parameters, effect.locals, statistics),
    })),
    conditional: normal.effects.some((effect) => effect.condition !== undefined),
    instances: new Map(),
  }
}

function compareLists(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < left.length; index++) {
    const difference = left[index]! - (right[index] ?? -1)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function measure(table: AtomTable, predicates: ReadonlyMap<string, number>): Statistics {
  const distinct = new Map<string, number>()
  return {
    predicate: (name) => predicates.get(name)!,
    size: (predicate) => table.ofPredicate(predicate).length,
    distinct(predicate, position) {
      const key = `${predicate} ${position}`
      let count = distinct.get(key)
      if (count === undefined) {
        count = new Set(table.ofPredicate(predicate).map((atom) => table.argumentsOf[atom]![position])).size
        distinct.set(key, count)
      }
      return count
    },
  }
}
