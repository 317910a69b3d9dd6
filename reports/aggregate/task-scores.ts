import { mean } from 'shaketable'
import type { TaskScores } from './evidence.js'
import { eachMeasured } from './rates.js'
import type { Tally } from './tally.js'

/** Scores every task of a group. */
export function scoreTasks(tally: Tally, clean: Tally | undefined, unchanged: ReadonlySet<number>): TaskScores {
  const { temperatures, seeds, tasks } = tally.shape
  const everywhere = Array.from({ length: temperatures }, (_, place) => place)
  const scores = Array.from({ length: tasks }, (_, task) => {
    const progress: number[] = []
    const changes: number[] = []
    let [broken, successes] = [0, 0]
    for (let slot = task; slot < temperatures * seeds * tasks; slot += tasks) if (tally.state[slot] === 1) broken++
    eachMeasured(tally, everywhere, task, (slot) => {
      successes += tally.success[slot]!
      progress.push(tally.progress[slot]!)
      if (clean?.state[slot] === 2 && !unchanged.has(task)) changes.push(tally.success[slot]! - clean.success[slot]!)
    })
    return { valid: progress.length, broken, successes, progress: mean(progress), change: mean(changes) }
  })
  return {
    valid: scores.map(({ valid }) => valid),
    broken: scores.map(({ broken }) => broken),
    successes: scores.map(({ successes }) => successes),
    progress: scores.map(({ progress }) => progress ?? null),
    ...(clean && { change: scores.map(({ change }) => change ?? null) }),
  }
}
