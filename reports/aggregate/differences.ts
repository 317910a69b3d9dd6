import type { PairedDifference } from 'shaketable'
import { pairedDifference } from 'shaketable'
import type { Drawing } from './drawing.js'
import type { DropRates } from './drop-rates.js'
import type { Flips } from './evidence.js'
import type { PairedMeans, Pairs } from './pairs.js'
import { eachMeasured } from './rates.js'
import type { Tally } from './tally.js'
import type { Tests } from './tests.js'
import { testPairs } from './tests.js'

/**
 * Perturbed minus clean over pairs of the same task, seed and temperature of which both halves are measurements; below 0 is a drop. The task is the
 * cluster. In shares of 1; intervals are cut to −1 and 1.
 */
export interface Difference {
  readonly pairs: number
  /** Pairs that the plan has on the tasks that were changed. */
  readonly planned: number
  /** Tasks left out because the perturbation changed nothing in any of their episodes. */
  readonly unchanged: number
  readonly success: PairedDifference
  readonly progress: PairedDifference
  /** Absent without a pair. */
  readonly tests?: Tests
  readonly flips: Flips
  /** Performance-drop rate: 1 − perturbed/clean, of the means over the paired tasks; a metric that is 0 on the clean twin is absent. */
  readonly dropRate: DropRates
}

/**
 * Tasks of which every measurement, at any temperature and seed, had a dose of zero: they are no evidence of robustness. It is asked of whole tasks,
 * since a single episode's dose also depends on what the model said.
 */
export function findUnchanged(perturbed: Tally): ReadonlySet<number> {
  const everywhere = Array.from({ length: perturbed.shape.temperatures }, (_, place) => place)
  const unchanged = new Set<number>()
  for (let task = 0; task < perturbed.shape.tasks; task++) {
    let measured = 0
    let changed = 0
    eachMeasured(perturbed, everywhere, task, (slot) => {
      measured++
      changed += perturbed.changed[slot]!
    })
    if (measured > 0 && changed === 0) unchanged.add(task)
  }
  return unchanged
}

/** Compares a perturbed group with its clean twin, which are paired; `passes` is how many seeds and temperatures enter, `address` names the comparison. */
export function differenceOf(
  pairs: Pairs,
  passes: number,
  unchanged: ReadonlySet<number>,
  dropRate: DropRates,
  drawing: Drawing,
  ...address: readonly (string | number)[]
): Difference {
  const { count, flips, counts, success, progress } = pairs
  const tests = testPairs(pairs, drawing, ...address)
  return {
    pairs: count,
    planned: (counts.length - unchanged.size) * passes,
    unchanged: unchanged.size,
    success: boundedDifference(success),
    progress: boundedDifference(progress),
    ...(tests && { tests }),
    flips,
    dropRate,
  }
}

/** {@link pairedDifference} of shares: they differ by 1 at most, which the t interval of a few tasks does not know. */
export function boundedDifference({ difference: byTask }: PairedMeans): PairedDifference {
  const difference = pairedDifference(Array.from(byTask, (mean) => (Number.isNaN(mean) ? [] : [mean])))
  const { interval } = difference
  if (interval === undefined) return difference
  return { ...difference, interval: { low: Math.max(-1, interval.low), high: Math.min(1, interval.high) } }
}
