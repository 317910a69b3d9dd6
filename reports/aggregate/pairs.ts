import { meanOfFirst } from './rates.js'
import type { Tally } from './tally.js'
import type { Flips } from './schema.js'

/** What can be measured of an episode. */
export const metrics = ['success', 'progress'] as const
/** One of {@link metrics}. */
export type Metric = (typeof metrics)[number]

/**
 * Pairs of two groups of one environment: the same task, seed and temperature, both halves measurements. Lists have one
 * place for each task of the panel.
 */
export interface Pairs {
  readonly count: number
  /** Passes that both groups have, each counted once where it is a copy in both. */
  readonly passes: number
  readonly flips: Flips
  /** Pairs of each task. */
  readonly counts: Uint32Array
  readonly success: PairedMeans
  readonly progress: PairedMeans
  /** Steps and tokens of the pairs in which both succeed. */
  readonly steps: PairedMeans
  readonly tokens: PairedMeans
}

/** Means over the pairs of each task; NaN for a task without one. */
export interface PairedMeans {
  readonly first: Float64Array
  readonly second: Float64Array
  /** Second minus first. */
  readonly difference: Float64Array
}

/**
 * Pairs two groups at some temperatures, given by their places; a pair counts once where both of its halves are copies.
 * `leftOut` are tasks that do not enter.
 */
export function pairTallies(
  first: Tally,
  second: Tally,
  temperatures: readonly number[],
  leftOut: ReadonlySet<number> = new Set(),
): Pairs {
  const { tasks } = second.shape
  const passes = distinctPasses(first, second, temperatures)
  const slots = new Uint32Array(passes.length)
  const counts = new Uint32Array(tasks)
  const [success, progress, steps, tokens] = [noMeans(tasks), noMeans(tasks), noMeans(tasks), noMeans(tasks)]
  let [both, lost, gained, neither] = [0, 0, 0, 0]
  for (let task = 0; task < tasks; task++) {
    if (leftOut.has(task)) continue
    const count = findPairs(first, second, passes, task, slots)
    if (count === 0) continue
    counts[task] = count
    for (let pair = 0; pair < count; pair++) {
      const before = first.success[slots[pair]!]
      const after = second.success[slots[pair]!]
      if (before === 1 && after === 1) both++
      else if (before === 1) lost++
      else if (after === 1) gained++
      else neither++
    }
    fillMeans(success, task, first.success, second.success, slots, count, second.scratch)
    fillMeans(progress, task, first.progress, second.progress, slots, count, second.scratch)
    let solved = 0
    for (let pair = 0; pair < count; pair++) {
      const slot = slots[pair]!
      if (first.success[slot] === 1 && second.success[slot] === 1) slots[solved++] = slot
    }
    if (solved === 0) continue
    fillMeans(steps, task, first.steps, second.steps, slots, solved, second.scratch)
    fillMeans(tokens, task, first.tokens, second.tokens, slots, solved, second.scratch)
  }
  const flips = { both, lost, gained, neither }
  return {
    count: both + lost + gained + neither,
    passes: passes.length,
    flips,
    counts,
    success,
    progress,
    steps,
    tokens,
  }
}

/** The differences in one metric of {@link pairTallies}, without the rest. */
export function differencesOf(
  first: Tally,
  second: Tally,
  temperatures: readonly number[],
  metric: Metric,
): Float64Array {
  const { tasks } = second.shape
  const passes = distinctPasses(first, second, temperatures)
  const slots = new Uint32Array(passes.length)
  const means = noMeans(tasks)
  for (let task = 0; task < tasks; task++) {
    const count = findPairs(first, second, passes, task, slots)
    if (count > 0) fillMeans(means, task, first[metric], second[metric], slots, count, second.scratch)
  }
  return means.difference
}

/** Writes the slots of a task's pairs to the front of `slots`; returns how many there are. */
function findPairs(first: Tally, second: Tally, passes: readonly number[], task: number, slots: Uint32Array): number {
  const { tasks } = second.shape
  let count = 0
  for (const pass of passes) {
    const slot = pass * tasks + task
    if (first.state[slot] === 2 && second.state[slot] === 2) slots[count++] = slot
  }
  return count
}

/**
 * The passes that both groups have at some temperatures, without those that are copies of an earlier one in both.
 */
export function distinctPasses(first: Tally, second: Tally, temperatures: readonly number[]): number[] {
  const { seeds } = second.shape
  return temperatures.flatMap((temperature) => {
    const seen = new Set<number>()
    return Array.from({ length: seeds }, (_, seed) => temperature * seeds + seed).filter((pass) => {
      const pair = first.sameAs[pass]! * seeds + second.sameAs[pass]!
      if (first.planned[pass] === 0 || second.planned[pass] === 0 || seen.has(pair)) return false
      seen.add(pair)
      return true
    })
  })
}

function fillMeans(
  means: PairedMeans,
  task: number,
  before: Uint8Array | Uint32Array | Float64Array,
  after: Uint8Array | Uint32Array | Float64Array,
  slots: Uint32Array,
  count: number,
  scratch: Float64Array,
): void {
  let [first, second] = [0, 0]
  for (let pair = 0; pair < count; pair++) {
    const one = before[slots[pair]!]!
    const other = after[slots[pair]!]!
    first += one
    second += other
    scratch[pair] = other - one
  }
  means.first[task] = first / count
  means.second[task] = second / count
  means.difference[task] = meanOfFirst(scratch, count)
}

function noMeans(tasks: number): PairedMeans {
  const nothing = (): Float64Array => new Float64Array(tasks).fill(NaN)
  return { first: nothing(), second: nothing(), difference: nothing() }
}
