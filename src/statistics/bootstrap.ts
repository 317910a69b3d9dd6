import { count, expectNumber, expectNumbers, finite, level } from './_expect-number.js'
import type { Interval } from './intervals.js'

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
 * Means of arms that were played on the same tasks and seeds, over bootstrap resamples: tasks are drawn with
 * replacement, and within each drawn task its seeds; every arm sees the same draw, so that differences of its `means`
 * are paired. An arm holds `tasks · seeds` scores, tasks outermost, NaN where there is no measurement. A resample's
 * mean is that over its drawn tasks of the mean over the drawn measurements, tasks without one left out; NaN where no
 * task has one. Drawing seeds too makes it somewhat wider than the spread of task means says (Field and Welsh 2007, J.
 * R. Statist. Soc. B 69:369).
 * @throws RangeError where an arm has another length or an infinite score, and unless sizes are counts.
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
  const resample = seeds === 1 ? resampleTasks : known.length < scores.length ? resampleWithGaps : resampleWhole
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

/** The scores of all arms, those of one episode side by side, so that a draw reads adjacent memory. */
function interleave(arms: readonly Float64Array[]): Float64Array {
  const scores = new Float64Array(arms.length * (arms[0]?.length ?? 0))
  arms.forEach((arm, place) => {
    arm.forEach((score, episode) => (scores[episode * arms.length + place] = score))
  })
  return scores
}

/** With one seed a task that is drawn several times is added once, times that number. */
const resampleTasks: Resample = (scores, means, tasks, _, draw) => {
  const arms = means.length
  const measured = scores.map((score) => (Number.isNaN(score) ? 0 : 1))
  const filled = scores.map((score) => (Number.isNaN(score) ? 0 : score))
  const hasGaps = measured.includes(0)
  const [sums, counts] = [new Float64Array(arms), new Float64Array(arms)]
  const times = new Uint32Array(tasks)
  const resamples = means[0]?.length ?? 0
  for (let resample = 0; resample < resamples; resample++) {
    times.fill(0)
    for (let drawn = 0; drawn < tasks; drawn++) {
      times[draw(tasks)]!++
      draw(1) // The seed, so that the stream is the same for any number of seeds.
    }
    sums.fill(0)
    counts.fill(hasGaps ? 0 : tasks)
    for (let task = 0; task < tasks; task++) {
      const factor = times[task]!
      if (factor === 0) continue
      const first = task * arms
      for (let arm = 0; arm < arms; arm++) sums[arm]! += factor * filled[first + arm]!
      if (hasGaps) for (let arm = 0; arm < arms; arm++) counts[arm]! += factor * measured[first + arm]!
    }
    for (let arm = 0; arm < arms; arm++) means[arm]![resample] = sums[arm]! / counts[arm]!
  }
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

/**
 * Percentile bootstrap interval of a statistic's resampled values: their quantiles, interpolated linearly between
 * neighbours. Undefined where they do not differ (which does not prove certainty), and where so many are NaN that all
 * of these might lie beyond one bound.
 * @throws RangeError for an infinite sample, and unless `confidence` is between 0 and 1.
 */
export function percentileInterval(samples: ArrayLike<number>, confidence = 0.95): Interval | undefined {
  expectNumber('confidence', confidence, level)
  const tail = (1 - confidence) / 2
  const sorted = Float64Array.from(samples)
    .filter((sample) => !Number.isNaN(sample))
    .sort()
  expectNumbers('each sample', sorted, finite)
  if (sorted.length === 0 || samples.length - sorted.length > tail * samples.length) return undefined
  const interval = { low: quantileOf(sorted, tail), high: quantileOf(sorted, 1 - tail) }
  return interval.high - interval.low > 1e-12 ? interval : undefined
}

function quantileOf(sorted: Float64Array, probability: number): number {
  const place = probability * (sorted.length - 1)
  const before = Math.floor(place)
  const [low, high] = [sorted[before]!, sorted[Math.min(before + 1, sorted.length - 1)]!]
  return low + (high - low) * (place - before)
}

/**
 * A stream of whole numbers in [0, below), seeded with four draws of `random`: the generator sfc32 (Chris
 * Doty-Humphrey, PractRand), for loops in which `random` itself would take longer than the work.
 */
export function wholeNumbers(random: () => number): (below: number) => number {
  const word = (): number => Math.floor(random() * 2 ** 32) | 0
  let [a, b, c, counter] = [word(), word(), word(), word()]
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  for (let warm = 0; warm < 12; warm++) next()
  return (below) => Math.floor(next() * 2 ** -32 * below)
}
