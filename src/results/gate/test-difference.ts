import { mean, standardDeviation } from '../../statistics/dispersion.js'
import { detectableDrop } from '../../statistics/gate-planning.js'
import { meanAboveP, meanBelowP, meanBounds } from '../../statistics/mean-bounds.js'
import type { UnchangedSpread } from '../compare/pass-unchanged.js'
import { passUnchanged } from '../compare/pass-unchanged.js'
import type { CellDifference, CellPower, Rule } from './check.js'

/** What the differences of a cell's tasks show by themselves. Shares of 1, run minus baseline. */
export type DifferenceTest = Omit<CellDifference, 'baseline' | 'run' | 'adjusted'>

/**
 * The differences of a cell by task, NaN without one: of the measured pairs, and with the missing ones filled with the
 * worst and with the best outcomes of the run.
 */
export interface CellDifferences {
  readonly measured: readonly number[]
  readonly ifLost?: readonly number[]
  readonly ifGained?: readonly number[]
}

/**
 * Tests a cell's difference in both directions with the task as the cluster; see {@link meanAboveP}. Each p is the
 * largest over all outcomes that the missing pairs may have had, so that a verdict by p holds whatever they were.
 * Undefined without a measured pair.
 */
export function testDifference(
  { measured, ifLost = measured, ifGained = measured }: CellDifferences,
  { margin, alpha }: Pick<Rule, 'margin' | 'alpha'>,
): DifferenceTest | undefined {
  const [known, low, high] = [measured, ifLost, ifGained].map((some) => some.filter(Number.isFinite)) as [
    number[],
    number[],
    number[],
  ]
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
      better: meanAboveP(low, 0),
    },
  }
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/**
 * The power of the gate. A pass where nothing changed is at the spread of repeats, absent where that is unknown; a fail
 * is at the spread of the tasks' differences, or of repeats where that is larger. Fails are at the most conservative
 * level of the correction, as if all other cells passed. Undefined below two tasks.
 */
export function powerOfCell(
  { deviation, tasks }: Pick<DifferenceTest, 'deviation' | 'tasks'>,
  unchanged: UnchangedSpread | undefined,
  { margin, alpha }: Rule,
  judged: number,
): CellPower | undefined {
  if (deviation === undefined) return undefined
  const taskVariance = Math.max(deviation ** 2, unchanged ? unchanged.baseline + unchanged.run : 0)
  const gate = { margin, alpha: alpha / Math.max(1, judged), taskVariance, pairVariance: 0, tasks, seeds: 1 }
  const detectable = detectableDrop(gate)
  return {
    ...(unchanged && { passUnchanged: passUnchanged(unchanged, { margin, alpha })! }),
    ...(detectable !== undefined && { detectable }),
  }
}
