import { Facts } from '../tables.js'
import type { Task } from '../task.js'
import type { GroundTask, Literal } from './ground-task.js'

/**
 * Gives states the same key where they differ only by a permutation of interchangeable objects, such as balls with the
 * same destination (after Pochter, Zohar and Rosenschein 2011). Objects are interchangeable where swapping two of them
 * changes neither the goal nor the constant facts, and no action names them. States with equal keys are always
 * equivalent; some equivalent states have different keys.
 */
export class Symmetry {
  readonly #classes: readonly (readonly number[])[]
  readonly #classOf: Int32Array
  readonly #arguments: readonly (readonly number[])[]
  readonly #predicates: Int32Array
  readonly #colours: Int32Array
  readonly #next: Int32Array
  readonly #image: Int32Array
  readonly #order: Int32Array
  readonly #numbers: Map<number, number>[] = []
  #numbered = 0

  constructor(task: Task, ground: GroundTask, goal: readonly Literal[]) {
    const count = task.objects.length
    this.#classes = interchangeable(task, ground, goal)
    this.#classOf = new Int32Array(count).fill(-1)
    this.#classes.forEach((members, index) => {
      for (const object of members) this.#classOf[object] = index
    })
    this.#arguments = ground.atoms.map((atom) => task.table.argumentsOf[atom]!)
    this.#predicates = Int32Array.from(ground.atoms, (atom) => task.table.predicateOf[atom]!)
    this.#colours = new Int32Array(count)
    this.#next = new Int32Array(count)
    this.#image = Int32Array.from({ length: count }, (_, object) => object)
    this.#order = new Int32Array(count)
  }

  /** The key of a state in which exactly the `holding` atoms hold. */
  key(state: Facts, holding: readonly number[]): string {
    if (this.#classes.length === 0) return state.key()
    this.#colour(holding)
    for (const members of this.#classes) this.#arrange(members)
    const objects = this.#image.length
    const facts = new Facts(new Int32Array((this.#numbered >> 5) + 1))
    for (const atom of holding) {
      let code = 0
      for (const object of this.#arguments[atom]!) code = code * objects + this.#image[object]!
      facts.add(this.#number(this.#predicates[atom]!, code))
    }
    return facts.key()
  }

  /** Maps the members of a class, sorted by colour, to the members in order. */
  #arrange(members: readonly number[]): void {
    const order = this.#order
    for (let count = 0; count < members.length; count++) {
      const object = members[count]!
      const colour = this.#colours[object]!
      let at = count
      for (; at > 0 && this.#colours[order[at - 1]!]! > colour; at--) order[at] = order[at - 1]!
      order[at] = object
    }
    for (let index = 0; index < members.length; index++) this.#image[order[index]!] = members[index]!
  }

  /** A small number for an atom. */
  #number(predicate: number, code: number): number {
    const numbers = (this.#numbers[predicate] ??= new Map<number, number>())
    let number = numbers.get(code)
    if (number === undefined) {
      number = this.#numbered++
      numbers.set(code, number)
    }
    return number
  }

  /** Colours objects by the facts about them, and in a second round by the colours of the objects in those facts. */
  #colour(holding: readonly number[]): void {
    const colours = this.#colours
    const next = this.#next
    for (let object = 0; object < colours.length; object++) {
      const known = this.#classOf[object]!
      colours[object] = known === -1 ? scramble(object) : scramble(-2 - known)
    }
    for (let round = 0; round < 2; round++) {
      next.set(colours)
      for (const atom of holding) {
        const objects = this.#arguments[atom]!
        let hash = scramble(this.#predicates[atom]!)
        for (const object of objects) hash = scramble(hash ^ colours[object]!)
        for (let position = 0; position < objects.length; position++) {
          if (this.#classOf[objects[position]!] !== -1) next[objects[position]!]! += scramble(hash + position)
        }
      }
      colours.set(next)
    }
  }
}

/** Mixes the bits of a 32-bit number (the finaliser of MurmurHash3). */
function scramble(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** The sets of two and more objects that are interchangeable. */
function interchangeable(task: Task, ground: GroundTask, goal: readonly Literal[]): readonly (readonly number[])[] {
  const { objects, problem, table } = task
  const wanted = new Map(goal.map(({ atom, holds }) => [atom, holds]))
  const named = new Set(
    task.actions.flatMap(({ normal }) => normal.registers.names.filter((name) => name !== undefined)),
  )
  const typesOf = new Map(problem.objects.map(({ name, types }) => [name, [...types].sort().join(' ')]))

  /** The literals that a swap must preserve, as text, and for each object the literals that contain it. */
  const facts = new Set<string>()
  const about: (readonly [sign: string, predicate: number, terms: readonly number[]])[][] = objects.map(() => [])
  const note = (sign: string, atom: number): void => {
    const predicate = table.predicateOf[atom]!
    const terms = table.argumentsOf[atom]!
    facts.add(`${sign}${predicate} ${terms.join(' ')}`)
    for (const object of new Set(terms)) about[object]!.push([sign, predicate, terms])
  }
  for (const atom of ground.constant) note('', atom)
  for (const [atom, holds] of wanted) note(holds ? '+' : '-', ground.atoms[atom]!)

  const swappable = (left: number, right: number): boolean => {
    const swap = (object: number): number => (object === left ? right : object === right ? left : object)
    return [left, right].every((object) =>
      about[object]!.every(([sign, predicate, terms]) => facts.has(`${sign}${predicate} ${terms.map(swap).join(' ')}`)),
    )
  }

  const classes: number[][] = []
  objects.forEach((name, object) => {
    const type = typesOf.get(name)
    if (type === undefined || named.has(name)) return
    const home = classes.find(
      ([first]) =>
        typesOf.get(objects[first!]!) === type &&
        about[first!]!.length === about[object]!.length &&
        swappable(first!, object),
    )
    if (home === undefined) classes.push([object])
    else home.push(object)
  })
  return classes.filter((members) => members.length > 1)
}
