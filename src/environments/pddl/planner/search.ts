import type { Condition, SearchTask } from './ground-task.js'
import { all, holdsIn, partsOf } from './ground-task.js'
import { Estimate, rulesOf } from './estimate.js'
import { States, Successors } from './states.js'
import { PriorityQueue } from '../../priority-queue.js'

/** A key that two states share only where they are equivalent. The atoms that hold are given too. */
type StateKey = (states: States, state: number, holding: readonly number[]) => string

/** Gives the keys of states for a goal. */
export type KeysFor = (goal: Condition) => StateKey

/** The data that all searches of one task share. */
export interface Space {
  readonly task: SearchTask
  readonly keysFor: KeysFor
  readonly estimate: Estimate
  readonly successors: Successors
}

/** The start and the goal of a search. */
export interface SearchGoal {
  /** The atoms that hold at the start. */
  readonly start: readonly number[]
  /** The conditions to reach together. */
  readonly parts: readonly Part[]
}

/** A condition of a goal. */
export interface Part {
  readonly condition: Condition
  /** The propositions that it consists of. */
  readonly propositions: readonly number[]
}

/** The goal of a search as one condition. */
const conditionOf = (target: SearchGoal): Condition => all(target.parts.map(({ condition }) => condition))

const propositionsOf = (target: SearchGoal): readonly number[] => [
  ...new Set(target.parts.flatMap(({ propositions }) => propositions)),
]

/** The result of a search. */
export interface Outcome {
  /** Operators, in order. */
  readonly plan?: readonly number[]
  /** Whether all reachable states were visited without finding a plan. */
  readonly exhausted: boolean
}

/** The space of a task, and the target for its goal from the atoms of `start`. */
export function openSpace(
  task: SearchTask,
  start: readonly number[],
  keysFor: KeysFor,
): { space: Space; target: SearchGoal } {
  const rules = rulesOf(task)
  const space = {
    task,
    keysFor,
    estimate: new Estimate(rules, task.operators.length),
    successors: new Successors(task.operators, task.atomCount),
  }
  const parts = partsOf(task.goal).map((condition, index) => ({ condition, propositions: rules.goals[index]! }))
  return { space, target: { start, parts } }
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
  target: SearchGoal,
  weight: number,
  until: number,
): Outcome {
  const goal = conditionOf(target)
  const propositions = propositionsOf(target)
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
    const left = same?.left ?? estimate.of(states, state, holding, propositions)
    const helpful = same?.helpful ?? estimate.helpful
    known.set(key, state)
    nodes.push({ parent, via, cost, left, helpful, done: left === -1 })
    if (left === -1) return
    queue.add(state, ((cost + weight * left) * 2 ** 21 + left) * 2 + (preferred ? 0 : 1))
  }

  enter(states.add(target.start), -1, -1, 0, true)
  while (estimate.work < until && nodes.length < maxNodes) {
    const state = queue.take()
    if (state === undefined) return { exhausted: true }
    const { cost, done, helpful } = nodes[state]!
    if (done) continue
    nodes[state]!.done = true
    if (holdsIn(goal, (atom) => states.has(state, atom))) return { plan: planTo(nodes, state), exhausted: false }
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
