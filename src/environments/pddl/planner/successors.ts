import type { Condition } from './condition.js'
import { holdsIn } from './condition.js'
import type { Operator } from './ground-task.js'
import type { States } from './states.js'

/** Finds the operators that are applicable in a state: each is looked at only where one of the atoms that it needs holds. */
export class Successors {
  readonly #operators: readonly Operator[]
  /** For each atom the operators that are looked at where it holds. */
  readonly #watching: readonly (readonly number[])[]
  readonly #always: readonly number[]

  constructor(operators: readonly Operator[], atoms: number) {
    this.#operators = operators
    const watching: number[][] = Array.from({ length: atoms }, () => [])
    const always: number[] = []
    operators.forEach(({ condition }, operator) => {
      const needed = atomsNeeded(condition)
      const first = needed[0]
      if (first === undefined) {
        always.push(operator)
        return
      }
      // The one with the fewest operators so far spreads them evenly.
      const home = needed.reduce((best, atom) => (watching[atom]!.length < watching[best]!.length ? atom : best), first)
      watching[home]!.push(operator)
    })
    this.#watching = watching
    this.#always = always
  }

  /** The operators applicable in a state in which exactly the `holding` atoms hold, always in the same order. */
  applicable(states: States, state: number, holding: readonly number[]): number[] {
    const found: number[] = []
    const has = (atom: number): boolean => states.has(state, atom)
    const look = (operators: readonly number[]): void => {
      for (const operator of operators) if (holdsIn(this.#operators[operator]!.condition, has)) found.push(operator)
    }
    look(this.#always)
    for (const atom of holding) look(this.#watching[atom]!)
    return found
  }
}

function atomsNeeded(condition: Condition): number[] {
  if (typeof condition === 'boolean' || condition.kind === 'any') return []
  if (condition.kind === 'literal') return condition.holds ? [condition.atom] : []
  return condition.parts.flatMap((part) =>
    typeof part !== 'boolean' && part.kind === 'literal' ? atomsNeeded(part) : [],
  )
}
