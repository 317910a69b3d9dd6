import { ShaketableError } from '../../../core/errors.js'
import type { Literal as NamedLiteral } from '../normal-form.js'
import { planQuery } from '../plan.js'
import { changesOf, groundAction, load } from '../play.js'
import type { Facts } from '../tables.js'
import { solve } from '../solve.js'
import type { GroundAction, Task, TaskAction } from '../task.js'

/** An atom that has to hold, or must not. */
export interface Literal {
  readonly atom: number
  readonly holds: boolean
}

/**
 * What can be done in a state in which all literals of its condition are true. An atom both added and deleted is
 * added.
 */
export interface Operator {
  readonly condition: readonly Literal[]
  readonly adds: readonly number[]
  readonly deletes: readonly number[]
}

/** A task without variables. Its atoms are numbered from 0. */
export interface SearchTask {
  readonly atomCount: number
  readonly operators: readonly Operator[]
  readonly goal: readonly Literal[]
  /** Atoms that operators do not change, but that follow from others in every state; absent where there are none. */
  readonly derivation?: {
    /** The derived atoms. */
    readonly atoms: readonly number[]
    /** For estimates: a derived atom holds where one of its rules' conditions holds. */
    readonly rules: readonly { readonly condition: readonly Literal[]; readonly atom: number }[]
    /** The derived atoms of a state from its other atoms; undefined where there can be no such state. */
    derive(holding: readonly number[]): readonly number[] | undefined
  }
}

/** A ground task of a PDDL task, cut down to what can be reached from a state. Its atoms are those that can change. */
export interface GroundTask extends SearchTask {
  /** For each atom its number in the task's table. */
  readonly atoms: readonly number[]
  readonly operators: readonly (Operator & { readonly ground: GroundAction })[]
  /** Atoms that are always true, by their number in the task's table. */
  readonly constant: readonly number[]
}

/**
 * Grounds a STRIPS task: conditions and the goal are conjunctions of literals, effects have no conditions. Undefined
 * where a part of the goal can never hold.
 * @throws ShaketableError `environment` for any other task
 */
export function groundTask(task: Task, from: Facts, isAllowed: Allowed): GroundTask | undefined {
  const { facts, atoms: reached, actions } = reach(task, from, isAllowed)
  const deletable = new Set(actions.flatMap((ground) => changesOf(task, ground, facts).deleted))
  const constant: number[] = []
  const atoms: number[] = []
  for (const atom of reached) (from.has(atom) && !deletable.has(atom) ? constant : atoms).push(atom)
  const numbers = new Map(atoms.map((atom, index) => [atom, index]))
  const numbersOf = (found: readonly number[]): number[] => found.flatMap((atom) => numbers.get(atom) ?? [])

  /** The literals that can change; undefined where another one is false. */
  const literalsIn = (registers: ArrayLike<number>, literals: Conditions): readonly Literal[] | undefined => {
    const kept: Literal[] = []
    for (const { predicate, terms, holds } of literals) {
      const found = task.table.find(task.predicate(predicate)!, terms, registers)
      const atom = numbers.get(found)
      if (atom !== undefined) kept.push({ atom, holds })
      // An atom that cannot change is always true or always false.
      else if ((found !== -1 && facts.has(found)) !== holds) return undefined
    }
    return kept
  }
  const conditions = new Map(task.actions.map((action) => [action, conditionsOf(task, action.normal.precondition)]))
  const operators = actions.flatMap((ground) => {
    const condition = literalsIn(load(ground), conditions.get(ground.action)!)
    const { added, deleted } = changesOf(task, ground, facts)
    const [adds, deletes] = [numbersOf(added), numbersOf(deleted)]
    return condition === undefined || adds.length + deletes.length === 0 ? [] : [{ ground, condition, adds, deletes }]
  })
  const goal = literalsIn(task.goal.frame.registers, conditionsOf(task, task.goal.normal))
  return goal && { atomCount: atoms.length, atoms, constant, operators, goal }
}

/** Whether a plan may have an action. */
type Allowed = (ground: GroundAction) => boolean

type Conditions = readonly (NamedLiteral & { readonly holds: boolean })[]

function conditionsOf(task: Task, [conjunction, ...others]: Task['goal']['normal']): Conditions {
  if (conjunction === undefined || others.length > 0 || conjunction.never.length + conjunction.locals.length > 0) {
    throw notStrips(task)
  }
  const { positive, negative } = conjunction
  return [
    ...positive.map((literal) => ({ ...literal, holds: true })),
    ...negative.map((literal) => ({ ...literal, holds: false })),
  ]
}

function notStrips({ problem }: Task): ShaketableError {
  const message = `${problem.domain.source.where}: only conjunctions of literals can be planned for.`
  return new ShaketableError('environment', message)
}

/**
 * What is reachable from a state if nothing becomes false, a superset of what is: the atoms, those at the start first,
 * and for each action in turn its instances, both in the order in which they are found.
 */
function reach(task: Task, from: Facts, isAllowed: Allowed) {
  const facts = from.clone()
  const atoms = from.atoms()
  const found = new Set<GroundAction>()
  const searches = task.actions.map((action) => searchOf(task, action))
  for (let changed: ReadonlySet<number> | undefined; changed === undefined || changed.size > 0;) {
    const fresh: number[] = []
    for (const { action, plan, reads, instances } of searches) {
      const before = instances.length
      if (changed === undefined || reads.some((predicate) => changed!.has(predicate))) {
        const parameters = action.normal.schema.parameters.length
        solve(plan, action.frame, facts, () => {
          const ground = groundAction(task, action, [...action.frame.registers.subarray(0, parameters)])!
          if (!found.has(ground) && isAllowed(ground)) instances.push(ground)
          found.add(ground)
          return false
        })
      }
      for (const ground of instances.slice(before)) {
        for (const atom of changesOf(task, ground, facts).added) {
          if (facts.has(atom)) continue
          facts.add(atom)
          fresh.push(atom)
        }
      }
    }
    atoms.push(...fresh)
    changed = new Set(fresh.map((atom) => task.table.predicateOf[atom]!))
  }
  return { facts, atoms, actions: searches.flatMap(({ instances }) => instances) }
}

/** How the instances of an action are found: by its precondition without the negative literals. */
function searchOf(task: Task, action: TaskAction) {
  const { precondition, registers, schema } = action.normal
  if (action.conditional || precondition.length !== 1) throw notStrips(task)
  const relaxed = precondition.map((conjunction) => ({ ...conjunction, negative: [] }))
  return {
    action,
    plan: planQuery(relaxed, registers, [], [...schema.parameters.keys()], task.statistics),
    /** The predicates whose atoms can make more of the action's instances applicable. */
    reads: relaxed.flatMap(({ positive }) => positive.map(({ predicate }) => task.predicate(predicate)!)),
    instances: [] as GroundAction[],
  }
}
