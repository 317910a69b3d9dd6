import { difference, expectNumbers } from './_expect-number.js'
import { mean } from './dispersion.js'

/** What {@link differenceVariances} finds in a pilot, in squared shares of 1. */
export interface DifferenceVariances {
  /** Of the tasks' true differences (Miller's ω²), floored at 0. */
  readonly taskVariance: number
  /** Of one pair's difference around its task's true difference. */
  readonly pairVariance: number
  readonly tasks: number
  readonly pairs: number
}

/**
 * Takes the paired differences of a pilot apart: `byTask[t]` holds those of task t, one for each pair. One-way variance components with tasks at random and
 * unequal numbers of pairs (Searle, Casella and McCulloch 1992, ch. 3). Tasks without a pair and differences that are not finite are left out. Undefined below two tasks, and where no task
 * has two pairs: the two parts cannot be told apart.
 * @throws RangeError for a difference outside of −1 to 1.
 */
export function differenceVariances(byTask: readonly (readonly number[])[]): DifferenceVariances | undefined {
  const measured = byTask.map((differences) => differences.filter(Number.isFinite)).filter(({ length }) => length > 0)
  const tasks = measured.length
  const all = measured.flat()
  expectNumbers('each difference', all, difference)
  const pairs = all.length
  if (tasks < 2 || pairs === tasks) return undefined
  const grand = mean(all)!
  let [between, within, squares] = [0, 0, 0]
  for (const differences of measured) {
    const centre = mean(differences)!
    between += differences.length * (centre - grand) ** 2
    squares += differences.length ** 2
    for (const difference of differences) within += (difference - centre) ** 2
  }
  const pairVariance = within / (pairs - tasks)
  const pairsPerTask = (pairs - squares / pairs) / (tasks - 1)
  const taskVariance = Math.max(0, (between / (tasks - 1) - pairVariance) / pairsPerTask)
  return { taskVariance, pairVariance, tasks, pairs }
}
