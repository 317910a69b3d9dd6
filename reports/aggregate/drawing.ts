import type { Plan } from 'shaketable'
import { createRandom, hashOf } from 'shaketable'

/** What chance had a part in: everything drawn comes from one seed, and each figure has a stream of its own, so that no other figure moves it. */
export interface Drawn {
  /** From the plan alone: equal plans draw alike. */
  readonly seed: string
  /** Patterns of signs of a permutation test that is too large to go through. */
  readonly signFlips: number
  /** Resamples of tasks for an interval. */
  readonly resamples: number
}

/** How the draws of a plan go, and the stream of one figure by its address. */
export interface Drawing extends Drawn {
  stream(...address: readonly (string | number)[]): () => number
}

/** Begins the draws of a plan. */
export function drawFor(plan: Plan): Drawing {
  const seed = hashOf(plan, 20)
  return {
    seed,
    signFlips: 10_000,
    resamples: 2_000,
    stream: (...address) => createRandom(seed).fork(JSON.stringify(address)).next,
  }
}
