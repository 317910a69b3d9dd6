import type { Facts } from '../facts.js'
import type { GroundAction, Task } from '../task.js'
import { groundTask } from './ground-task.js'
import { shorten } from './shorten.js'
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
 * Looks for a short way from a state to a task's goal: by A* first, which finds a short one or nothing soon enough, then by searches that
 * find some way sooner, with more work each time; what they find is made shorter. Equal input gives an equal plan.
 * @throws ShaketableError `environment` where the task becomes too large without its variables.
 */
export function planTask(task: Task, facts: Facts, { work = 20_000_000 }: PlanningBounds = {}): Planned {
  const ground = groundTask(task, facts)
  if (ground.goal === false) return { kind: 'impossible' }
  const start = [...ground.atoms.keys()].filter((atom) => facts.has(ground.atoms[atom]!))
  const { space, quest } = openSpace(task, ground, start)
  const { estimate } = space
  const searches = [
    starSearch(space, quest, { weight: 1, bound: Infinity }),
    starSearch(space, quest, { weight: 3, bound: Infinity }),
    widthSearch(space, quest),
  ]
  let plan: readonly number[] | undefined
  for (let share = work / 40; plan === undefined && estimate.work < work; share *= 2) {
    const before = estimate.work
    for (const search of searches) {
      const outcome = search(Math.min(estimate.work + share, work))
      if (outcome.exhausted) return { kind: 'impossible' }
      plan = outcome.plan
      if (plan !== undefined) break
    }
    if (estimate.work === before) break
  }
  if (plan === undefined) return { kind: 'gave-up' }
  const shortest = shorten(space, quest, plan, work)
  return { kind: 'plan', actions: shortest.map((operator) => ground.operators[operator]!.ground) }
}

/** A short way from a state to a task's goal; undefined where there is none, or none was found within bounds. */
export function solveTask(task: Task, facts: Facts, bounds: PlanningBounds = {}): readonly GroundAction[] | undefined {
  const planned = planTask(task, facts, bounds)
  return planned.kind === 'plan' ? planned.actions : undefined
}
