import { mean, standardDeviation } from '../../statistics/dispersion.js'
import { detectableDrop } from '../../statistics/gate-planning.js'
import { meanAboveP, meanBelowP, meanBounds } from '../../statistics/mean-bounds.js'
import type { UnchangedSpread } from '../compare/pass-unchanged.js'
import { passUnchanged } from '../compare/pass-unchanged.js'
import type { MeansByTask } from '../pairs.js'
import type { CellDifference, CheckedCell, Rule } from './check.js'

/** What the differences of a cell's tasks show by themselves. Shares of 1, run minus baseline. */
export type DifferenceTest = Omit<CellDifference, 'baseline' | 'run' | 'adjusted'>

/**
 * Tests a cell's difference by task in both directions with the task as the cluster; see {@link meanAboveP}. Each p is
 * the largest over all outcomes that the missing pairs may have had, so that a verdict by p holds whatever they were.
 * Undefined without a measured pair.
 */
export function testDifference(
  { difference, low, high }: Pick<MeansByTask, 'difference' | 'low' | 'high'>,
  { margin, alpha }: Pick<Rule, 'margin' | 'alpha'>,
): DifferenceTest | undefined {
  const known = [...difference].filter(Number.isFinite)
  const estimate = mean(known)
  if (estimate === undefined) return undefined
  const deviation = standardDeviation(known)
  const total = (power: number): number => known.reduce((sum, one) => sum + one ** power, 0)
  const isWhole = [low, high].every((bound) => bound.every((one, task) => Object.is(one, difference[task])))
  return {
    estimate,
    interval: meanBounds(known, alpha),
    tasks: known.length,
    ...(deviation !== undefined && { deviation }),
    carrying: total(4) === 0 ? 0 : total(2) ** 2 / total(4),
    ...(!isWhole && { worstCase: { low: meanBounds(low, alpha).low, high: meanBounds(high, alpha).high } }),
    p: {
      noninferior: meanAboveP(low, -margin),
      worse: meanBelowP(high, 0),
      better: meanAboveP(low, 0),
    },
  }
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
): CheckedCell['power'] {
  if (deviation === undefined) return undefined
  const taskVariance = Math.max(deviation ** 2, unchanged ? unchanged.baseline + unchanged.run : 0)
  const gate = { margin, alpha: alpha / Math.max(1, judged), taskVariance, pairVariance: 0, tasks, seeds: 1 }
  const detectable = detectableDrop(gate)
  return {
    ...(unchanged && { passUnchanged: passUnchanged(unchanged, { margin, alpha })! }),
    ...(detectable !== undefined && { detectable }),
  }
}
