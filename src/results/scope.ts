import { mean, twoWayError } from '../statistics/index.js'
import { behaviourOf } from './behaviour.js'
import { logprobsOf } from './logprobs.js'
import type { Metric } from './pairs.js'
import { countDistinct, countPlanned } from './passes.js'
import { relianceOf } from './reliance.js'
import { eachMeasured, rateOf, repeatScores } from './rates.js'
import { addSums, gainUnit } from './sums.js'
import type { Tally } from './tally.js'
import type { AggregateColumn, RunScore, Scope, Spread } from './schema.js'

/**
 * Describes a group at some temperatures, given by their places, except for its difference; `runs` are all its passes.
 */
export function describeScope(
  tally: Tally,
  runs: readonly RunScore[],
  temperatures: readonly number[],
  column: AggregateColumn,
): Scope {
  const { seeds, tasks } = tally.shape
  const chosen = temperatures.flatMap((place) => runs.slice(place * seeds, (place + 1) * seeds))
  const valid = chosen.reduce((sum, run) => sum + run.valid, 0)
  const sums = addSums(
    temperatures.map((place) => tally.sums[place]!),
    tally.stepLimit,
  )
  const spread = spreadOf(tally, temperatures)
  const curve = averageOf(temperatures.map((place) => curveOf(tally, place)))
  const logprobs = logprobsOf(tally, temperatures, sums)
  const reliance = relianceOf(tally, temperatures, sums)
  return {
    coverage: { valid, planned: countPlanned(tally, temperatures) * tasks },
    outcomes: sums.outcomes,
    ...(sums.ended.refused > 0 && { refused: sums.ended.refused }),
    success: rateOf('success', chosen, tally, temperatures),
    progress: rateOf('progress', chosen, tally, temperatures),
    behaviour: behaviourOf(tally, temperatures, column),
    ...(logprobs && { logprobs }),
    ...(reliance && { reliance }),
    ...(spread && { spread }),
    ...(curve && { curve }),
  }
}

/** The mean of lists of equal length, place by place; undefined for none, and where one of them is. */
function averageOf(lists: readonly (readonly number[] | undefined)[]): number[] | undefined {
  const known = lists.filter((list) => list !== undefined)
  if (known.length === 0 || known.length < lists.length) return undefined
  return known[0]!.map((_, place) => mean(known.map((list) => list[place]!))!)
}

function progressOf(tally: Tally, temperature: number): number[] {
  const progress: number[] = []
  for (let task = 0; task < tally.shape.tasks; task++) {
    eachMeasured(tally, [temperature], task, (slot) => progress.push(tally.progress[slot]!))
  }
  return progress
}

/**
 * Mean progress after 0, 1, 2, … steps; an ended episode keeps its last. Precise to 2e−9, since it is summed in whole
 * units. Undefined without a measurement, and where one does not record when its progress was made.
 */
function curveOf(tally: Tally, temperature: number): number[] | undefined {
  const { gains, timed } = tally.sums[temperature]!
  const measurements = progressOf(tally, temperature).length
  if (measurements === 0 || timed < measurements || gains.length === 0) return undefined
  let reached = 0
  return Array.from(gains, (gain) => ((reached += gain) * gainUnit) / measurements)
}

/**
 * The standard errors of a group's mean. A score is a task's mean at a seed, see {@link repeatScores}; scores may be
 * missing. Undefined where too few are left, below two seeds or two tasks, and where the seeds are copies of one play.
 */
function spreadOf(tally: Tally, temperatures: readonly number[]): Readonly<Record<Metric, Spread>> | undefined {
  if (temperatures.every((place) => countDistinct(tally, place) < 2)) return undefined
  const errorOf = (metric: Metric): Spread | undefined =>
    twoWayError(
      Array.from({ length: tally.shape.seeds }, (_, seed) => repeatScores(tally[metric], tally, temperatures, seed)),
    )
  const success = errorOf('success')
  const progress = success && errorOf('progress')
  return progress && { success, progress }
}
