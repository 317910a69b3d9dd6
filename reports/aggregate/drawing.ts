import type { Plan } from 'shaketable'
import { createRandom, hashOf, pairsOf } from 'shaketable'
import { metrics } from './pairs.js'

/**
 * What chance had a part in: everything drawn comes from one seed, and each figure has a stream of its own, so that no
 * other figure moves it.
 */
export interface Drawn {
  /** From the plan alone: equal plans draw alike. */
  readonly seed: string
  /** Resamples of tasks for an interval. */
  readonly resamples: number
}

/** How the draws of a plan go, and the stream of one figure by its address. */
export interface Drawing extends Drawn {
  stream(...address: readonly (string | number)[]): () => number
}

/**
 * Begins the draws of a plan: as many for each figure as a few seconds allow for all of them, within bounds in which a
 * figure still says something.
 */
export function drawFor(plan: Plan): Drawing {
  const seed = hashOf(plan, 20)
  const groups = plan.environments.length * pairsOf(plan).length * plan.columns.length
  const tests = groups * (plan.temperatures.length + 1) * metrics.length
  const tasks = Math.max(...plan.environments.map((environment) => environment.tasks.length))
  return {
    seed,
    resamples: between(500, 2e8 / (tests * tasks), 10_000),
    stream: (...address) => createRandom(seed).fork(JSON.stringify(address)).next,
  }
}

function between(least: number, wanted: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, wanted)))
}
