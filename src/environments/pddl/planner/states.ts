import { Facts } from '../tables.js'
import type { Literal, Operator, SearchTask } from './ground-task.js'

/** The state in which the given atoms of a ground task hold. */
export function stateOf(atoms: readonly number[]): Facts {
  const state = new Facts()
  for (const atom of atoms) state.add(atom)
  return state
}

/** Whether all literals are true in a state. */
export function satisfies(state: Facts, literals: readonly Literal[]): boolean {
  return literals.every(({ atom, holds }) => state.has(atom) === holds)
}

/** The state after an operator; undefined where there can be no such state. */
export function stateAfter({ derivation }: SearchTask, state: Facts, { deletes, adds }: Operator): Facts | undefined {
  const next = state.clone()
  for (const atom of deletes) next.delete(atom)
  for (const atom of adds) next.add(atom)
  if (derivation === undefined) return next
  for (const atom of derivation.atoms) next.delete(atom)
  const following = derivation.derive(next.atoms())
  for (const atom of following ?? []) next.add(atom)
  return following && next
}

/** Finds the applicable operators of a state; each is tested only where one chosen atom of its condition holds. */
export class Successors {
  readonly #operators: readonly Operator[]
  /** For each atom, the operators that are tested where it holds. */
  readonly #watching: readonly (readonly number[])[]
  readonly #always: readonly number[]

  constructor(operators: readonly Operator[], atoms: number) {
    this.#operators = operators
    const watching: number[][] = Array.from({ length: atoms }, () => [])
    const always: number[] = []
    operators.forEach(({ condition }, operator) => {
      const lists = condition.flatMap(({ atom, holds }) => (holds ? [watching[atom]!] : []))
      // The one with the fewest operators so far spreads them evenly.
      const home = lists.reduce((best, list) => (list.length < best.length ? list : best), lists[0] ?? always)
      home.push(operator)
    })
    this.#watching = watching
    this.#always = always
  }

  /** The operators applicable in a state in which exactly the `holding` atoms hold, always in the same order. */
  applicable(state: Facts, holding: readonly number[]): number[] {
    const found: number[] = []
    const look = (operators: readonly number[]): void => {
      for (const operator of operators) {
        if (satisfies(state, this.#operators[operator]!.condition)) found.push(operator)
      }
    }
    look(this.#always)
    for (const atom of holding) look(this.#watching[atom]!)
    return found
  }
}
