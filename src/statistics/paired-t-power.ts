import { count, expectNumber, finite, level } from './_expect-number.js'
import { overSpread } from './_over-spread.js'
import { smallestWhole } from './_smallest-whole.js'
import { normalCdf } from './normal.js'
import { studentQuantile } from './student.js'

/**
 * Chance that a two-sided paired t test sees a true difference of `effect` standard deviations of the tasks' differences, for normal differences:
 * the noncentral t distribution, as a normal probability averaged over the sample deviation. Undefined below two tasks.
 * @throws RangeError unless `effect` is finite, `tasks` is a count and `alpha` is between 0 and 1.
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
  expectNumber('effect', effect, finite)
  expectNumber('tasks', tasks, count)
  expectNumber('alpha', alpha, level)
  const df = tasks - 1
  if (df <= 0) return undefined
  const critical = studentQuantile(1 - alpha / 2, df)
  const shift = effect * Math.sqrt(tasks)
  return overSpread(df, (v) => normalCdf(shift - critical * v) + normalCdf(-shift - critical * v))
}

/**
 * Fewest tasks with which {@link pairedTPower} is at least `power`; undefined where a million are not enough.
 * @throws RangeError where {@link pairedTPower} does, and unless `power` is between 0 and 1.
 */
export function pairedTTasks({
  effect,
  alpha = 0.05,
  power = 0.8,
}: {
  readonly effect: number
  readonly alpha?: number
  readonly power?: number
}): number | undefined {
  expectNumber('power', power, level)
  return smallestWhole(2, 1_000_000, (tasks) => pairedTPower({ effect, tasks, alpha })! >= power)
}
