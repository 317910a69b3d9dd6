import type { Flips } from './evidence.js'
import { eachMeasured } from './rates.js'
import type { Tally } from './tally.js'

/** What can be measured of an episode. */
export const metrics = ['success', 'progress'] as const
/** One of {@link metrics}. */
export type Metric = (typeof metrics)[number]

/** Pairs of two groups of one environment: the same task, seed and temperature, both halves measurements. Lists have one place for each task of the panel. */
export interface Pairs {
  readonly count: number
  readonly flips: Flips
  /** Second minus first, one for each pair. */
  readonly differences: Readonly<Record<Metric, readonly (readonly number[])[]>>
  /** Sums over the pairs, on each side. */
  readonly sums: Readonly<Record<Metric, { readonly first: readonly number[]; readonly second: readonly number[] }>>
}

/** Pairs two groups; `temperatures` are the places of those that enter, `leftOut` tasks that do not. */
export function pairTallies(
  first: Tally,
  second: Tally,
  temperatures: readonly number[],
  leftOut: ReadonlySet<number> = new Set(),
): Pairs {
  const { tasks } = second.shape
  const lists = (): number[][] => Array.from({ length: tasks }, () => [])
  const zeros = (): number[] => Array.from({ length: tasks }, () => 0)
  const differences = { success: lists(), progress: lists() }
  const sums = { success: { first: zeros(), second: zeros() }, progress: { first: zeros(), second: zeros() } }
  const flips = { both: 0, lost: 0, gained: 0, neither: 0 }
  for (let task = 0; task < tasks; task++) {
    if (leftOut.has(task)) continue
    eachMeasured(second, temperatures, task, (slot) => {
      if (first.state[slot] !== 2) return
      for (const metric of metrics) {
        const [before, after] = [first[metric][slot]!, second[metric][slot]!]
        differences[metric][task]!.push(after - before)
        sums[metric].first[task]! += before
        sums[metric].second[task]! += after
      }
      flips[nameFlip(first.success[slot] === 1, second.success[slot] === 1)]++
    })
  }
  const { both, lost, gained, neither } = flips
  return { count: both + lost + gained + neither, flips, differences, sums }
}

function nameFlip(before: boolean, after: boolean): keyof Flips {
  if (before) return after ? 'both' : 'lost'
  return after ? 'gained' : 'neither'
}
