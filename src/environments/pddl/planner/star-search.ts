import { holdsIn } from './condition.js'
import { Queue } from './queue.js'
import type { Quest, Search, Space } from './space.js'
import { goalOf, mostNodes, propositionsOf, upkeep } from './space.js'
import { States } from './states.js'
import { Symmetry } from './symmetry.js'

interface Node {
  readonly parent: number
  readonly via: number
  readonly cost: number
  /** Estimated actions to the goal; -1 where it is out of reach. */
  readonly left: number
  readonly helpful: readonly number[]
  /** Looked at already, or reached more cheaply by another way. */
  done: boolean
}

/** How a search goes about it. */
export interface Manner {
  /** How much more the way ahead counts than the way so far: 1 finds short plans, more finds them sooner. */
  readonly weight: number
  /** Only plans of fewer actions count. */
  readonly bound: number
}

/** Looks for a plan by weighted A* (Pohl 1970). */
export function starSearch({ task, ground, estimate, successors }: Space, quest: Quest, manner: Manner): Search {
  const { weight, bound } = manner
  const goal = goalOf(quest)
  const propositions = propositionsOf(quest)
  const states = new States(ground.atoms.length)
  const symmetry = new Symmetry(task, ground, goal)
  const nodes: Node[] = []
  const known = new Map<string, number>()
  const queue = new Queue()

  /** Takes in the state that was added last, unless there is a way to it that is as short. */
  const enter = (state: number, parent: number, via: number, cost: number, preferred: boolean): void => {
    const holding = states.atoms(state)
    const key = symmetry.key(states, state, holding)
    estimate.work += upkeep(ground, holding)
    const same = nodes[known.get(key) ?? -1]
    if (same !== undefined && same.cost <= cost) {
      states.drop()
      return
    }
    if (same !== undefined) same.done = true
    const left = same?.left ?? estimate.of(states, state, holding, propositions)
    const helpful = same?.helpful ?? estimate.helpful
    known.set(key, state)
    nodes.push({ parent, via, cost, left, helpful, done: left === -1 })
    if (left === -1 || cost + Math.min(left, 1) >= bound) return
    queue.add(state, ((cost + weight * left) * 2 ** 21 + left) * 2 + (preferred ? 0 : 1))
  }

  enter(states.add(quest.start), -1, -1, 0, true)
  return (until) => {
    while (estimate.work < until && nodes.length < mostNodes) {
      const state = queue.take()
      if (state === undefined) return { exhausted: true }
      const { cost, done, helpful } = nodes[state]!
      if (done) continue
      nodes[state]!.done = true
      if (holdsIn(goal, (atom) => states.has(state, atom))) return { plan: planTo(nodes, state), exhausted: false }
      const holding = states.atoms(state)
      for (const operator of successors.applicable(states, state, holding)) {
        enter(states.after(state, ground.operators[operator]!), state, operator, cost + 1, helpful.includes(operator))
      }
    }
    return { exhausted: false }
  }
}

/** The operators on the way to a node. */
export function planTo(nodes: readonly { readonly parent: number; readonly via: number }[], node: number): number[] {
  const plan: number[] = []
  for (let at = nodes[node]!; at.via !== -1; at = nodes[at.parent]!) plan.push(at.via)
  return plan.reverse()
}
