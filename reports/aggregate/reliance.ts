import type { TaskChoices } from 'shaketable/statistics'
import { interfaceReliance } from 'shaketable/statistics'
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

/** By task, the episodes with a choice; a seed that is a copy of another is left out. */
function choicesOf(tally: Tally, temperatures: readonly number[]): TaskChoices[] {
  const { choices } = tally
  if (choices === undefined) return []
  const { seeds, tasks } = tally.shape
  return Array.from({ length: tasks }, (_, task) => {
    const of = { originalFirst: [] as number[], aliasFirst: [] as number[] }
    eachMeasured(tally, temperatures, task, (slot) => {
      const pass = Math.floor(slot / tasks)
      if (tally.sameAs[pass] !== pass % seeds) return
      if (!Number.isNaN(choices.originalFirst[slot]!)) of.originalFirst.push(choices.originalFirst[slot]!)
      if (!Number.isNaN(choices.aliasFirst[slot]!)) of.aliasFirst.push(choices.aliasFirst[slot]!)
    })
    return of
  })
}
