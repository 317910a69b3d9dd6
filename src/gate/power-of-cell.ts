import type { GateSetting, GateSize } from '../statistics/power-of-gate.js'
import { powerOfGate } from '../statistics/power-of-gate.js'
import { studentQuantile } from '../statistics/student.js'
import type { CellPower, Rule } from './check.js'
import type { DifferenceTest } from './test-difference.js'

const wanted = 0.8
/** Finer than a gate's margin is ever given. */
const precision = 1e-4

/**
 * What the gate could have seen, from the spread that the cell's interval shows. Chances of a fail are at the most timid level of the correction, as if all other
 * cells were fine. Undefined below two tasks.
 */
export function powerOfCell(
  { interval, tasks }: Pick<DifferenceTest, 'interval' | 'tasks'>,
  { margin, alpha, strict, correction }: Rule,
  judged: number,
): CellPower | undefined {
  if (tasks < 2) return undefined
  const standardError = (interval.high - interval.low) / 2 / studentQuantile(1 - alpha, tasks - 1)
  const gate: GateSetting & GateSize = {
    margin,
    strict,
    taskVariance: standardError ** 2 * tasks,
    pairVariance: 0,
    tasks,
    seeds: 1,
  }
  const timid = correction === 'holm' ? alpha / Math.max(1, judged) : alpha
  const failAt = (drop: number): number => cut(powerOfGate({ ...gate, alpha: timid, drop })!.fail)
  return {
    passIfEqual: cut(powerOfGate({ ...gate, alpha })!.pass),
    failAtTwice: failAt(2 * margin),
    ...(failAt(1) >= wanted && { detectable: smallest((drop) => failAt(drop) >= wanted) }),
  }
}

/** Sums of chances may leave 0 to 1 by a rounding error. */
function cut(share: number): number {
  return Math.min(1, Math.max(0, share))
}

/** The smallest share of 1, to the precision, of which something is true that is true of every larger one. */
function smallest(isEnough: (share: number) => boolean): number {
  let [low, high] = [0, 1]
  while (high - low > precision) {
    const middle = (low + high) / 2
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}
