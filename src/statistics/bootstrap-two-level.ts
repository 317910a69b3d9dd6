import { count, expectNumber, expectNumbers, finite } from './_expect-number.js'
import { wholeNumbers } from './_whole-numbers.js'

/** How {@link bootstrapTwoLevel} draws. */
export interface TwoLevel {
  readonly tasks: number
  readonly seeds: number
  /** 10,000 where absent. */
  readonly resamples?: number
  /** Numbers in [0, 1). */
  readonly random: () => number
}

/**
 * Means of arms that were played on the same tasks and seeds, over bootstrap resamples: tasks are drawn with replacement, and within each drawn task its
 * seeds; every arm sees the same draw, so that differences of its `means` are paired. An arm holds `tasks · seeds` scores, tasks outermost, NaN where there is
 * no measurement. A resample's mean is that over its drawn tasks of the mean over the drawn measurements, tasks without one left out; NaN where no
 * task has one. Drawing seeds too makes it somewhat wider than the spread of task means says (Field and Welsh 2007, J. R. Statist. Soc. B 69:369).
 * @throws RangeError where an arm is not of that length or holds an infinite score, and for what are not counts.
 */
export function bootstrapTwoLevel(
  arms: readonly Float64Array[],
  { tasks, seeds, resamples = 10_000, random }: TwoLevel,
): { readonly means: readonly Float64Array[] } {
  expectNumber('tasks', tasks, count)
  expectNumber('seeds', seeds, count)
  expectNumber('resamples', resamples, count)
  const wrong = arms.find((arm) => arm.length !== tasks * seeds)
  if (wrong !== undefined) {
    throw new RangeError(
      `Expected arms of ${String(tasks)} tasks × ${String(seeds)} seeds, got one of ${String(wrong.length)} scores. Fill what was not measured with NaN.`,
    )
  }
  const means = arms.map(() => new Float64Array(resamples))
  const scores = interleave(arms)
  const known = scores.filter((score) => !Number.isNaN(score))
  expectNumbers('each score', known, finite)
  const resample = known.length < scores.length ? resampleWithGaps : resampleWhole
  resample(scores, means, tasks, seeds, wholeNumbers(random))
  return { means }
}

type Resample = (
  scores: Float64Array,
  means: readonly Float64Array[],
  tasks: number,
  seeds: number,
  draw: (below: number) => number,
) => void

/** All arms' scores of one episode side by side: a draw then touches one stretch of memory. */
function interleave(arms: readonly Float64Array[]): Float64Array {
  const scores = new Float64Array(arms.length * (arms[0]?.length ?? 0))
  arms.forEach((arm, place) => {
    arm.forEach((score, episode) => (scores[episode * arms.length + place] = score))
  })
  return scores
}

const resampleWhole: Resample = (scores, means, tasks, seeds, draw) => {
  const arms = means.length
  const sums = new Float64Array(arms)
  const resamples = means[0]?.length ?? 0
  for (let resample = 0; resample < resamples; resample++) {
    sums.fill(0)
    for (let drawn = 0; drawn < tasks; drawn++) {
      const first = draw(tasks) * seeds
      for (let repeat = 0; repeat < seeds; repeat++) {
        const episode = (first + draw(seeds)) * arms
        for (let arm = 0; arm < arms; arm++) sums[arm]! += scores[episode + arm]!
      }
    }
    for (let arm = 0; arm < arms; arm++) means[arm]![resample] = sums[arm]! / (tasks * seeds)
  }
}

const resampleWithGaps: Resample = (scores, means, tasks, seeds, draw) => {
  const arms = means.length
  const [totals, measuredTasks] = [new Float64Array(arms), new Float64Array(arms)]
  const [sums, counts] = [new Float64Array(arms), new Float64Array(arms)]
  const resamples = means[0]?.length ?? 0
  for (let resample = 0; resample < resamples; resample++) {
    totals.fill(0)
    measuredTasks.fill(0)
    for (let drawn = 0; drawn < tasks; drawn++) {
      sums.fill(0)
      counts.fill(0)
      const first = draw(tasks) * seeds
      for (let repeat = 0; repeat < seeds; repeat++) {
        const episode = (first + draw(seeds)) * arms
        for (let arm = 0; arm < arms; arm++) {
          const score = scores[episode + arm]!
          if (Number.isNaN(score)) continue
          sums[arm]! += score
          counts[arm]!++
        }
      }
      for (let arm = 0; arm < arms; arm++) {
        if (counts[arm] === 0) continue
        totals[arm]! += sums[arm]! / counts[arm]!
        measuredTasks[arm]!++
      }
    }
    for (let arm = 0; arm < arms; arm++) means[arm]![resample] = totals[arm]! / measuredTasks[arm]!
  }
}
