import type { Condition, Operator, SearchTask } from './ground-task.js'
import { holdsIn } from './ground-task.js'

/** Many states of a ground task, each with a number; one bit per atom. The memory grows as states are added. */
export class States {
  readonly #words: number
  readonly #derivation: SearchTask['derivation']
  readonly #derived: readonly number[]
  #bits: Int32Array
  #count = 0

  constructor({ atomCount, derivation }: SearchTask) {
    this.#words = Math.max(1, (atomCount + 31) >> 5)
    this.#derivation = derivation
    this.#derived = [...new Set(derivation?.rules.map(({ atom }) => atom))]
    this.#bits = new Int32Array(this.#words * 64)
  }

  has(state: number, atom: number): boolean {
    return ((this.#bits[state * this.#words + (atom >> 5)]! >>> (atom & 31)) & 1) === 1
  }

  /** Adds a state in which the given atoms hold. */
  add(atoms: Iterable<number>): number {
    const state = this.#grow()
    for (const atom of atoms) this.#set(state, atom)
    return state
  }

  /** Adds the state after an operator; undefined where there can be no such state. */
  after(state: number, operator: Operator): number | undefined {
    const next = this.#grow()
    const words = this.#words
    this.#bits.copyWithin(next * words, state * words, (state + 1) * words)
    const { effects } = operator
    if (effects.length === 1 && effects[0]!.condition === true) {
      this.#change(next, effects[0]!.deletes, effects[0]!.adds)
    } else {
      const taking = effects.filter(({ condition }) => holdsIn(condition, (atom) => this.has(state, atom)))
      for (const { deletes } of taking) this.#change(next, deletes, [])
      for (const { adds } of taking) this.#change(next, [], adds)
    }
    return this.#derivation === undefined ? next : this.#derive(next, this.#derivation)
  }

  #derive(state: number, { derive }: NonNullable<SearchTask['derivation']>): number | undefined {
    this.#change(state, this.#derived, [])
    const following = derive(this.atoms(state))
    if (following === undefined) {
      this.drop()
      return undefined
    }
    this.#change(state, [], following)
    return state
  }

  /** Removes the state that was added last. */
  drop(): void {
    this.#count--
    this.#bits.fill(0, this.#count * this.#words, (this.#count + 1) * this.#words)
  }

  /** A string that two states share exactly if the same atoms hold in them. */
  key(state: number): string {
    let key = ''
    for (let word = state * this.#words; word < (state + 1) * this.#words; word++) {
      const bits = this.#bits[word]!
      key += String.fromCharCode(bits & 0xffff, bits >>> 16)
    }
    return key
  }

  /** The atoms that hold in a state, in order. */
  atoms(state: number): number[] {
    const found: number[] = []
    const first = state * this.#words
    for (let word = 0; word < this.#words; word++) {
      for (let bits = this.#bits[first + word]!; bits !== 0; bits &= bits - 1) {
        found.push(word * 32 + 31 - Math.clz32(bits & -bits))
      }
    }
    return found
  }

  #change(state: number, deletes: readonly number[], adds: readonly number[]): void {
    const first = state * this.#words
    for (const atom of deletes) this.#bits[first + (atom >> 5)]! &= ~(1 << (atom & 31))
    for (const atom of adds) this.#bits[first + (atom >> 5)]! |= 1 << (atom & 31)
  }

  #set(state: number, atom: number): void {
    this.#bits[state * this.#words + (atom >> 5)]! |= 1 << (atom & 31)
  }

  #grow(): number {
    const state = this.#count++
    if ((state + 1) * this.#words > this.#bits.length) {
      const bits = new Int32Array(this.#bits.length * 2)
      bits.set(this.#bits)
      this.#bits = bits
    }
    return state
  }
}

/** Finds the applicable operators of a state; each is tested only where one chosen atom of its precondition holds. */
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
