import { isCopy } from './passes.js'
import { meanOfFirst } from './rates.js'
import type { Tally } from './tally.js'
import type { Flips } from './schema.js'

/** What can be measured of an episode. */
export const metrics = ['success', 'progress'] as const
/** One of {@link metrics}. */
export type Metric = (typeof metrics)[number]

/**
 * Pairs of two groups of one environment: the same task, seed and temperature, both halves measurements. Every task of
 * the panel enters, whatever was changed on it. Lists have one place for each task.
 */
export interface Pairs {
  readonly count: number
  /** How many there would be without a missing episode. */
  readonly planned: number
  readonly flips: Flips
  /** Pairs of each task. */
  readonly counts: Uint32Array
  readonly success: BoundedMeans
  readonly progress: BoundedMeans
  /** Steps and tokens of the pairs in which both succeed. */
  readonly steps: PairedMeans
  readonly tokens: PairedMeans
}

/** A task's mean over temperatures of the mean over its pairs at each; NaN for a task without a pair. */
export interface PairedMeans {
  readonly first: Float64Array
  readonly second: Float64Array
  /** Second minus first. */
  readonly difference: Float64Array
}

/** Means of shares, and what a difference is if everything that is missing of its pairs was lost, or was gained. */
export interface BoundedMeans extends PairedMeans {
  readonly low: Float64Array
  readonly high: Float64Array
}

/** Figures by task, each a mean of {@link BoundedMeans}. */
export type MeansByTask = Readonly<Record<keyof BoundedMeans, readonly number[] | Float64Array>>

/**
 * Pairs two groups at some temperatures, given by their places. A pair of two copies enters the means and is not counted
 * again.
 */
export function pairTallies(first: Tally, second: Tally, temperatures: readonly number[]): Pairs {
  const { tasks } = second.shape
  const passes = plannedPasses(first, second, temperatures)
  const counts = new Uint32Array(tasks)
  const flips = { both: 0, lost: 0, gained: 0, neither: 0 }
  const distinct = passes.flat().filter((pass) => !(isCopy(first, pass) && isCopy(second, pass)))
  const isPair = (slot: number): boolean => first.state[slot] === 2 && second.state[slot] === 2
  const isSolved = (slot: number): boolean => isPair(slot) && first.success[slot] === 1 && second.success[slot] === 1
  for (const pass of distinct) {
    for (let task = 0; task < tasks; task++) {
      const slot = pass * tasks + task
      if (!isPair(slot)) continue
      counts[task]!++
      if (first.success[slot] === 1) flips[second.success[slot] === 1 ? 'both' : 'lost']++
      else flips[second.success[slot] === 1 ? 'gained' : 'neither']++
    }
  }
  const means = (measure: Metric | 'steps' | 'tokens', isIn = isPair): PairedMeans => {
    const [before, after] = [first[measure], second[measure]]
    return {
      first: meansOf(second, passes, (slot) => (isIn(slot) ? before[slot]! : NaN)),
      second: meansOf(second, passes, (slot) => (isIn(slot) ? after[slot]! : NaN)),
      difference: meansOf(second, passes, (slot) => (isIn(slot) ? after[slot]! - before[slot]! : NaN)),
    }
  }
  const count = flips.both + flips.lost + flips.gained + flips.neither
  const planned = distinct.length * tasks
  const bounded = (metric: Metric): BoundedMeans => {
    const known = means(metric)
    const ifMissing = (before: 0 | 1, after: 0 | 1): Float64Array => {
      const read = (tally: Tally, slot: number, missing: number): number =>
        tally.state[slot] === 2 ? tally[metric][slot]! : missing
      return meansOf(second, passes, (slot) => read(second, slot, after) - read(first, slot, before))
    }
    const isWhole = count === planned
    return {
      ...known,
      low: isWhole ? known.difference : ifMissing(1, 0),
      high: isWhole ? known.difference : ifMissing(0, 1),
    }
  }
  return {
    count,
    planned,
    flips,
    counts,
    success: bounded('success'),
    progress: bounded('progress'),
    steps: means('steps', isSolved),
    tokens: means('tokens', isSolved),
  }
}

/** The differences in one metric of {@link pairTallies}, without the rest. */
export function differencesOf(
  first: Tally,
  second: Tally,
  temperatures: readonly number[],
  metric: Metric,
): Float64Array {
  const [before, after] = [first[metric], second[metric]]
  return meansOf(second, plannedPasses(first, second, temperatures), (slot) =>
    first.state[slot] === 2 && second.state[slot] === 2 ? after[slot]! - before[slot]! : NaN,
  )
}

/** The passes that both groups have planned, by temperature. */
export function plannedPasses(first: Tally, second: Tally, temperatures: readonly number[]): number[][] {
  const { seeds } = second.shape
  return temperatures.map((temperature) =>
    Array.from({ length: seeds }, (_, seed) => temperature * seeds + seed).filter(
      (pass) => first.planned[pass] === 1 && second.planned[pass] === 1,
    ),
  )
}

/**
 * By task the mean over temperatures of the mean over the passes of each of what `read` gives; NaN is left out, and is the
 * mean of nothing.
 */
function meansOf(
  { shape: { tasks }, scratch }: Tally,
  passes: readonly (readonly number[])[],
  read: (slot: number) => number,
): Float64Array {
  const means = new Float64Array(tasks)
  for (let task = 0; task < tasks; task++) {
    let known = 0
    for (const own of passes) {
      let count = known
      for (const pass of own) {
        const value = read(pass * tasks + task)
        if (!Number.isNaN(value)) scratch[count++] = value
      }
      if (count === known) continue
      scratch[known] = meanOfFirst(scratch, count, known)
      known++
    }
    means[task] = meanOfFirst(scratch, known)
  }
  return means
}
