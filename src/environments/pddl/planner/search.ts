import type { Facts } from '../tables.js'
import type { Estimate } from './estimate.js'
import type { Literal, SearchTask } from './ground-task.js'
import { type Successors, satisfies, stateAfter } from './states.js'

/** A key that two states share only where they are equivalent. The atoms that hold are given too. */
type StateKey = (state: Facts, holding: readonly number[]) => string

/** Gives the keys of states for a goal. */
export type KeysFor = (goal: readonly Literal[]) => StateKey

/** The data that all searches of one task share. */
export interface Space {
  readonly task: SearchTask
  readonly keysFor: KeysFor
  readonly estimate: Estimate
  readonly successors: Successors
}

/** The approximate maximum number of states that a search keeps in memory. */
const maxNodes = 250_000

/** The work of adding a state apart from its estimate, in the estimate's unit. */
const upkeep = (task: SearchTask, holding: readonly number[]): number => 20 + 2 * holding.length + (task.atomCount >> 3)

interface Node {
  readonly state: Facts
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
 * @returns the operators in order, or whether all reachable states were visited without finding a plan
 * @param until the work of the space's estimate at which the search gives up, as it does out of memory
 */
export function starSearch(
  { task, keysFor, estimate, successors }: Space,
  { start, goal }: Pick<SearchTask, 'goal'> & { readonly start: Facts },
  weight: number,
  until: number,
) {
  const keyOf = keysFor(goal)
  const nodes: Node[] = []
  const known = new Map<string, number>()
  const queue = new PriorityQueue()

  /** Enters a state, unless a path at most as long is known. */
  const enter = (state: Facts, parent: number, via: number, cost: number, preferred: boolean): void => {
    const holding = state.atoms()
    const key = keyOf(state, holding)
    estimate.work += upkeep(task, holding)
    const same = nodes[known.get(key) ?? -1]
    if (same !== undefined && same.cost <= cost) return
    if (same !== undefined) same.done = true
    const left = same?.left ?? estimate.of(state, holding, goal)
    const helpful = same?.helpful ?? estimate.helpful
    const node = nodes.push({ state, parent, via, cost, left, helpful, done: left === -1 }) - 1
    known.set(key, node)
    if (left === -1) return
    queue.add(node, ((cost + weight * left) * 2 ** 21 + left) * 2 + (preferred ? 0 : 1))
  }

  enter(start, -1, -1, 0, true)
  while (estimate.work < until && nodes.length < maxNodes) {
    const node = queue.take()
    if (node === undefined) return { exhausted: true }
    const { state, cost, done, helpful } = nodes[node]!
    if (done) continue
    nodes[node]!.done = true
    if (satisfies(state, goal)) return { plan: planTo(nodes, node), exhausted: false }
    for (const operator of successors.applicable(state, state.atoms())) {
      const next = stateAfter(task, state, task.operators[operator]!)
      if (next !== undefined) enter(next, node, operator, cost + 1, helpful.includes(operator))
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
  /** The ranks with values, the lowest last; they are few. */
  readonly #ranks: number[] = []
  readonly #values = new Map<number, number[]>()

  add(value: number, rank: number): void {
    const known = this.#values.get(rank)
    if (known !== undefined) {
      known.push(value)
      return
    }
    this.#values.set(rank, [value])
    let at = this.#ranks.length
    while (at > 0 && this.#ranks[at - 1]! < rank) at--
    this.#ranks.splice(at, 0, rank)
  }

  take(): number | undefined {
    const rank = this.#ranks.at(-1)
    if (rank === undefined) return undefined
    const values = this.#values.get(rank)!
    const last = values.pop()
    if (values.length === 0) {
      this.#ranks.pop()
      this.#values.delete(rank)
    }
    return last
  }
}
