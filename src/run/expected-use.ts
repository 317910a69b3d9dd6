import type { EpisodeRow } from '../results/episode-row.js'
import { isValid } from '../core/episode.js'
import { countsOf } from './budget.js'

/** Calls and tokens: of an episode, or of several. */
export interface ExpectedUse {
  readonly calls: number
  readonly prompt: number
  readonly completion: number
}

/** The fields of a row and of a planned episode that decide what it costs, the most important first. */
type Place = Pick<EpisodeRow, 'environment' | 'model' | 'agent' | 'column'> & {
  /** Whether its model is behind a server. */
  readonly isServed: boolean
}

/**
 * The mean use of stored episodes at a place, or at the nearest place that has some. For a model behind a server those
 * of other such models count alone: control models take no tokens.
 */
export function meansOf(rows: Iterable<EpisodeRow>): (place: Place) => ExpectedUse | undefined {
  const sums = new Map<string, { readonly sum: ExpectedUse; readonly count: number }>()
  for (const row of rows) {
    if (!isValid(row.outcome)) continue
    const use = countsOf(row)
    // Episodes of control models have no date and no tokens, those of replays no date.
    const isServed = row.date !== undefined || use.prompt + use.completion > 0
    for (const key of keysOf({ ...row, isServed })) {
      const { sum, count } = sums.get(key) ?? { sum: noUse, count: 0 }
      sums.set(key, { sum: addUse(sum, use), count: count + 1 })
    }
  }
  return (place) => {
    const keys = [...keysOf(place), ...(place.isServed ? [] : [JSON.stringify([true])])]
    const found = keys.map((key) => sums.get(key)).find((one) => one !== undefined)
    if (found === undefined) return undefined
    const { sum, count } = found
    return { calls: sum.calls / count, prompt: sum.prompt / count, completion: sum.completion / count }
  }
}

export const noUse: ExpectedUse = { calls: 0, prompt: 0, completion: 0 }

export function addUse(one: ExpectedUse, other: ExpectedUse): ExpectedUse {
  return {
    calls: one.calls + other.calls,
    prompt: one.prompt + other.prompt,
    completion: one.completion + other.completion,
  }
}

/** Keys of a place, the narrowest first. */
function keysOf({ environment, model, agent, column, isServed }: Place): string[] {
  const names = [environment, model, agent, column]
  return [4, 3, 2, 1, 0].map((length) => JSON.stringify([isServed, ...names.slice(0, length)]))
}
