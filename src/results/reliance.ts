import type { TaskChoices } from '../statistics/index.js'
import { interfaceReliance, mean } from '../statistics/index.js'
import { eachMeasured } from './rates.js'
import type { Reliance } from './schema.js'
import type { Sums } from './sums.js'
import type { Tally } from './tally.js'

/**
 * Which of two listed wordings a group's model chose at some temperatures, given by their places; the sums are theirs.
 * Undefined where no condition is in mode `alias`.
 */
export function relianceOf(tally: Tally, temperatures: readonly number[], { choices }: Sums): Reliance | undefined {
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
    temperatures.flatMap((place) => {
      const own: number[] = []
      eachMeasured(tally, [place], task, (slot) => {
        if (!Number.isNaN(shares[slot]!)) own.push(shares[slot]!)
      })
      return mean(own) ?? []
    })
  return Array.from({ length: tally.shape.tasks }, (_, task) => ({
    originalFirst: meansOf(choices.originalFirst, task),
    aliasFirst: meansOf(choices.aliasFirst, task),
  }))
}
