import type { Domain } from './domain.js'
import { type Typed, rootType } from './expression.js'

const none: readonly number[] = []

/**
 * Numbers for ground atoms, assigned on first use, with indexes by predicate and by argument. All states of a task
 * share one table; a state is the set of numbers that hold. Lists are sorted by the arguments.
 */
export class AtomTable {
  readonly predicateOf: number[] = []
  readonly argumentsOf: (readonly number[])[] = []
  readonly #objects: number
  readonly #arity: number[] = []
  readonly #codeOf: number[] = []
  readonly #byCode: Map<number, number>[] = []
  readonly #byPredicate: number[][] = []
  readonly #byArgument: number[][][][] = []

  constructor(objects: number) {
    this.#objects = Math.max(objects, 1)
  }

  /** Adds a predicate and returns its number. */
  addPredicate(arity: number): number {
    this.#byCode.push(new Map())
    this.#byPredicate.push([])
    this.#byArgument.push(Array.from({ length: arity }, () => []))
    return this.#arity.push(arity) - 1
  }

  arity(predicate: number): number {
    return this.#arity[predicate]!
  }

  /** The atom with the arguments in the given registers, or -1 where it has no number yet. */
  find(predicate: number, terms: readonly number[], registers: ArrayLike<number>): number {
    let code = 0
    for (let position = 0; position < terms.length; position++) {
      code = code * this.#objects + registers[terms[position]!]!
    }
    return this.#byCode[predicate]!.get(code) ?? -1
  }

  /** The number of an atom, assigned now where it has none. */
  number(predicate: number, objects: readonly number[]): number {
    let code = 0
    for (const object of objects) code = code * this.#objects + object
    const known = this.#byCode[predicate]!.get(code)
    if (known !== undefined) return known
    const atom = this.predicateOf.push(predicate) - 1
    this.argumentsOf.push(objects)
    this.#codeOf.push(code)
    this.#byCode[predicate]!.set(code, atom)
    this.#insert(this.#byPredicate[predicate]!, atom)
    const positions = this.#byArgument[predicate]!
    for (let position = 0; position < objects.length; position++) {
      const lists = positions[position]!
      const list = lists[objects[position]!]
      // Most lists keep one entry; `[atom]` allocates no space for more.
      if (list === undefined) lists[objects[position]!] = [atom]
      else this.#insert(list, atom)
    }
    return atom
  }

  /** Every numbered atom of a predicate, sorted by arguments. Not all of them hold. */
  ofPredicate(predicate: number): readonly number[] {
    return this.#byPredicate[predicate]!
  }

  /**
   * Every numbered atom of a predicate with this object at this position, sorted by arguments. Not all of them hold.
   */
  ofArgument(predicate: number, position: number, object: number): readonly number[] {
    return this.#byArgument[predicate]![position]![object] ?? none
  }

  #insert(list: number[], atom: number): void {
    const code = this.#codeOf[atom]!
    if (list.length === 0 || this.#codeOf[list.at(-1)!]! < code) {
      list.push(atom)
      return
    }
    let [low, high] = [0, list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#codeOf[list[middle]!]! < code) low = middle + 1
      else high = middle
    }
    list.splice(low, 0, atom)
  }
}

/** The atoms of a table that hold: one bit each, so that copies and comparisons are cheap. */
export class Facts {
  #bits: Int32Array

  constructor(bits = new Int32Array(8)) {
    this.#bits = bits
  }

  has(atom: number): boolean {
    const word = atom >> 5
    return word < this.#bits.length && ((this.#bits[word]! >>> (atom & 31)) & 1) === 1
  }

  add(atom: number): void {
    const word = atom >> 5
    if (word >= this.#bits.length) this.#grow(word)
    this.#bits[word]! |= 1 << (atom & 31)
  }

  delete(atom: number): void {
    const word = atom >> 5
    if (word < this.#bits.length) this.#bits[word]! &= ~(1 << (atom & 31))
  }

  clone(): Facts {
    return new Facts(this.#bits.slice())
  }

  /** The atoms that hold, in order. */
  atoms(): number[] {
    const found: number[] = []
    for (let word = 0; word < this.#bits.length; word++) {
      for (let bits = this.#bits[word]!; bits !== 0; bits &= bits - 1) {
        found.push(word * 32 + 31 - Math.clz32(bits & -bits))
      }
    }
    return found
  }

  /** A string that two states of one task share exactly if the same atoms hold in them. */
  key(): string {
    let end = this.#bits.length
    while (end > 0 && this.#bits[end - 1] === 0) end--
    let key = ''
    for (let word = 0; word < end; word++) {
      const bits = this.#bits[word]!
      key += String.fromCharCode(bits & 0xffff, bits >>> 16)
    }
    return key
  }

  #grow(word: number): void {
    const bits = new Int32Array(Math.max(word + 1, this.#bits.length * 2))
    bits.set(this.#bits)
    this.#bits = bits
  }
}

/** The types of a problem's objects. `objects` are all names in order; those that are not `declared` have no type. */
export function typeTable(domain: Domain, objects: readonly string[], declared: readonly Typed[]) {
  const typesOf = new Map(declared.map((object) => [object.name, above(domain, object.types)]))
  const keep = <Value>(make: (types: readonly string[]) => Value): ((types: readonly string[]) => Value) => {
    const kept = new Map<string, Value>()
    return (types) => {
      const key = types.join(' ')
      const value = kept.get(key) ?? make(types)
      kept.set(key, value)
      return value
    }
  }
  /** One entry per object: 1 where it has one of the types. */
  const flags = keep((types) => {
    const isOf = (name: string): boolean => types.some((type) => typesOf.get(name)?.has(type) === true)
    return Uint8Array.from(objects, (name) => (isOf(name) ? 1 : 0))
  })
  const members = keep((types): readonly number[] => [...objects.keys()].filter((object) => flags(types)[object] === 1))
  return { flags, members }
}

/** Types and their supertypes; `object` is a supertype of all declared types. */
export function above(domain: Domain, types: readonly string[]): Set<string> {
  const found = new Set<string>([rootType])
  const open = [...types]
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (found.has(type) && type !== rootType) continue
    found.add(type)
    if (type !== rootType) open.push(...(domain.types.get(type) ?? []))
  }
  return found
}
