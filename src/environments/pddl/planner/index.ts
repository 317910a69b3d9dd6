import type { Facts } from '../tables.js'
import type { GroundAction, Task } from '../task.js'
import { Estimate, rulesOf } from './estimate.js'
import { type Literal, type SearchTask, groundTask } from './ground-task.js'
import { type KeysFor, type Space, starSearch } from './search.js'
import { stateAfter, stateOf, Successors } from './states.js'
import { Symmetry } from './symmetry.js'

/**
 * A short plan from a state to a task's goal, mostly a shortest one, without proof; undefined where there is none, or
 * none was found within bounded work.
 * @param isAllowed which actions a plan may have
 * @throws ShaketableError `environment` where the task is not of STRIPS
 */
export function solveTask(
  task: Task,
  facts: Facts,
  isAllowed: (ground: GroundAction) => boolean = () => true,
): readonly GroundAction[] | undefined {
  const ground = groundTask(task, facts, isAllowed)
  if (ground === undefined) return undefined
  const start = [...ground.atoms.keys()].filter((atom) => facts.has(ground.atoms[atom]!))
  const found = planOperators(ground, start, (goal) => {
    const symmetry = new Symmetry(task, ground, goal)
    return (state, holding) => symmetry.key(state, holding)
  })
  return typeof found === 'string' ? undefined : found.map((operator) => ground.operators[operator]!.ground)
}

/** Maximum work in steps, about ten million a second, so that the result does not depend on a clock. */
const maxWork = 30_000_000
/** The weight of the estimate in the search that finds long plans quickly. */
const greedyWeight = 5

/**
 * Searches few operators that lead from the atoms of `from` to a task's goal: first by A*, which soon finds a short
 * plan or none; then by A* over the parts of the goal, one after the other; then by weighted A* for any plan. Equal
 * input gives an equal plan. `impossible` says that all reachable states were visited.
 */
export function planOperators(
  task: SearchTask,
  from: readonly number[],
  keysFor: KeysFor,
): readonly number[] | 'impossible' | 'gave-up' {
  const { goal, operators } = task
  const start = stateOf(from)
  const estimate = new Estimate(rulesOf(task), operators.length)
  const space = { task, keysFor, estimate, successors: new Successors(operators, task.atomCount) }
  const first = starSearch(space, { start, goal }, 1, maxWork * 0.1)
  if (first.exhausted) return 'impossible'
  if (first.plan !== undefined) return first.plan

  const plans = ordersOf(goal.length).flatMap((order) => {
    const parts = order.map((place) => goal[place]!)
    const plan = estimate.work < maxWork / 2 ? serialSearch(space, start, parts, maxWork * 0.1) : undefined
    return plan === undefined ? [] : [plan]
  })
  if (plans.length > 0) return plans.reduce((shortest, plan) => (plan.length < shortest.length ? plan : shortest))
  const { plan, exhausted } = starSearch(space, { start, goal }, greedyWeight, maxWork)
  return exhausted ? 'impossible' : (plan ?? 'gave-up')
}

/** The operators that can become applicable after the atoms of `start`, if nothing became false. */
export function reachableOperators(task: SearchTask, start: readonly number[]): ReadonlySet<number> {
  return new Estimate(rulesOf(task), task.operators.length).reachable(stateOf(start), start)
}

/**
 * Searches a plan that reaches the parts of a goal in a given order and keeps them: a short plan to the first, from
 * there to the second as well, and so on. It finds good plans where the parts are nearly independent.
 */
function serialSearch(
  space: Space,
  start: Facts,
  parts: readonly Literal[],
  work: number,
): readonly number[] | undefined {
  let state = start
  const plan: number[] = []
  for (let count = 1; count <= parts.length; count++) {
    const stage = { start: state, goal: parts.slice(0, count) }
    const { plan: next } = starSearch(space, stage, 1, space.estimate.work + work)
    if (next === undefined) return undefined
    for (const operator of next) {
      state = stateAfter(space.task, state, space.task.operators[operator]!)!
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
