import type { Interval } from 'shaketable/statistics'
import { mean, pairedClusterDifference, taskInterval } from 'shaketable/statistics'
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

/** Of tasks with an episode that has a value; a seed that is a copy of another is left out. */
function taskMeans(values: Float64Array, tally: Tally, temperatures: readonly number[]): number[] {
  const { seeds, tasks } = tally.shape
  return Array.from({ length: tasks }, (_, task) => {
    const own: number[] = []
    eachMeasured(tally, temperatures, task, (slot) => {
      const pass = Math.floor(slot / tasks)
      if (tally.sameAs[pass] === pass % seeds && !Number.isNaN(values[slot]!)) own.push(values[slot]!)
    })
    return mean(own)
  }).filter((value) => value !== undefined)
}
