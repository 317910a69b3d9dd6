import { mean, interfaceReliance, pairedClusterDifference, taskInterval } from '../statistics/index.js'
import { behaviourOf } from './behaviour.js'
import { countPlanned } from './passes.js'
import { rateOf, taskMean, taskMeans } from './rates.js'
import { addSums, gainUnit, natUnit } from './sums.js'
import type { Tally } from './tally.js'
import type { AggregateCondition, RunScore, Scope, Reliance, Logprobs, WordingPreference } from './schema.js'
import type { TaskChoices, Interval } from '../statistics/index.js'
import type { Sums } from './sums.js'

/**
 * Describes a group at some temperatures, given by their places, except for its difference; `runs` are all its passes.
 */
export function describeScope(
  tally: Tally,
  runs: readonly RunScore[],
  temperatures: readonly number[],
  condition: AggregateCondition,
): Scope {
  const { seeds, tasks } = tally.shape
  const chosen = temperatures.flatMap((place) => runs.slice(place * seeds, (place + 1) * seeds))
  const valid = chosen.reduce((sum, run) => sum + run.valid, 0)
  const sums = addSums(
    temperatures.map((place) => tally.sums[place]!),
    tally.stepLimit,
  )
  const curve = averageOf(temperatures.map((place) => curveOf(tally, place)))
  const logprobs = logprobsOf(tally, temperatures, sums)
  const reliance = relianceOf(tally, temperatures, sums)
  return {
    coverage: { valid, planned: countPlanned(tally, temperatures) * tasks },
    outcomes: sums.outcomes,
    ...(sums.ended.refused > 0 && { refused: sums.ended.refused }),
    success: rateOf('success', chosen, tally, temperatures),
    progress: rateOf('progress', chosen, tally, temperatures),
    behaviour: behaviourOf(tally, temperatures, condition),
    ...(logprobs && { logprobs }),
    ...(reliance && { reliance }),
    ...(curve && { curve }),
  }
}

/** The mean of lists of equal length, place by place; undefined for none, and where one of them is. */
function averageOf(lists: readonly (readonly number[] | undefined)[]): number[] | undefined {
  const known = lists.filter((list) => list !== undefined)
  if (known.length === 0 || known.length < lists.length) return undefined
  return known[0]!.map((_, place) => mean(known.map((list) => list[place]!))!)
}

/**
 * Mean progress after 0, 1, 2, … steps; an ended episode keeps its last. Precise to 2e−9, since it is summed in whole
 * units. Undefined without a measurement, and where one does not record when its progress was made.
 */
function curveOf(tally: Tally, temperature: number): number[] | undefined {
  const { gains, timed } = tally.sums[temperature]!
  const { seeds, tasks } = tally.shape
  const size = seeds * tasks
  const states = tally.state.subarray(temperature * size, (temperature + 1) * size)
  const measurements = states.reduce((count, state) => count + Number(state === 2), 0)
  if (measurements === 0 || timed < measurements || gains.length === 0) return undefined
  let reached = 0
  return Array.from(gains, (gain) => ((reached += gain) * gainUnit) / measurements)
}

/**
 * Which of two listed wordings a group's model chose at some temperatures, given by their places; the sums are theirs.
 * Undefined where no condition is in mode `alias`.
 */
function relianceOf(tally: Tally, temperatures: readonly number[], { choices }: Sums): Reliance | undefined {
  if (choices.episodes === 0) return undefined
  const found = interfaceReliance(choicesOf(tally, temperatures))
  return {
    choices: choices.made,
    mixed: choices.mixed,
    ...(found && {
      clusters: found.clusters,
      originalFirst: found.originalFirst,
      aliasFirst: found.aliasFirst,
      reliance: { mean: found.reliance, overTasks: found.intervals.reliance },
      orderBias: { mean: found.orderBias, overTasks: found.intervals.orderBias },
    }),
  }
}

/** By task, the mean over the episodes with a choice at each temperature. */
function choicesOf(tally: Tally, temperatures: readonly number[]): TaskChoices[] {
  const { choices } = tally
  if (choices === undefined) return []
  const meansOf = (shares: Float64Array, task: number): number[] =>
    temperatures.map((place) => taskMean(shares, tally, [place], task)).filter((share) => !Number.isNaN(share))
  return Array.from({ length: tally.shape.tasks }, (_, task) => ({
    originalFirst: meansOf(choices.originalFirst, task),
    aliasFirst: meansOf(choices.aliasFirst, task),
  }))
}

/**
 * Describes a group's log-probabilities at some temperatures, given by their places; the sums are theirs. Undefined
 * where there are none.
 */
function logprobsOf(
  tally: Tally,
  temperatures: readonly number[],
  { logprobs: { tokens, sum, steps, asked, scored } }: Sums,
): Logprobs | undefined {
  if (tokens === 0 && steps === 0) return undefined
  return {
    ...(tokens > 0 && { perActionToken: (sum * natUnit) / tokens }),
    ...(steps > 0 && { wordings: { steps, asked, scored, ...meansOver(tally, temperatures) } }),
  }
}

function meansOver(
  tally: Tally,
  temperatures: readonly number[],
): Pick<WordingPreference, 'present' | 'original' | 'difference' | 'preferred'> {
  const { wordings } = tally
  if (wordings === undefined) return {}
  const [present, original, preferred] = [wordings.present, wordings.original, wordings.preferred].map((values) =>
    taskMeans(values, tally, temperatures),
  ) as [number[], number[], number[]]
  if (present.length === 0) return {}
  const differences = present.map((value, place) => value - original[place]!)
  const places = differences.map((_, place) => place)
  return {
    present: mean(present)!,
    original: mean(original)!,
    difference: preference(differences, pairedClusterDifference(differences, places).interval),
    preferred: preference(preferred, taskInterval(preferred)),
  }
}

function preference(
  means: readonly number[],
  overTasks: Interval | undefined,
): NonNullable<WordingPreference['preferred']> {
  return { mean: mean(means)!, ...(overTasks && { overTasks }) }
}
