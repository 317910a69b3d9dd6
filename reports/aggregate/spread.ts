import { twoWayError } from 'shaketable/statistics'
import type { Spread } from './evidence.js'
import type { Metric } from './pairs.js'
import { countDistinct } from './passes.js'
import { repeatScore } from './rates.js'
import type { Tally } from './tally.js'

/**
 * Where the spread of a group's mean comes from; `temperatures` are the places of those that enter. A score is a task's
 * {@link repeatScore} at a seed; scores may be missing. Undefined where too few are left, below two seeds or two tasks,
 * and where the seeds are copies of one play.
 */
export function spreadOf(tally: Tally, temperatures: readonly number[]): Readonly<Record<Metric, Spread>> | undefined {
  if (temperatures.every((place) => countDistinct(tally, place) < 2)) return undefined
  const success = twoWayError(scoresOf(tally, temperatures, 'success'))
  const progress = success && twoWayError(scoresOf(tally, temperatures, 'progress'))
  return progress && { success, progress }
}

/** By seeds, then by tasks; NaN where there is none. */
function scoresOf(tally: Tally, temperatures: readonly number[], metric: Metric): number[][] {
  const { seeds, tasks } = tally.shape
  return Array.from({ length: seeds }, (_, seed) =>
    Array.from({ length: tasks }, (_, task) => repeatScore(tally[metric], tally, temperatures, seed, task)),
  )
}
