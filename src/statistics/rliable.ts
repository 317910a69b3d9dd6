import { expectNumber, expectNumbers, expectScores, finite } from './_expect-number.js'
import { mean } from './dispersion.js'

/**
 * Interquartile mean: mean of the middle half, ⌊n/4⌋ values cut at either end and none weighted by a part, as in rliable (Agarwal 2021, arXiv 2108.13264).
 * Over all runs and tasks of a progress rate; of successes and failures it says little. Undefined for no values.
 * @throws RangeError for a value that is not finite.
 */
export function interquartileMean(values: readonly number[]): number | undefined {
  expectNumbers('each value', values, finite)
  const cut = Math.floor(values.length / 4)
  return mean([...Float64Array.from(values).sort()].slice(cut, values.length - cut))
}

/**
 * How far scores fall short of `target` on average, more than the target counting as the target (Agarwal 2021): target
 * − mean(min(score, target)).
 * @throws RangeError for a value or a target that is not finite.
 */
export function optimalityGap(values: readonly number[], target = 1): number | undefined {
  expectNumbers('each value', values, finite)
  expectNumber('target', target, finite)
  const reached = mean(values.map((value) => Math.min(value, target)))
  return reached === undefined ? undefined : target - reached
}

/**
 * Chance that a run of one model beats a run of another on a task drawn at random, ties half (Agarwal 2021): mean over tasks of the Mann-Whitney
 * U/(n·m). Scores are `first[run][task]`; NaN are left out, and so are tasks that either has no run of. Undefined where no task is left.
 * @throws RangeError for runs of unequal length, and for an infinite score.
 */
export function probabilityOfImprovement(
  first: readonly (readonly number[])[],
  second: readonly (readonly number[])[],
): number | undefined {
  expectScores('runs', [...first, ...second])
  const chances = (first[0] ?? []).map((_, task) => {
    const [ours, theirs] = [taskScores(first, task), taskScores(second, task)]
    return mean(ours.flatMap((one) => theirs.map((other) => (one > other ? 1 : one === other ? 0.5 : 0))))
  })
  return mean(chances.filter((chance) => chance !== undefined))
}

/**
 * Performance profile: for each threshold the share of values above it (Agarwal 2021, run-score distribution). Empty
 * for no values.
 * @throws RangeError for a value or a threshold that is not finite.
 */
export function performanceProfile(values: readonly number[], thresholds: readonly number[]): readonly number[] {
  expectNumbers('each value', values, finite)
  expectNumbers('each threshold', thresholds, finite)
  if (values.length === 0) return []
  return thresholds.map((threshold) => values.filter((value) => value > threshold).length / values.length)
}

function taskScores(runs: readonly (readonly number[])[], task: number): number[] {
  return runs.map((run) => run[task]!).filter((score) => !Number.isNaN(score))
}
