import { mean } from '../statistics/dispersion.js'
import type { Interval } from '../statistics/intervals.js'
import { nonInferiorityT } from '../statistics/non-inferiority.js'
import { tangoScore } from '../statistics/tango-score.js'
import type { DifferenceP, Rule } from './check.js'

/** What {@link testDifference} finds. Shares of 1, run minus baseline. */
export interface DifferenceTest {
  readonly estimate: number
  readonly interval: Interval
  readonly tasks: number
  readonly method: 'tango' | 't' | 'score'
  readonly p: DifferenceP
}

/**
 * Tests a cell's difference in both directions, the task as the cluster: `byTask[t]` holds the differences of task t, one for each pair. Successes of one pair a
 * task have Tango's score interval, everything else t over the tasks' means, with the stand-in of `nonInferiorityT` where hardly a task moved. Undefined without
 * a pair.
 *
 * No p by which something moved is below 2^−m where m tasks moved: no permutation of their signs would be, so that at 0.05 fewer than five tasks never are
 * a regression.
 */
export function testDifference(
  byTask: readonly (readonly number[])[],
  { metric, margin, alpha }: Pick<Rule, 'metric' | 'margin' | 'alpha'>,
): DifferenceTest | undefined {
  const isSingle = metric === 'success' && byTask.every(({ length }) => length <= 1)
  const test = isSingle ? testByScore : testByT
  const rising = test(byTask, margin, alpha)
  if (rising === undefined) return undefined
  const falling = byTask.map((differences) => differences.map((difference) => -difference))
  const floor = 2 ** -countMoved(byTask)
  const { estimate, interval, tasks, method } = rising
  return {
    estimate,
    interval,
    tasks,
    method,
    p: {
      noninferior: rising.p,
      worse: Math.max(floor, test(falling, 0, alpha)!.p),
      beyond: Math.max(floor, test(falling, -margin, alpha)!.p),
      better: Math.max(floor, test(byTask, 0, alpha)!.p),
    },
  }
}

type OneSided = Omit<DifferenceTest, 'p'> & { readonly p: number }

function testByScore(byTask: readonly (readonly number[])[], margin: number, alpha: number): OneSided | undefined {
  const differences = byTask.flat()
  const [lost, gained] = [-1, 1].map((sign) => differences.filter((difference) => difference === sign).length)
  const found = tangoScore(lost!, gained!, differences.length, { margin, confidence: 1 - 2 * alpha })
  return found && { ...found, tasks: differences.length, method: 'tango' }
}

function testByT(byTask: readonly (readonly number[])[], margin: number, alpha: number): OneSided | undefined {
  const found = nonInferiorityT(byTask, margin, alpha)
  if (found === undefined) return undefined
  const { lower: low, upper: high, ...rest } = found
  return { ...rest, interval: { low, high } }
}

/** Sums of the same scores in another order are one value. */
const same = 1e-9

function countMoved(byTask: readonly (readonly number[])[]): number {
  return byTask.filter((differences) => Math.abs(mean(differences) ?? 0) > same).length
}
