import { ShaketableError } from '../../../core/errors.js'
import type { Facts } from '../tables.js'
import type { GroundedLiteral } from '../plan.js'
import type { Frame } from '../solve.js'
import { solve } from '../solve.js'
import type { GroundAction, Task } from '../task.js'
import type { Reachable, RelaxedQuery } from './reach.js'
import { changedPredicates, reach, relax } from './reach.js'

/** A simplified condition on ground atoms. Atoms are numbers. */
export type Condition =
  | boolean
  | { readonly kind: 'literal'; readonly atom: number; readonly holds: boolean }
  | { readonly kind: 'all'; readonly parts: readonly Condition[] }
  | { readonly kind: 'any'; readonly parts: readonly Condition[] }

/** The conjunction of conditions. */
export const all = (parts: readonly Condition[]): Condition => join('all', parts)
/** The disjunction of conditions. */
const any = (parts: readonly Condition[]): Condition => join('any', parts)

function join(kind: 'all' | 'any', parts: readonly Condition[]): Condition {
  const neutral = kind === 'all'
  const kept: Condition[] = []
  for (const part of parts) {
    if (part === neutral) continue
    if (typeof part === 'boolean') return part
    if (part.kind !== kind) kept.push(part)
    else for (const inner of part.parts) kept.push(inner)
  }
  if (kept.length === 0) return neutral
  return kept.length === 1 ? kept[0]! : { kind, parts: kept }
}

/** The conditions whose conjunction is the given one. */
export function partsOf(condition: Condition): readonly Condition[] {
  return typeof condition !== 'boolean' && condition.kind === 'all' ? condition.parts : [condition]
}

/** The negation of a condition. */
function negate(condition: Condition): Condition {
  if (typeof condition === 'boolean') return !condition
  if (condition.kind === 'literal') return { ...condition, holds: !condition.holds }
  return { kind: condition.kind === 'all' ? 'any' : 'all', parts: condition.parts.map(negate) }
}

export function holdsIn(condition: Condition, has: (atom: number) => boolean): boolean {
  if (typeof condition === 'boolean') return condition
  if (condition.kind === 'literal') return has(condition.atom) === condition.holds
  return condition.kind === 'all'
    ? condition.parts.every((part) => holdsIn(part, has))
    : condition.parts.some((part) => holdsIn(part, has))
}

/** A task without variables. Its atoms are numbered from 0. */
export interface SearchTask {
  readonly atomCount: number
  readonly operators: readonly Operator[]
  readonly goal: Condition
  /** Atoms that operators do not change, but that follow from others in every state; absent where there are none. */
  readonly derivation?: {
    /** For estimates: a derived atom holds where one of its rules' conditions holds. */
    readonly rules: readonly { readonly condition: Condition; readonly atom: number }[]
    /** The derived atoms of a state from its other atoms; undefined where there can be no such state. */
    derive(holding: readonly number[]): readonly number[] | undefined
  }
}

/** A ground task of a PDDL task, cut down to what can be reached from a state. Its atoms are those that can change. */
export interface GroundTask extends SearchTask {
  /** For each atom its number in the task's table. */
  readonly atoms: readonly number[]
  readonly operators: readonly GroundOperator[]
  /** Atoms that are always true, by their number in the task's table. */
  readonly constant: readonly number[]
}

/** What can be done in a state in which a condition holds. */
export interface Operator {
  readonly condition: Condition
  readonly effects: readonly OperatorEffect[]
}

/** An action with its arguments, as an operator. */
interface GroundOperator extends Operator {
  readonly ground: GroundAction
}

/** The changes of an operator under a condition on the state before. An atom both added and deleted is added. */
interface OperatorEffect {
  readonly condition: Condition
  readonly adds: readonly number[]
  readonly deletes: readonly number[]
}

/** The maximum number of literals in all conditions together. */
const maxLiterals = 1_000_000

/** Grounds a task. @throws ShaketableError `environment` where it becomes too large. */
export function groundTask(task: Task, from: Facts): GroundTask {
  const reachable = reach(task, from)
  const constant: number[] = []
  const atoms: number[] = []
  for (const atom of reachable.atoms) (from.has(atom) && !reachable.deletable.has(atom) ? constant : atoms).push(atom)
  const grounding = new Grounding(task, reachable, new Map(atoms.map((atom, index) => [atom, index])))
  return { atomCount: atoms.length, atoms, constant, operators: grounding.operators(), goal: grounding.goal() }
}

class Grounding {
  readonly #task: Task
  readonly #reachable: Reachable
  readonly #numberOf: ReadonlyMap<number, number>
  #literals = 0

  constructor(task: Task, reachable: Reachable, numberOf: ReadonlyMap<number, number>) {
    this.#task = task
    this.#reachable = reachable
    this.#numberOf = numberOf
  }

  operators(): GroundOperator[] {
    const schemas = new Map(this.#reachable.schemas.map((schema) => [schema.action, schema]))
    return this.#reachable.actions.flatMap((ground) => {
      const { precondition, effects } = schemas.get(ground.action)!
      const { frame } = ground.action
      ground.arguments.forEach((object, index) => (frame.registers[index] = object))
      const condition = this.#any(precondition, frame)
      if (condition === false) return []
      const always = { adds: [] as number[], deletes: [] as number[] }
      const grounded: OperatorEffect[] = []
      for (const { effect, condition } of effects) {
        const add = (when: Condition): void => {
          const atom = this.#numberOf.get(this.#task.table.find(effect.predicate, effect.terms, frame.registers))
          if (atom === undefined || when === false) return
          if (when === true) always[effect.adds ? 'adds' : 'deletes'].push(atom)
          else {
            grounded.push({ condition: when, adds: effect.adds ? [atom] : [], deletes: effect.adds ? [] : [atom] })
          }
        }
        if (condition === undefined) add(true)
        else for (const query of condition) this.#visit(query, frame, () => add(this.#parts(query, frame)))
      }
      if (always.adds.length + always.deletes.length > 0) grounded.unshift({ condition: true, ...always })
      return grounded.length === 0 ? [] : [{ ground, condition, effects: grounded }]
    })
  }

  goal(): Condition {
    const { normal, registers, frame } = this.#task.goal
    const reading = { registers, statistics: this.#task.statistics, changes: changedPredicates(this.#task) }
    return this.#any(relax(normal, reading, [], []), frame)
  }

  /** The condition that one of the queries has a solution, given the registers. */
  #any(queries: readonly RelaxedQuery[], frame: Frame): Condition {
    const options: Condition[] = []
    for (const query of queries) this.#visit(query, frame, () => options.push(this.#parts(query, frame)))
    return any(options)
  }

  /** Visits all possible solutions of a query, with the registers set. */
  #visit(query: RelaxedQuery, frame: Frame, visit: () => void): void {
    const { registers } = frame
    const found: Int32Array[] = []
    solve(query.plan, frame, this.#reachable.facts, () => {
      this.#count(1)
      found.push(registers.slice())
      return false
    })
    for (const values of found) {
      registers.set(values)
      visit()
    }
  }

  #parts({ positive, negative, never }: RelaxedQuery, frame: Frame): Condition {
    this.#count(positive.length + negative.length + 1)
    return all([
      ...positive.map((literal) => this.#literal(literal, frame)),
      ...negative.map((literal) => negate(this.#literal(literal, frame))),
      ...never.map((inner) => negate(this.#any(inner, frame))),
    ])
  }

  #literal({ predicate, terms }: GroundedLiteral, frame: Frame): Condition {
    const number = this.#task.table.find(predicate, terms, frame.registers)
    const atom = this.#numberOf.get(number)
    // An atom that cannot change is always true or always false.
    return atom === undefined
      ? number !== -1 && this.#reachable.facts.has(number)
      : { kind: 'literal', atom, holds: true }
  }

  #count(literals: number): void {
    this.#literals += literals
    if (this.#literals <= maxLiterals) return
    throw new ShaketableError(
      'environment',
      `${this.#task.problem.source.where}: expected at most ${maxLiterals} literals in ground conditions, got more. ` +
        'Use fewer objects, or simpler conditions.',
    )
  }
}
