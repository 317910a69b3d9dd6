import { binomialCdf } from './distributions.js'
import { type GateSetting, type GateSize, powerOfGate } from './power-of-gate.js'

/**
 * A gate and the wanted probability of its right verdict: pass where the true drop is below the margin, fail otherwise.
 */
export interface GateTarget extends GateSetting {
  /** 0.8 where absent. */
  readonly power?: number
}

const maxSize = 1_000_000

/**
 * Fewest tasks with which {@link powerOfGate} gives the right verdict with the wanted probability, with this number of
 * seeds; undefined where a million are not enough.
 */
export function tasksNeeded(target: GateTarget & Pick<GateSize, 'seeds'>): number | undefined {
  return smallestWhole(2, (tasks) => isEnough({ ...target, tasks }))
}

/**
 * Fewest seeds with which {@link powerOfGate} gives the right verdict with the wanted probability, on this number of
 * tasks. Undefined where a million are not enough: seeds do not lower the part √(taskVariance/tasks) of the standard
 * error. More tasks do, and a wider margin makes it matter less.
 */
export function seedsNeeded(target: GateTarget & Pick<GateSize, 'tasks'>): number | undefined {
  return smallestWhole(1, (seeds) => isEnough({ ...target, seeds }))
}

/**
 * Smallest margin at which a true drop (0 where absent) passes with the wanted probability (0.8 where absent), for this
 * number of tasks and seeds; undefined where even a margin of 1 is too small.
 */
export function marginNeeded(target: Omit<GateTarget, 'margin'> & GateSize): number | undefined {
  const { power = 0.8 } = target
  const isShort = (margin: number): boolean => (powerOfGate({ ...target, margin })?.pass ?? 0) < power
  return isShort(1) ? undefined : bisect(0, 1, isShort)
}

/** A gate and the wanted probability with which it detects a drop. */
export interface DetectionTarget extends Omit<GateSetting, 'drop'>, GateSize {
  /** 0.8 where absent. */
  readonly power?: number
}

const precision = 1e-4

/**
 * The smallest true drop that {@link powerOfGate} fails with the wanted probability, however it is spread over tasks.
 * Assumes the largest variance, d(1 − d), that a drop d adds to the tasks' differences where few tasks carry it.
 * Undefined where no drop does.
 */
export function detectableDrop({ power = 0.8, ...gate }: DetectionTarget): number | undefined {
  // Where a drop means that few tasks are lost wholly, the sample must hold enough of them for the rule to fail.
  const { alpha = 0.05, margin, tasks } = gate
  const fewest = Math.max(Math.ceil(-Math.log2(alpha)), Math.ceil(margin * tasks - 1e-9))
  const isSeen = (drop: number): boolean =>
    (powerOfGate({ ...gate, drop, taskVariance: Math.min(2, gate.taskVariance + drop * (1 - drop)) })?.fail ?? 0) >=
      power && 1 - binomialCdf(fewest - 1, tasks, drop) >= power
  return isSeen(1) ? bisect(0, 1, (drop) => !isSeen(drop), precision) : undefined
}

function isEnough({ power = 0.8, ...gate }: GateTarget & GateSize): boolean {
  const verdicts = powerOfGate(gate)
  const wanted = (gate.drop ?? 0) < gate.margin ? verdicts?.pass : verdicts?.fail
  return wanted !== undefined && wanted >= power
}

/**
 * Smallest whole number from `from` to a million that is enough, where all larger ones are enough too; undefined where
 * none is.
 */
function smallestWhole(from: number, isEnough: (number: number) => boolean): number | undefined {
  let low = from - 1
  let high = from
  while (!isEnough(high)) {
    if (high >= maxSize) return undefined
    low = high
    high = Math.min(maxSize, high * 2)
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

/** The end, within `precision`, of the numbers from `low` on for which `isBelow` is true; it is false at `high`. */
function bisect(low: number, high: number, isBelow: (x: number) => boolean, precision = 0): number {
  for (;;) {
    const middle = (low + high) / 2
    if (high - low <= precision || middle <= low || middle >= high) return high
    if (isBelow(middle)) low = middle
    else high = middle
  }
}
