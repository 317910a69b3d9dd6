import { type Measurements, type Passes, placesOf } from './passes.js'
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

/** A task's mean over temperatures of the mean over its pairs at each, a share; NaN for a task without a pair. */
export interface MeansByTask {
  readonly first: Float64Array
  readonly second: Float64Array
  /** Second minus first, and what it is if everything that is missing of the pairs was lost, or was gained. */
  readonly difference: Float64Array
  readonly low: Float64Array
  readonly high: Float64Array
}

/** See {@link pairBySeed}. Lists have one place for each task. */
export type Pairs = ReturnType<typeof pairBySeed>

const known = new WeakMap<Measurements, WeakMap<Measurements, Pairs>>()

/** {@link pairBySeed} at all temperatures, computed once for two groups. */
export function pairWhole(first: Measurements, second: Measurements): Pairs {
  const ofFirst = known.get(first) ?? new WeakMap<Measurements, Pairs>()
  const pairs = ofFirst.get(second) ?? pairBySeed(first, second, placesOf(second.shape).temperatures)
  known.set(first, ofFirst.set(second, pairs))
  return pairs
}

/**
 * Pairs the same task, seed and temperature of two groups of one layout, at some temperatures, given by their places;
 * both halves of a pair are measurements. Every task of the panel enters, whatever was changed on it. A pair of which
 * both halves are the plays of an earlier pair enters the means and is not counted again.
 */
export function pairBySeed(first: Measurements, second: Measurements, temperatures: readonly number[]) {
  const { tasks } = second.shape
  const distinct = distinctPasses(first, second, temperatures)
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
    /** How many pairs there would be without a missing episode; how many there are of each task and in all. */
    ...{ planned, counts, count: sum(counts), flipsByTask },
    flips: { both: sum(both), lost: sum(lost), gained: sum(gained), neither: sum(neither) },
    ...perMetric((metric): MeansByTask => {
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

/** Of the passes that both groups have planned at some temperatures the first with each pair of plays. */
function distinctPasses(first: Passes, second: Passes, temperatures: readonly number[]): number[] {
  const { seeds } = second.shape
  return temperatures.flatMap((temperature) => {
    const plays = new Set<number>()
    const isNew = (pass: number): boolean =>
      plays.size < plays.add(first.sameAs[pass]! * seeds + second.sameAs[pass]!).size
    return Array.from({ length: seeds }, (_, seed) => temperature * seeds + seed).filter(
      (pass) => first.planned[pass] === 1 && second.planned[pass] === 1 && isNew(pass),
    )
  })
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
