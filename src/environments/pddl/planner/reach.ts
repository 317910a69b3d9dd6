import { ShaketableError } from '../../../core/errors.js'
import type { Facts } from '../tables.js'
import type { Conjunction, Disjunction, Registers } from '../normal-form.js'
import type { GroundedLiteral, Plan, Statistics } from '../plan.js'
import { planQuery } from '../plan.js'
import { groundAction } from '../play.js'
import { quote } from '../expression.js'
import { solve } from '../solve.js'
import type { GroundAction, Task, TaskAction, TaskEffect } from '../task.js'

/** The relaxed reachability of a state, in which no fact becomes false: a superset of what is reachable. */
export interface Reachable {
  /** Every atom that can ever hold. */
  readonly facts: Facts
  /** Their numbers. */
  readonly atoms: readonly number[]
  /** The atoms that can become false. */
  readonly deletable: ReadonlySet<number>
  readonly actions: readonly GroundAction[]
  readonly schemas: readonly RelaxedAction[]
}

/** An action with conditions for a growing set of atoms. */
interface RelaxedAction {
  readonly action: TaskAction
  /** Given its arguments. */
  readonly precondition: readonly RelaxedQuery[]
  readonly effects: readonly RelaxedEffect[]
}

/** One literal of an effect. */
interface RelaxedEffect {
  readonly effect: TaskEffect
  /** Given the action's arguments; undefined where the effect always occurs. */
  readonly condition: readonly RelaxedQuery[] | undefined
}

/** The maximum number of ground actions. */
const maxGroundActions = 100_000
/** The maximum number of times that ground actions are found, repetitions included. */
const maxFound = 4_000_000

/**
 * Computes everything that is reachable from a state.
 * @throws ShaketableError `environment` where there are more than {@link maxGroundActions}.
 */
export function reach(task: Task, from: Facts): Reachable {
  const { table } = task
  const facts = from.clone()
  const atoms = holding(task, from)
  const schemas = task.actions.map((action) => relaxAction(task, action))
  const searches = schemas.map(({ action }) => searchOf(task, action))
  const found = new Set<GroundAction>()
  const perSchema = schemas.map((): GroundAction[] => [])
  let visits = 0
  let changed: ReadonlySet<number> | undefined

  for (;;) {
    const fresh: number[] = []
    const add = (atom: number): void => {
      if (facts.has(atom)) return
      facts.add(atom)
      atoms.push(atom)
      fresh.push(atom)
    }
    schemas.forEach((schema, index) => {
      const { action } = schema
      const search = searches[index]!
      const known = perSchema[index]!
      const before = known.length
      if (changed === undefined || search.reads.some((predicate) => changed!.has(predicate))) {
        for (const query of search.queries) {
          solve(query.plan, action.frame, facts, () => {
            const ground = groundAction(task, action, [...action.frame.registers.subarray(0, search.parameters)])!
            if (++visits > maxFound || found.size > maxGroundActions) refuse(task, action, known.length)
            if (found.has(ground)) return false
            found.add(ground)
            known.push(ground)
            return false
          })
        }
      }
      for (let at = action.conditional ? 0 : before; at < known.length; at++) {
        for (const atom of atomsOf(task, known[at]!, schema, facts, true)) add(atom)
      }
    })
    if (fresh.length === 0) break
    changed = new Set(fresh.map((atom) => table.predicateOf[atom]!))
  }

  const deletable = new Set<number>()
  schemas.forEach((schema, index) => {
    for (const ground of perSchema[index]!) {
      for (const atom of atomsOf(task, ground, schema, facts, false)) deletable.add(atom)
    }
  })
  return { facts, atoms, deletable, actions: perSchema.flat(), schemas }
}

/** The numbers of the atoms that hold. */
function holding(task: Task, facts: Facts): number[] {
  return [...task.table.predicateOf.keys()].filter((atom) => facts.has(atom))
}

function relaxAction(task: Task, action: TaskAction): RelaxedAction {
  const reading = readingOf(task, action)
  const { normal } = action
  const parameters = [...normal.schema.parameters.keys()]
  return {
    action,
    precondition: relax(normal.precondition, reading, parameters, []),
    effects: normal.effects.map((effect, index) => ({
      effect: action.effects[index]!,
      condition: effect.condition && relax(effect.condition, reading, parameters, effect.locals),
    })),
  }
}

interface Search {
  readonly queries: readonly RelaxedQuery[]
  readonly parameters: number
  /** The predicates whose atoms can make more of the action's instances applicable. */
  readonly reads: readonly number[]
}

function searchOf(task: Task, action: TaskAction): Search {
  const { normal } = action
  const parameters = [...normal.schema.parameters.keys()]
  const queries = relax(normal.precondition, readingOf(task, action), [], parameters)
  const reads = queries.flatMap(({ positive }) => positive.map(({ predicate }) => predicate))
  return { queries, parameters: parameters.length, reads: [...new Set(reads)] }
}

function readingOf(task: Task, action: TaskAction): Reading {
  return { registers: action.normal.registers, statistics: task.statistics, changes: changedPredicates(task) }
}

/** Whether some action changes atoms of a predicate. */
export function changedPredicates(task: Task): (predicate: number) => boolean {
  const changed = new Set(task.actions.flatMap(({ effects }) => effects.map(({ predicate }) => predicate)))
  return (predicate) => changed.has(predicate)
}

/** The atoms that a ground action can add, or delete, where the given atoms hold. */
function atomsOf(task: Task, ground: GroundAction, schema: RelaxedAction, facts: Facts, adds: boolean): number[] {
  const { frame } = ground.action
  ground.arguments.forEach((object, index) => (frame.registers[index] = object))
  const found: number[] = []
  for (const { effect, condition } of schema.effects) {
    if (effect.adds !== adds) continue
    const visit = (): boolean => {
      found.push(
        task.table.number(
          effect.predicate,
          effect.terms.map((term) => frame.registers[term]!),
        ),
      )
      return false
    }
    if (condition === undefined) visit()
    else for (const query of condition) solve(query.plan, frame, facts, visit)
  }
  return found
}

function refuse(task: Task, action: TaskAction, count: number): never {
  const { where } = task.problem.source
  throw new ShaketableError(
    'environment',
    `${where}: expected at most ${maxGroundActions} ground actions, got more, ${count} of them of ${quote(action.name)}. ` +
      'Use fewer objects, or give parameters narrower types.',
  )
}

/** One conjunction of a condition, relaxed. */
export interface RelaxedQuery {
  /**
   * Finds objects for its variables that satisfy the positive literals and ignores the negative ones: with all
   * reachable atoms it finds all possible solutions.
   */
  readonly plan: Plan
  readonly positive: readonly GroundedLiteral[]
  readonly negative: readonly GroundedLiteral[]
  /** None of these may have a solution. */
  readonly never: readonly (readonly RelaxedQuery[])[]
}

/** The context of relaxing a condition. */
interface Reading {
  readonly registers: Registers
  readonly statistics: Statistics
  /** Whether an action can change atoms of a predicate. */
  changes(predicate: number): boolean
}

/** Relaxes a disjunction whose `given` registers are bound; every solution binds the `wanted` ones. */
export function relax(
  query: Disjunction,
  reading: Reading,
  given: readonly number[],
  wanted: readonly number[],
): readonly RelaxedQuery[] {
  return query.map((conjunction) => relaxConjunction(conjunction, reading, given, wanted))
}

function relaxConjunction(
  conjunction: Conjunction,
  reading: Reading,
  given: readonly number[],
  wanted: readonly number[],
): RelaxedQuery {
  const { registers, statistics } = reading
  const resolve = ({ predicate, terms }: Conjunction['positive'][number]): GroundedLiteral => ({
    predicate: statistics.predicate(predicate),
    terms,
  })
  const negative = conjunction.negative.filter(({ predicate }) => reading.changes(statistics.predicate(predicate)))
  const certain = conjunction.negative.filter((literal) => !negative.includes(literal))
  const bound = [...given, ...wanted, ...conjunction.locals]
  return {
    plan: planQuery([{ ...conjunction, negative: certain, never: [] }], registers, given, wanted, statistics),
    positive: conjunction.positive.map(resolve),
    negative: negative.map(resolve),
    never: conjunction.never.map((inner) => relax(inner, reading, bound, [])),
  }
}
