import type { Interval } from '../statistics/index.js'
import { mean, pairedClusterDifference, taskInterval } from '../statistics/index.js'
import { eachMeasured } from './rates.js'
import type { Sums } from './sums.js'
import { natUnit } from './sums.js'
import type { Tally } from './tally.js'
import type { Logprobs, WordingPreference } from './schema.js'

/**
 * Describes a group's log-probabilities at some temperatures, given by their places; the sums are theirs. Undefined
 * where there are none.
 */
export function logprobsOf(
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

/** Of tasks with an episode that has a value: the mean over temperatures of the mean over the seeds of each. */
function taskMeans(values: Float64Array, tally: Tally, temperatures: readonly number[]): number[] {
  const meanAt = (task: number, temperature: number): number | undefined => {
    const own: number[] = []
    eachMeasured(tally, [temperature], task, (slot) => {
      if (!Number.isNaN(values[slot]!)) own.push(values[slot]!)
    })
    return mean(own)
  }
  return Array.from({ length: tally.shape.tasks }, (_, task) =>
    mean(temperatures.map((place) => meanAt(task, place)).filter((value) => value !== undefined)),
  ).filter((value) => value !== undefined)
}
