import { expectNumber, level } from './_expect-number.js'
import { bisect } from './_bisect.js'
import { smallestWhole } from './_smallest-whole.js'
import type { GateSetting, GateSize } from './power-of-gate.js'
import { powerOfGate } from './power-of-gate.js'
import { binomialCdf } from './tails.js'

/** A gate and the chance wanted of its right verdict: pass where the true drop is below the margin, fail otherwise. */
export interface GateWish extends GateSetting {
  /** 0.8 where absent. */
  readonly power?: number
}

const mostTasks = 1_000_000
const mostSeeds = 1_000_000

/**
 * Fewest tasks with which {@link powerOfGate} gives the right verdict the chance wanted, with so many seeds; undefined
 * where a million are not enough.
 * @throws RangeError as {@link powerOfGate}, and unless `power` is between 0 and 1.
 */
export function tasksNeeded(wish: GateWish & Pick<GateSize, 'seeds'>): number | undefined {
  return smallestWhole(2, mostTasks, (tasks) => isEnough({ ...wish, tasks }))
}

/**
 * Fewest seeds with which {@link powerOfGate} gives the right verdict the chance wanted, on so many tasks. Undefined where no number of seeds does (up
 * to a million): seeds do not lower the part √(taskVariance/tasks) of the standard error, only more tasks or a wider margin do.
 * @throws RangeError as {@link powerOfGate}, and unless `power` is between 0 and 1.
 */
export function seedsNeeded(wish: GateWish & Pick<GateSize, 'tasks'>): number | undefined {
  return smallestWhole(1, mostSeeds, (seeds) => isEnough({ ...wish, seeds }))
}

/**
 * Smallest margin at which a true drop (0 where absent) passes with the chance wanted (0.8 where absent), for so many tasks and seeds; undefined where even
 * a margin of 1 does not do.
 * @throws RangeError as {@link powerOfGate}, and unless `power` is between 0 and 1.
 */
export function marginNeeded(wish: Omit<GateWish, 'margin'> & GateSize): number | undefined {
  const { power = 0.8 } = wish
  expectNumber('power', power, level)
  const isShort = (margin: number): boolean => (powerOfGate({ ...wish, margin })?.pass ?? 0) < power
  return isShort(1) ? undefined : bisect(0, 1, isShort)
}

/** A gate whose smallest noticeable drop is asked for. */
export interface DetectionWish extends Omit<GateSetting, 'drop'>, GateSize {
  /** 0.8 where absent. */
  readonly power?: number
}

/** Finer than a margin is ever given. */
const precision = 1e-4

/**
 * The smallest true drop that {@link powerOfGate} fails with the probability wanted, however it is spread over tasks: a
 * drop d that few tasks carry adds a variance of up to d(1 − d) to the tasks' differences, and that is assumed.
 * Undefined where no drop does.
 * @throws RangeError as {@link powerOfGate}, and unless `power` is between 0 and 1.
 */
export function detectableDrop({ power = 0.8, ...gate }: DetectionWish): number | undefined {
  expectNumber('power', power, level)
  // Where each of few tasks is lost wholly, as many of them have to be drawn as the rule asks for.
  const { alpha = 0.05, margin, tasks } = gate
  const fewest = Math.max(Math.ceil(-Math.log2(alpha)), Math.ceil(margin * tasks - 1e-9))
  const isSeen = (drop: number): boolean =>
    (powerOfGate({ ...gate, drop, taskVariance: gate.taskVariance + drop * (1 - drop) })?.fail ?? 0) >= power &&
    1 - binomialCdf(fewest - 1, tasks, drop) >= power
  if (!isSeen(1)) return undefined
  let [low, high] = [0, 1]
  while (high - low > precision) {
    const middle = (low + high) / 2
    if (isSeen(middle)) high = middle
    else low = middle
  }
  return high
}

function isEnough({ power = 0.8, ...gate }: GateWish & GateSize): boolean {
  expectNumber('power', power, level)
  const chances = powerOfGate(gate)
  const wanted = (gate.drop ?? 0) < gate.margin ? chances?.pass : chances?.fail
  return wanted !== undefined && wanted >= power
}
