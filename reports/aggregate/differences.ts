import type { PairedDifference } from 'shaketable/statistics'
import { pairedDifference } from 'shaketable/statistics'
import type { DropRates } from './drop-rates.js'
import type { Flips } from './evidence.js'
import type { PairedMeans, Pairs } from './pairs.js'
import { eachMeasured } from './rates.js'
import type { Tally } from './tally.js'
import type { Tests } from './tests.js'
import { testPairs } from './tests.js'

/**
 * Perturbed minus clean over pairs of the same task, seed and temperature of which both halves are measurements; below
 * 0 is a drop. The task is the cluster. In shares of 1.
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
  /**
   * Performance-drop rate: 1 − perturbed/clean, of the means over the paired tasks; a metric that is 0 on the clean
   * twin is absent.
   */
  readonly dropRate: DropRates
}

/**
 * Tasks of which every measurement, at any temperature and seed, had a dose of zero: they are no evidence of
 * robustness. It is asked of whole tasks, since a single episode's dose also depends on what the model said.
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

/**
 * Compares a perturbed group with its clean twin, which are paired; `passes` is how many seeds and temperatures enter.
 */
export function differenceOf(
  pairs: Pairs,
  passes: number,
  unchanged: ReadonlySet<number>,
  dropRate: DropRates,
): Difference {
  const { count, flips, counts, success, progress } = pairs
  const tests = testPairs(pairs)
  return {
    pairs: count,
    planned: (counts.length - unchanged.size) * passes,
    unchanged: unchanged.size,
    success: differenceOver(success),
    progress: differenceOver(progress),
    ...(tests && { tests }),
    flips,
    dropRate,
  }
}

/** {@link pairedDifference} over the tasks that have a pair. */
export function differenceOver({ difference: byTask }: PairedMeans): PairedDifference {
  return pairedDifference(Array.from(byTask, (mean) => [mean]))
}
