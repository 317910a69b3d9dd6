import { overSpread } from './_over-spread.js'
import { smallestWhole } from './_smallest-whole.js'
import { normalCdf } from './normal.js'
import { studentQuantile } from './student.js'

/**
 * Chance that a two-sided paired t test sees a true difference of `effect` standard deviations of the tasks' differences, for normal differences:
 * the noncentral t distribution, as a normal probability averaged over the sample deviation. Undefined below two tasks.
 */
export function pairedTPower({
  effect,
  tasks,
  alpha = 0.05,
}: {
  readonly effect: number
  readonly tasks: number
  readonly alpha?: number
}): number | undefined {
  const df = tasks - 1
  if (!(df > 0)) return undefined
  const critical = studentQuantile(1 - alpha / 2, df)
  const shift = effect * Math.sqrt(tasks)
  return overSpread(df, (v) => normalCdf(shift - critical * v) + normalCdf(-shift - critical * v))
}

/** Fewest tasks with which {@link pairedTPower} is at least `power`; undefined where a million are not enough. */
export function pairedTTasks({
  effect,
  alpha = 0.05,
  power = 0.8,
}: {
  readonly effect: number
  readonly alpha?: number
  readonly power?: number
}): number | undefined {
  return smallestWhole(2, 1_000_000, (tasks) => pairedTPower({ effect, tasks, alpha })! >= power)
}
