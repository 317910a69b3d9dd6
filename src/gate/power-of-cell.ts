import { detectableDrop } from '../statistics/gate-planning.js'
import { powerOfGate } from '../statistics/power-of-gate.js'
import type { CellPower, Rule } from './check.js'
import type { DifferenceTest } from './test-difference.js'

/**
 * What the gate could have seen, from the spread of the tasks' differences. Fails are at the most conservative level of
 * the correction, as if all other cells were fine. Undefined below two tasks.
 */
export function powerOfCell(
  { deviation, tasks }: Pick<DifferenceTest, 'deviation' | 'tasks'>,
  { margin, alpha, strict, correction }: Rule,
  judged: number,
): CellPower | undefined {
  if (deviation === undefined) return undefined
  const gate = { margin, strict, taskVariance: deviation ** 2, pairVariance: 0, tasks, seeds: 1 }
  const corrected = correction === 'holm' ? alpha / Math.max(1, judged) : alpha
  const twice = Math.min(1, 2 * margin)
  const detectable = detectableDrop({ ...gate, alpha: corrected })
  const spread = gate.taskVariance + twice * (1 - twice)
  return {
    passIfEqual: powerOfGate({ ...gate, alpha })!.pass,
    failAtTwice: powerOfGate({ ...gate, alpha: corrected, drop: twice, taskVariance: spread })!.fail,
    ...(detectable !== undefined && { detectable }),
  }
}
