import { interfaceReliance, mean, studentInterval } from '../statistics/index.js'
import { isValid, outcomes } from '../define.js'
import { behaviourOf } from './behaviour.js'
import { defined, sumOf } from './lists.js'
import { countPlanned, placesOf } from './passes.js'
import { knownOf, meanOverTasks, rateOf, taskMeans } from './rates.js'
import type { AggregateCondition, RunScore, Scope } from './schema.js'
import { type Sums, addSums, gainUnit, natUnit } from './sums.js'
import type { Tally } from './tally.js'

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
  const each = temperatures.map((place) => tally.sums[place]!)
  const sums = addSums(each, tally.stepLimit)
  const curve = averageOf(temperatures.map((place) => curveOf(tally, place)))
  const logprobs = logprobsOf(tally, temperatures, sums)
  const reliance = relianceOf(tally, temperatures, sums)
  const { refusedByServer } = sums.episodes
  return {
    coverage: {
      valid: sumOf(chosen, ({ valid }) => valid),
      planned: countPlanned(tally, temperatures) * tasks,
    },
    outcomes: sums.outcomes,
    ...(refusedByServer > 0 && { refused: refusedByServer }),
    success: rateOf('success', chosen, tally, temperatures),
    progress: rateOf('progress', chosen, tally, temperatures),
    behaviour: behaviourOf(tally, temperatures, condition),
    ...defined({ logprobs, reliance, curve }),
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
  const { gains, episodes, outcomes: ended } = tally.sums[temperature]!
  const measurements = sumOf(outcomes.filter(isValid), (outcome) => ended[outcome])
  if (measurements === 0 || episodes.timed < measurements || gains.length === 0) return undefined
  let reached = 0
  return Array.from(gains, (gain) => ((reached += gain) * gainUnit) / measurements)
}

/**
 * Which of two listed wordings a group's model chose at some temperatures, given by their places; the sums are theirs.
 * Undefined where no condition is in mode `alias`.
 */
function relianceOf(tally: Tally, temperatures: readonly number[], { choices }: Sums): Scope['reliance'] {
  if (choices.episodes === 0) return undefined
  /** By task the means over the episodes with a choice at each temperature. */
  const meansOf = (shares: Float64Array | undefined): number[][] => {
    const each = shares === undefined ? [] : temperatures.map((place) => taskMeans(shares, tally, [place]))
    return placesOf(tally.shape).tasks.map((task) => knownOf(each.map((means) => means[task]!)))
  }
  const [original, alias] = [meansOf(tally.rare.originalFirst), meansOf(tally.rare.aliasFirst)]
  return {
    choices: choices.made,
    ...interfaceReliance(original.map((originalFirst, task) => ({ originalFirst, aliasFirst: alias[task]! }))),
  }
}

/**
 * Describes a group's log-probabilities at some temperatures, given by their places; the sums are theirs. Undefined
 * where there are none.
 */
function logprobsOf(
  tally: Tally,
  temperatures: readonly number[],
  { actionTokens: { tokens, sum }, wordings }: Sums,
): Scope['logprobs'] {
  if (tokens === 0 && wordings.steps === 0) return undefined
  return {
    ...(tokens > 0 && { perActionToken: (sum * natUnit) / tokens }),
    ...(wordings.steps > 0 && { wordings: { ...wordings, ...preferenceOf(tally, temperatures) } }),
  }
}

function preferenceOf(tally: Tally, temperatures: readonly number[]) {
  const { rare } = tally
  const meansOf = (values?: Float64Array): number[] => (values ? knownOf(taskMeans(values, tally, temperatures)) : [])
  const [present, original, preferred] = [meansOf(rare.present), meansOf(rare.original), meansOf(rare.preferred)]
  if (present.length === 0) return {}
  const differences = present.map((value, place) => value - original[place]!)
  const share = meanOverTasks(preferred)
  return {
    present: mean(present)!,
    original: mean(original)!,
    difference: { mean: mean(differences)!, ...defined({ overTasks: studentInterval(differences) }) },
    preferred: { ...share, mean: share.mean! },
  }
}
