import type { TaskScores } from './evidence.js'
import type { Pairs } from './pairs.js'
import { taskMean } from './rates.js'
import type { Tally } from './tally.js'

/** Scores every task of a group; `pairs` are all those with its clean twin, where it has one. */
export function scoreTasks(tally: Tally, pairs: Pairs | undefined): TaskScores {
  const { temperatures, seeds, tasks } = tally.shape
  const everywhere = Array.from({ length: temperatures }, (_, place) => place)
  const [valid, broken, successes] = [zeros(tasks), zeros(tasks), zeros(tasks)]
  for (let slot = 0; slot < temperatures * seeds * tasks; slot++) {
    const task = slot % tasks
    if (tally.state[slot] === 1) broken[task]!++
    if (tally.state[slot] !== 2) continue
    valid[task]!++
    successes[task]! += tally.success[slot]!
  }
  const progress = Array.from({ length: tasks }, (_, task) => orNull(taskMean(tally.progress, tally, everywhere, task)))
  return {
    valid,
    broken,
    successes,
    progress,
    ...(pairs && { change: Array.from(pairs.success.difference, orNull) }),
  }
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0)
}

function orNull(mean: number): number | null {
  return Number.isNaN(mean) ? null : mean
}
