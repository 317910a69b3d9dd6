import { mean, passAtK, passHatK } from '../statistics/index.js'
import { countDistinct, isCopy } from './passes.js'
import { eachMeasured, meanOverTasks } from './rates.js'
import type { Tally } from './tally.js'
import type { Trials } from './schema.js'

/** Every k for which pass@k and pass^k are reported. */
export const tries = [1, 2, 5, 10] as const
/** One of {@link tries}. */
export type Tries = (typeof tries)[number]

/**
 * Computes {@link Trials} at one temperature, given by its place; undefined for one seed, copies of one play, or no
 * measurement.
 */
export function trialsOf(tally: Tally, temperature: number): Trials | undefined {
  if (countDistinct(tally, temperature) < 2) return undefined
  const tasks: { readonly trials: number; readonly successes: number; readonly progress: number }[] = []
  for (let task = 0; task < tally.shape.tasks; task++) {
    let [trials, successes, progress] = [0, 0, 0]
    eachMeasured(tally, [temperature], task, (slot) => {
      if (isCopy(tally, (slot - task) / tally.shape.tasks)) return
      trials++
      successes += tally.success[slot]!
      progress = Math.max(progress, tally.progress[slot]!)
    })
    if (trials > 0) tasks.push({ trials, successes, progress })
  }
  if (tasks.length === 0) return undefined
  const fewest = tasks.reduce((least, { trials }) => Math.min(least, trials), Infinity)
  const possible = tries.filter((k) => k <= fewest)
  const perTries = (estimate: typeof passAtK): Partial<Record<Tries, number>> =>
    Object.fromEntries(possible.map((k) => [k, mean(tasks.map((task) => estimate(task.trials, task.successes, k)!))!]))
  const bestOf = (scores: readonly number[]): Trials['best']['success'] => {
    const best = meanOverTasks(scores)
    return { ...best, mean: best.mean! }
  }
  const success = bestOf(tasks.map(({ successes }) => Number(successes > 0)))
  const best = { success, progress: bestOf(tasks.map(({ progress }) => progress)) }
  return { tasks: tasks.length, fewest, best, passAt: perTries(passAtK), passHat: perTries(passHatK) }
}
