import type { Estimate } from './estimate.js'
import type { Literal, SearchTask } from './ground-task.js'
import type { Successors } from './states.js'
import { States } from './states.js'

/** A key that two states share only where they are equivalent. The atoms that hold are given too. */
type StateKey = (states: States, state: number, holding: readonly number[]) => string

/** Gives the keys of states for a goal. */
export type KeysFor = (goal: readonly Literal[]) => StateKey

/** The data that all searches of one task share. */
export interface Space {
  readonly task: SearchTask
  readonly keysFor: KeysFor
  readonly estimate: Estimate
  readonly successors: Successors
}

/** The result of a search. */
interface Outcome {
  /** Operators, in order. */
  readonly plan?: readonly number[]
  /** Whether all reachable states were visited without finding a plan. */
  readonly exhausted: boolean
}

/** The approximate maximum number of states that a search keeps in memory. */
const maxNodes = 250_000

/** The work of adding a state apart from its estimate, in the estimate's unit. */
const upkeep = (task: SearchTask, holding: readonly number[]): number => 20 + 2 * holding.length + (task.atomCount >> 3)

interface Node {
  readonly parent: number
  readonly via: number
  readonly cost: number
  /** Estimated actions to the goal; -1 where it is out of reach. */
  readonly left: number
  readonly helpful: readonly number[]
  /** Whether it was expanded already, or reached by a shorter path. */
  done: boolean
}

/**
 * Searches a plan by weighted A* (Pohl 1970).
 * @param weight that of the estimate: 1 finds short plans, more finds plans sooner
 * @param until the work of the space's estimate at which the search gives up, as it does out of memory
 */
export function starSearch(
  { task, keysFor, estimate, successors }: Space,
  { start, goal }: Pick<SearchTask, 'goal'> & { readonly start: readonly number[] },
  weight: number,
  until: number,
): Outcome {
  const states = new States(task)
  const keyOf = keysFor(goal)
  const nodes: Node[] = []
  const known = new Map<string, number>()
  const queue = new PriorityQueue()

  /** Enters the state that was added last, unless a path at most as long is known. */
  const enter = (state: number, parent: number, via: number, cost: number, preferred: boolean): void => {
    const holding = states.atoms(state)
    const key = keyOf(states, state, holding)
    estimate.work += upkeep(task, holding)
    const same = nodes[known.get(key) ?? -1]
    if (same !== undefined && same.cost <= cost) {
      states.drop()
      return
    }
    if (same !== undefined) same.done = true
    const left = same?.left ?? estimate.of(states, state, holding, goal)
    const helpful = same?.helpful ?? estimate.helpful
    known.set(key, state)
    nodes.push({ parent, via, cost, left, helpful, done: left === -1 })
    if (left === -1) return
    queue.add(state, ((cost + weight * left) * 2 ** 21 + left) * 2 + (preferred ? 0 : 1))
  }

  enter(states.add(start), -1, -1, 0, true)
  while (estimate.work < until && nodes.length < maxNodes) {
    const state = queue.take()
    if (state === undefined) return { exhausted: true }
    const { cost, done, helpful } = nodes[state]!
    if (done) continue
    nodes[state]!.done = true
    if (states.satisfies(state, goal)) return { plan: planTo(nodes, state), exhausted: false }
    const holding = states.atoms(state)
    for (const operator of successors.applicable(states, state, holding)) {
      const next = states.after(state, task.operators[operator]!)
      if (next !== undefined) enter(next, state, operator, cost + 1, helpful.includes(operator))
    }
  }
  return { exhausted: false }
}

/** The operators on the way to a node. */
function planTo(nodes: readonly { readonly parent: number; readonly via: number }[], node: number): number[] {
  const plan: number[] = []
  for (let at = nodes[node]!; at.via !== -1; at = nodes[at.parent]!) plan.push(at.via)
  return plan.reverse()
}

/** A priority queue of numbers: the lowest rank first, and among equal ranks the one that was added last. */
class PriorityQueue {
  readonly #ranks: number[] = []
  readonly #orders: number[] = []
  readonly #values: number[] = []
  #added = 0

  add(value: number, rank: number): void {
    const order = this.#added++
    let at = this.#values.length
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!this.#before(rank, order, above)) break
      this.#move(above, at)
      at = above
    }
    this.#set(at, value, rank, order)
  }

  take(): number | undefined {
    const first = this.#values[0]
    const value = this.#values.pop()
    const rank = this.#ranks.pop()
    const order = this.#orders.pop()
    const size = this.#values.length
    if (size === 0 || value === undefined) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= size) break
      if (below + 1 < size && this.#before(this.#ranks[below + 1]!, this.#orders[below + 1]!, below)) below++
      if (this.#before(rank!, order!, below)) break
      this.#move(below, at)
      at = below
    }
    this.#set(at, value, rank!, order!)
    return first
  }

  #before(rank: number, order: number, other: number): boolean {
    const difference = rank - this.#ranks[other]!
    return difference < 0 || (difference === 0 && order > this.#orders[other]!)
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#values[from]!, this.#ranks[from]!, this.#orders[from]!)
  }

  #set(at: number, value: number, rank: number, order: number): void {
    this.#values[at] = value
    this.#ranks[at] = rank
    this.#orders[at] = order
  }
}
