import type { Facts } from '../../pddl/tables.js'
import type { Task } from '../../pddl/task.js'

/** The facts of a moment, asked by the names of predicates. Lists are in the order of the objects. */
export class FactReader {
  readonly #task: Task
  readonly #facts: Facts

  constructor(task: Task, facts: Facts) {
    this.#task = task
    this.#facts = facts
  }

  /** Whether a fact holds; false for a predicate that the domain does not have. */
  is(predicate: string, ...objects: readonly number[]): boolean {
    const number = this.#number(predicate, objects.length)
    return number !== undefined && this.#facts.has(this.#task.table.find(number, [...objects.keys()], objects))
  }

  /** The objects that stand first in the facts of a predicate in which this one stands second. */
  first(predicate: string, second: number): readonly number[] {
    return this.#others(predicate, 0, second)
  }

  /** The objects that stand second in the facts of a predicate in which this one stands first. */
  second(predicate: string, first: number): readonly number[] {
    return this.#others(predicate, 1, first)
  }

  /** The objects at a position of all facts of a predicate. */
  all(predicate: string, position: 0 | 1): readonly number[] {
    const number = this.#number(predicate, 2)
    return number === undefined ? [] : this.#at(position, this.#task.table.ofPredicate(number))
  }

  #others(predicate: string, position: 0 | 1, object: number): readonly number[] {
    const number = this.#number(predicate, 2)
    if (number === undefined) return []
    const atoms = this.#task.table.ofArgument(number, 1 - position, object)
    return this.#at(position, atoms).filter((other) => other !== object)
  }

  #at(position: 0 | 1, atoms: readonly number[]): readonly number[] {
    const { argumentsOf } = this.#task.table
    return atoms.filter((atom) => this.#facts.has(atom)).map((atom) => argumentsOf[atom]![position]!)
  }

  #number(predicate: string, arity: number): number | undefined {
    const number = this.#task.predicate(predicate)
    return number !== undefined && this.#task.table.arity(number) === arity ? number : undefined
  }
}
