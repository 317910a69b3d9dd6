import type { Facts } from '../tables.js'
import type { GroundAction, Task } from '../task.js'
import { Estimate, rulesOf } from './estimate.js'
import type { SearchTask } from './ground-task.js'
import { groundTask } from './ground-task.js'
import type { KeysFor, SearchGoal, Space } from './search.js'
import { openSpace, starSearch } from './search.js'
import { States } from './states.js'
import { Symmetry } from './symmetry.js'

/** How a planner ended. */
export type Planned =
  /** A plan, mostly a shortest one, without proof. */
  | { readonly kind: 'plan'; readonly actions: readonly GroundAction[] }
  /** All reachable states were visited: there is no plan. */
  | { readonly kind: 'impossible' }
  /** The bound was reached first. */
  | { readonly kind: 'gave-up' }

interface PlanningBounds {
  /** Maximum work in steps, about ten million a second, so that the result does not depend on a clock. */
  readonly work?: number
}

/**
 * Searches a short plan from a state to a task's goal.
 * @throws ShaketableError `environment` where the task becomes too large without its variables.
 */
export function planTask(task: Task, facts: Facts, bounds: PlanningBounds = {}): Planned {
  const ground = groundTask(task, facts)
  if (ground.goal === false) return { kind: 'impossible' }
  const start = [...ground.atoms.keys()].filter((atom) => facts.has(ground.atoms[atom]!))
  const found = planOperators(
    ground,
    start,
    (goal) => {
      const symmetry = new Symmetry(task, ground, goal)
      return (...state) => symmetry.key(...state)
    },
    bounds,
  )
  if (found === 'impossible' || found === 'gave-up') return { kind: found }
  return { kind: 'plan', actions: found.map((operator) => ground.operators[operator]!.ground) }
}

/** The weight of the estimate in the search that finds long plans quickly. */
const greedyWeight = 5

/**
 * Searches few operators that lead from the atoms of `start` to a task's goal: first by A*, which soon finds a short
 * plan or none; then by A* over the parts of the goal, one after the other; then by weighted A* for any plan. Equal
 * input gives an equal plan.
 */
export function planOperators(
  task: SearchTask,
  start: readonly number[],
  keysFor: KeysFor,
  { work = 30_000_000 }: PlanningBounds = {},
): readonly number[] | 'impossible' | 'gave-up' {
  const { space, target } = openSpace(task, start, keysFor)
  const { estimate } = space
  const first = starSearch(space, target, 1, work * 0.1)
  if (first.exhausted) return 'impossible'
  if (first.plan !== undefined) return first.plan

  const plans = ordersOf(target.parts.length).flatMap((order) => {
    const plan = estimate.work < work / 2 ? serialSearch(space, target, order, work * 0.1) : undefined
    return plan === undefined ? [] : [plan]
  })
  if (plans.length > 0) return plans.reduce((shortest, plan) => (plan.length < shortest.length ? plan : shortest))
  const { plan, exhausted } = starSearch(space, target, greedyWeight, work)
  return exhausted ? 'impossible' : (plan ?? 'gave-up')
}

/** The operators that can become applicable after the atoms of `start`, if nothing became false. */
export function reachableOperators(task: SearchTask, start: readonly number[]): ReadonlySet<number> {
  const states = new States(task)
  return new Estimate(rulesOf(task), task.operators.length).reachable(states, states.add(start), start)
}

/** A short plan from a state to a task's goal; undefined where there is none, or none was found within the bounds. */
export function solveTask(task: Task, facts: Facts, bounds: PlanningBounds = {}): readonly GroundAction[] | undefined {
  const planned = planTask(task, facts, bounds)
  return planned.kind === 'plan' ? planned.actions : undefined
}

/**
 * Searches a plan that reaches the parts of a goal in a given order and keeps them: a short plan to the first, from
 * there to the second as well, and so on. It finds good plans where the parts are nearly independent.
 */
function serialSearch(
  space: Space,
  { start, parts }: SearchGoal,
  order: readonly number[],
  work: number,
): readonly number[] | undefined {
  const states = new States(space.task)
  let state = states.add(start)
  const plan: number[] = []
  for (let count = 1; count <= order.length; count++) {
    const stage = { start: states.atoms(state), parts: order.slice(0, count).map((place) => parts[place]!) }
    const { plan: next } = starSearch(space, stage, 1, space.estimate.work + work)
    if (next === undefined) return undefined
    for (const operator of next) {
      state = states.after(state, space.task.operators[operator]!)!
      plan.push(operator)
    }
  }
  return plan
}

/** The orders of the parts of a goal to try: all of them for up to three parts, two for more. */
function ordersOf(count: number): readonly (readonly number[])[] {
  const given = [...Array(count).keys()]
  if (count < 2) return []
  if (count === 2) return [given, [1, 0]]
  if (count > 3) return [given, [...given].reverse()]
  return given.flatMap((first) => {
    const [second, third] = given.filter((place) => place !== first) as [number, number]
    return [
      [first, second, third],
      [first, third, second],
    ]
  })
}
