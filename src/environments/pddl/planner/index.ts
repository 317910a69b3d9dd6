import type { Facts } from '../facts.js'
import type { GroundAction, Task } from '../task.js'
import { groundTask } from './ground-task.js'
import { shorten } from './shorten.js'
import { ordersOf, serialSearch } from './serial-search.js'
import type { Quest, Space } from './space.js'
import { openSpace } from './space.js'
import { starSearch } from './star-search.js'
import { widthSearch } from './width-search.js'

/** How a planner ended. */
export type Planned =
  /** A way to the goal: mostly a shortest one, never proved to be. */
  | { readonly kind: 'plan'; readonly actions: readonly GroundAction[] }
  /** Everything that can be reached was looked at: there is no way. */
  | { readonly kind: 'impossible' }
  /** The bound was reached first. */
  | { readonly kind: 'gave-up' }

/** How much a planner may do. */
export interface PlanningBounds {
  /** In steps of its own, some ten million a second, so that the answer depends on no clock. */
  readonly work?: number
}

/**
 * Looks for a short way from a state to a task's goal: by A* first, which soon finds a short one or nothing; then by searches that find some
 * way sooner. What they find is made shorter. Equal input gives an equal plan.
 * @throws ShaketableError `environment` where the task becomes too large without its variables.
 */
export function planTask(task: Task, facts: Facts, { work = 30_000_000 }: PlanningBounds = {}): Planned {
  const ground = groundTask(task, facts)
  if (ground.goal === false) return { kind: 'impossible' }
  const start = [...ground.atoms.keys()].filter((atom) => facts.has(ground.atoms[atom]!))
  const { space, quest } = openSpace(task, ground, start)
  const found = search(space, quest, work)
  if (found === 'impossible' || found === 'gave-up') return { kind: found }
  const actions = found.map((operator) => ground.operators[operator]!.ground)
  return { kind: 'plan', actions }
}

function search(space: Space, quest: Quest, work: number): readonly number[] | 'impossible' | 'gave-up' {
  const { estimate } = space
  const searches = [
    starSearch(space, quest, { weight: 1, bound: Infinity }),
    starSearch(space, quest, { weight: 3, bound: Infinity }),
    widthSearch(space, quest),
  ]
  const share = (part: number): number => Math.min(estimate.work + work * part, work)
  const first = searches[0]!(share(0.1))
  if (first.exhausted) return 'impossible'
  if (first.plan !== undefined) return shorten(space, quest, first.plan, work)

  const plans = ordersOf(quest.parts.length).flatMap((order) => {
    const plan = estimate.work < work / 2 ? serialSearch(space, quest, order, work * 0.1) : undefined
    return plan === undefined ? [] : [plan]
  })
  for (let part = 0.02; plans.length === 0 && estimate.work < work; part *= 2) {
    const before = estimate.work
    for (const search of searches) {
      const { plan, exhausted } = search(share(part))
      if (exhausted) return 'impossible'
      if (plan !== undefined) plans.push(plan)
    }
    // None goes on: their memory is full.
    if (estimate.work === before) break
  }
  if (plans.length === 0) return 'gave-up'
  const [best, ...others] = plans.sort((left, right) => left.length - right.length)
  return [best!, ...others.slice(0, 1)]
    .map((plan) => shorten(space, quest, plan, share(0.4)))
    .reduce((shortest, plan) => (plan.length < shortest.length ? plan : shortest))
}

/** A short way from a state to a task's goal; undefined where there is none, or none was found within bounds. */
export function solveTask(task: Task, facts: Facts, bounds: PlanningBounds = {}): readonly GroundAction[] | undefined {
  const planned = planTask(task, facts, bounds)
  return planned.kind === 'plan' ? planned.actions : undefined
}
