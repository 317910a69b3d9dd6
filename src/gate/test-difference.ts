import { mean, standardDeviation } from '../statistics/dispersion.js'
import type { Interval } from '../statistics/intervals.js'
import { meanAboveP, meanBelowP, meanBounds } from '../statistics/mean-bounds.js'
import type { DifferenceP, Rule } from './check.js'

/** What {@link testDifference} finds. Shares of 1, run minus baseline. */
export interface DifferenceTest {
  readonly estimate: number
  /** Of the pairs that were measured; each bound holds with probability 1 − alpha. */
  readonly interval: Interval
  readonly tasks: number
  /** Sample standard deviation of the tasks' differences. Absent below two tasks. */
  readonly deviation?: number
  /** How many tasks carry the change: (Σd²)²/Σd⁴ over the tasks' differences d; 0 where none differs. */
  readonly carrying: number
  /** The interval over everything that the missing pairs may have been. Absent where none is missing. */
  readonly worstCase?: Interval
  /** The largest over everything that the missing pairs may have been. */
  readonly p: DifferenceP
}

/**
 * The differences of a cell, a list for each task: of the measured pairs, and with missing ones as bad and as good for
 * the run as can be.
 */
export interface CellDifferences {
  readonly measured: readonly (readonly number[])[]
  readonly ifLost?: readonly (readonly number[])[]
  readonly ifGained?: readonly (readonly number[])[]
}

/**
 * Tests a cell's difference in both directions with the task as the cluster; see {@link meanAboveP}. A verdict that
 * rests on p holds whatever the missing pairs would have been. Undefined without a measured pair.
 */
export function testDifference(
  { measured, ifLost = measured, ifGained = measured }: CellDifferences,
  { margin, alpha }: Pick<Rule, 'margin' | 'alpha'>,
): DifferenceTest | undefined {
  const [known, low, high] = [taskMeans(measured), taskMeans(ifLost), taskMeans(ifGained)]
  const estimate = mean(known)
  if (estimate === undefined) return undefined
  const deviation = standardDeviation(known)
  const squares = known.map((difference) => difference * difference)
  const [sum, fourth] = [total(squares), total(squares.map((square) => square * square))]
  return {
    estimate,
    interval: meanBounds(known, alpha),
    tasks: known.length,
    ...(deviation !== undefined && { deviation }),
    carrying: fourth === 0 ? 0 : (sum * sum) / fourth,
    ...(ifLost !== measured && {
      worstCase: { low: meanBounds(low, alpha).low, high: meanBounds(high, alpha).high },
    }),
    p: {
      noninferior: meanAboveP(low, -margin),
      worse: meanBelowP(high, 0),
      beyond: meanBelowP(high, -margin),
      better: meanAboveP(low, 0),
    },
  }
}

function taskMeans(byTask: readonly (readonly number[])[]): number[] {
  return byTask.map(mean).filter((difference) => difference !== undefined)
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
