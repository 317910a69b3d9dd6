import type { Literal, Operator, SearchTask } from './ground-task.js'

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

  /** Whether all literals are true in a state. */
  satisfies(state: number, literals: readonly Literal[]): boolean {
    return literals.every(({ atom, holds }) => this.has(state, atom) === holds)
  }

  /** Adds a state in which the given atoms hold. */
  add(atoms: readonly number[]): number {
    const state = this.#grow()
    this.#change(state, [], atoms)
    return state
  }

  /** Adds the state after an operator; undefined where there can be no such state. */
  after(state: number, { deletes, adds }: Operator): number | undefined {
    const next = this.#grow()
    const words = this.#words
    this.#bits.copyWithin(next * words, state * words, (state + 1) * words)
    this.#change(next, deletes, adds)
    if (this.#derivation === undefined) return next
    this.#change(next, this.#derived, [])
    const following = this.#derivation.derive(this.atoms(next))
    if (following === undefined) {
      this.drop()
      return undefined
    }
    this.#change(next, [], following)
    return next
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
  applicable(states: States, state: number, holding: readonly number[]): number[] {
    const found: number[] = []
    const look = (operators: readonly number[]): void => {
      for (const operator of operators) {
        if (states.satisfies(state, this.#operators[operator]!.condition)) found.push(operator)
      }
    }
    look(this.#always)
    for (const atom of holding) look(this.#watching[atom]!)
    return found
  }
}
