import { mean } from '../statistics/index.js'
import { differenceOver, touchedBy } from './differences.js'
import type { BoundedMeans, MeansByTask, Pairs } from './pairs.js'
import { countPlanned } from './passes.js'
import { eachMeasured, taskMean } from './rates.js'
import type { Tally } from './tally.js'
import type { KindScore } from './schema.js'

/**
 * The places of an environment's tasks by their kind, in the order of the panel; undefined for fewer than two kinds.
 */
export function placesByKind(
  tasks: readonly { readonly kind?: string }[],
): ReadonlyMap<string, readonly number[]> | undefined {
  const kinds = new Map<string, number[]>()
  tasks.forEach(({ kind = '' }, place) => {
    const places = kinds.get(kind)
    if (places === undefined) kinds.set(kind, [place])
    else places.push(place)
  })
  return kinds.size < 2 ? undefined : kinds
}

/** Describes a group by the kinds of its tasks; `pairs` are all those with its clean twin, where it has one. */
export function describeKinds(
  kinds: ReadonlyMap<string, readonly number[]>,
  tally: Tally,
  pairs: Pairs | undefined,
  isIdentity: boolean,
): KindScore[] {
  const everywhere = Array.from({ length: tally.shape.temperatures }, (_, place) => place)
  return [...kinds].map(([kind, places]): KindScore => {
    const meanOf = (values: Tally['success'] | Tally['progress']): number | undefined =>
      mean(places.map((task) => taskMean(values, tally, everywhere, task)).filter((score) => !Number.isNaN(score)))
    const [success, progress] = [meanOf(tally.success), meanOf(tally.progress)]
    let valid = 0
    for (const task of places) eachMeasured(tally, everywhere, task, () => valid++)
    return {
      kind,
      tasks: places.length,
      coverage: { valid, planned: places.length * countPlanned(tally, everywhere) },
      ...(success !== undefined && { success }),
      ...(progress !== undefined && { progress }),
      ...(pairs && {
        difference: {
          pairs: places.reduce((sum, task) => sum + pairs.counts[task]!, 0),
          ...(!isIdentity && { touched: touchedBy([tally], everywhere, places) }),
          success: differenceOver(pick(pairs.success, places)),
          progress: differenceOver(pick(pairs.progress, places)),
        },
      }),
    }
  })
}

function pick({ first, second, difference, low, high }: BoundedMeans, places: readonly number[]): MeansByTask {
  const of = (values: Float64Array): number[] => places.map((place) => values[place]!)
  return { first: of(first), second: of(second), difference: of(difference), low: of(low), high: of(high) }
}
