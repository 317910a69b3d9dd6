import type { Measurements, Passes } from './passes.js'
import { placesOf } from './passes.js'
import { meansByTask } from './rates.js'
import type { Flips } from './schema.js'

/** What can be measured of an episode. */
export const metrics = ['success', 'progress'] as const
/** One of {@link metrics}. */
export type Metric = (typeof metrics)[number]

/** A figure for each of {@link metrics}. */
export function perMetric<Value>(of: (metric: Metric) => Value): Record<Metric, Value> {
  return { success: of('success'), progress: of('progress') }
}

/**
 * Two groups on the same tasks, both halves of a pair measurements. Every task of the panel enters, whatever was
 * changed on it. Lists have one place for each task.
 */
export interface Pairs {
  readonly count: number
  /** How many there would be without a missing episode. */
  readonly planned: number
  readonly flips: Flips
  readonly flipsByTask: Readonly<Record<keyof Flips, Uint32Array>>
  /** What {@link count} counts, of each task. */
  readonly counts: Uint32Array
  readonly success: MeansByTask
  readonly progress: MeansByTask
}

/** A task's mean over temperatures of the mean over its pairs at each; NaN for a task without a pair. */
export interface PairedMeans {
  readonly first: Float64Array
  readonly second: Float64Array
  /** Second minus first. */
  readonly difference: Float64Array
}

/** Means of shares, and what a difference is if everything that is missing of its pairs was lost, or was gained. */
export interface MeansByTask extends PairedMeans {
  readonly low: Float64Array
  readonly high: Float64Array
}

const known = new WeakMap<Measurements, WeakMap<Measurements, Pairs>>()

/** {@link pairBySeed} at all temperatures, computed once for two groups. */
export function pairWhole(first: Measurements, second: Measurements): Pairs {
  const ofFirst = known.get(first) ?? new WeakMap<Measurements, Pairs>()
  const pairs = ofFirst.get(second) ?? pairBySeed(first, second, placesOf(second.shape).temperatures)
  known.set(first, ofFirst.set(second, pairs))
  return pairs
}

/**
 * Pairs the same task, seed and temperature of two groups of one layout, at some temperatures, given by their places. A
 * pair of which both halves are the plays of an earlier pair enters the means and is not counted again.
 */
export function pairBySeed(first: Measurements, second: Measurements, temperatures: readonly number[]): Pairs {
  const { tasks } = second.shape
  const distinct = plannedPasses(first, second, temperatures).flatMap((passes) => distinctPairs(first, second, passes))
  const none = (): Uint32Array => new Uint32Array(tasks)
  const flipsByTask = { both: none(), lost: none(), gained: none(), neither: none() }
  for (const pass of distinct) {
    for (let task = 0; task < tasks; task++) {
      const slot = pass * tasks + task
      if (isPair(first, second, slot))
        flipsByTask[flipOf(first.success[slot] === 1, second.success[slot] === 1)][task]!++
    }
  }
  const { both, lost, gained, neither } = flipsByTask
  const counts = both.map((count, task) => count + lost[task]! + gained[task]! + neither[task]!)
  const planned = distinct.length * tasks
  const isPlanned = (slot: number): boolean => {
    const pass = Math.floor(slot / tasks)
    return first.planned[pass] === 1 && second.planned[pass] === 1
  }
  return {
    planned,
    flipsByTask,
    counts,
    count: sum(counts),
    flips: { both: sum(both), lost: sum(lost), gained: sum(gained), neither: sum(neither) },
    ...perMetric((metric) => {
      const [before, after] = [first[metric], second[metric]]
      const meansOf = (isIn: (slot: number) => boolean, read: (slot: number) => number): Float64Array =>
        meansByTask(second.shape, (slot) => (isIn(slot) ? read(slot) : NaN), temperatures)
      const isKnown = (slot: number): boolean => isPair(first, second, slot)
      const difference = meansOf(isKnown, (slot) => after[slot]! - before[slot]!)
      /** The differences with a score in place of every one that is missing. */
      const ifMissing = (inFirst: 0 | 1, inSecond: 0 | 1): Float64Array =>
        sum(counts) === planned
          ? difference
          : meansOf(
              isPlanned,
              (slot) =>
                (second.state[slot] === 2 ? after[slot]! : inSecond) -
                (first.state[slot] === 2 ? before[slot]! : inFirst),
            )
      return {
        first: meansOf(isKnown, (slot) => before[slot]!),
        second: meansOf(isKnown, (slot) => after[slot]!),
        ...{ difference, low: ifMissing(1, 0), high: ifMissing(0, 1) },
      }
    }),
  }
}

/** The differences in one metric of {@link pairBySeed} at all temperatures, without the rest. */
export function differencesOf(first: Measurements, second: Measurements, metric: Metric): Float64Array {
  const [before, after] = [first[metric], second[metric]]
  return meansByTask(second.shape, (slot) => (isPair(first, second, slot) ? after[slot]! - before[slot]! : NaN))
}

/** Whether no pair differs. */
export function areEqual(first: Measurements, second: Measurements, metric: Metric): boolean {
  return second.state.every((_, slot) => !isPair(first, second, slot) || first[metric][slot] === second[metric][slot])
}

/** The passes that both groups have planned, by temperature. */
function plannedPasses(first: Passes, second: Passes, temperatures: readonly number[]): number[][] {
  const { seeds } = second.shape
  return temperatures.map((temperature) =>
    Array.from({ length: seeds }, (_, seed) => temperature * seeds + seed).filter(
      (pass) => first.planned[pass] === 1 && second.planned[pass] === 1,
    ),
  )
}

/** Of the passes at one temperature the first with each pair of plays. */
function distinctPairs(first: Passes, second: Passes, passes: readonly number[]): number[] {
  const seen = new Set<number>()
  return passes.filter(
    (pass) => seen.size < seen.add(first.sameAs[pass]! * second.shape.seeds + second.sameAs[pass]!).size,
  )
}

export function isPair(first: Passes, second: Passes, slot: number): boolean {
  return first.state[slot] === 2 && second.state[slot] === 2
}

function flipOf(before: boolean, after: boolean): keyof Flips {
  return before ? (after ? 'both' : 'lost') : after ? 'gained' : 'neither'
}

function sum(counts: Uint32Array): number {
  return counts.reduce((total, count) => total + count, 0)
}
