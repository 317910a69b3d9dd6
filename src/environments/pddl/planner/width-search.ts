import { holdsIn } from './condition.js'
import { Queue } from './queue.js'
import type { Quest, Search, Space } from './space.js'
import { goalOf, mostNodes, propositionsOf, upkeep } from './space.js'
import { planTo } from './star-search.js'
import { States } from './states.js'
import { Symmetry } from './symmetry.js'

interface Node {
  readonly parent: number
  readonly via: number
  readonly cost: number
  /** How many parts of the goal do not hold. */
  readonly unmet: number
  /** What the last relaxed plan on the way brings about and has not been brought about since. */
  readonly ahead: ReadonlySet<number>
}

/**
 * Looks for a plan by best-first width search (Lipovetzky and Geffner 2017, BFWS(f5)): states that show an atom, or a pair of atoms, for
 * the first time among those as near to the goal come first. It is quick where estimates mislead, and cares little how long a plan is.
 */
export function widthSearch({ task, ground, estimate, successors }: Space, quest: Quest): Search {
  const goal = goalOf(quest)
  const propositions = propositionsOf(quest)
  const count = ground.atoms.length
  const states = new States(count)
  const symmetry = new Symmetry(task, ground, goal)
  const novelty = new Novelty(count)
  const nodes: Node[] = []
  const known = new Set<string>()
  const queue = new Queue()

  /** Takes in the state that was added last, unless it is known. */
  const enter = (state: number, parent: number, via: number): void => {
    const holding = states.atoms(state)
    const key = symmetry.key(states, state, holding)
    estimate.work += upkeep(ground, holding)
    if (known.has(key)) {
      states.drop()
      return
    }
    known.add(key)
    const before = nodes[parent]
    const unmet = quest.parts.filter((part) => !holdsIn(part.condition, (atom) => states.has(state, atom))).length
    const cost = (before?.cost ?? -1) + 1
    let ahead: ReadonlySet<number>
    if (before === undefined || unmet < before.unmet) {
      const left = estimate.of(states, state, holding, propositions)
      ahead = new Set(estimate.brought.filter((atom) => atom < count))
      if (left === -1) {
        nodes.push({ parent, via, cost, unmet, ahead })
        return
      }
    } else {
      const reached = ground.operators[via]!.effects.flatMap(({ adds }) => adds).filter(
        (atom) => before.ahead.has(atom) && states.has(state, atom),
      )
      ahead = reached.length === 0 ? before.ahead : new Set([...before.ahead].filter((atom) => !reached.includes(atom)))
    }
    nodes.push({ parent, via, cost, unmet, ahead })
    const width = novelty.of(`${unmet} ${ahead.size}`, holding)
    queue.add(
      state,
      ((width * 2 ** 10 + Math.min(unmet, 1023)) * 2 ** 14 + Math.min(ahead.size, 16383)) * 2 ** 20 + cost,
    )
  }

  enter(states.add(quest.start), -1, -1)
  return (until) => {
    while (estimate.work < until && nodes.length < mostNodes) {
      const state = queue.take()
      if (state === undefined) return { exhausted: true }
      if (nodes[state]!.unmet === 0) return { plan: planTo(nodes, state), exhausted: false }
      const holding = states.atoms(state)
      for (const operator of successors.applicable(states, state, holding)) {
        enter(states.after(state, ground.operators[operator]!), state, operator)
      }
    }
    return { exhausted: false }
  }
}

/** Pairs are looked at only while their tables take no more than this many words of 32 bits. */
const mostWords = 1 << 24

/** Remembers which atoms and pairs of atoms were seen among states of a kind. */
class Novelty {
  readonly #atoms: number
  readonly #seen = new Map<string, { readonly single: Int32Array; readonly pairs: Int32Array }>()
  #words = 0

  constructor(atoms: number) {
    this.#atoms = atoms
  }

  /** 1 where an atom is new, 2 where a pair of atoms is, 3 otherwise. */
  of(kind: string, holding: readonly number[]): 1 | 2 | 3 {
    let seen = this.#seen.get(kind)
    if (seen === undefined) {
      const words = ((this.#atoms ** 2) >> 5) + 1
      const fits = this.#words + words <= mostWords
      if (fits) this.#words += words
      seen = { single: new Int32Array((this.#atoms >> 5) + 1), pairs: new Int32Array(fits ? words : 0) }
      this.#seen.set(kind, seen)
    }
    let width: 1 | 2 | 3 = 3
    for (const atom of holding) if (note(seen.single, atom)) width = 1
    if (seen.pairs.length === 0) return width
    for (let index = 0; index < holding.length; index++) {
      const row = holding[index]! * this.#atoms
      for (let other = 0; other < index; other++) {
        if (note(seen.pairs, row + holding[other]!) && width === 3) width = 2
      }
    }
    return width
  }
}

/** Sets a bit. @returns whether it was not set. */
function note(bits: Int32Array, bit: number): boolean {
  const mask = 1 << (bit & 31)
  const before = bits[bit >> 5]!
  if ((before & mask) !== 0) return false
  bits[bit >> 5] = before | mask
  return true
}
