import type { PairedDifference } from 'shaketable/statistics'
import { pairedDifference } from 'shaketable/statistics'
import type { DropRates } from './drop-rates.js'
import type { PairedMeans, Pairs } from './pairs.js'
import { eachMeasured } from './rates.js'
import type { Tally } from './tally.js'
import { testPairs } from './tests.js'
import type { Difference } from './schema.js'

/**
 * Tasks with a dose of zero in every measurement, at any temperature and seed: they are no evidence of robustness. A
 * task is judged as a whole, since the dose of one episode also depends on the model's actions.
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
 * Compares a perturbed group with its clean twin, from their pairs; `passes` is how many seeds and temperatures enter.
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
