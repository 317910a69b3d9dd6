import type { Plan } from 'shaketable'
import { createRandom, hashOf, pairsOf } from 'shaketable'
import { bootstrapTwoLevel, dropRate, mean, percentileInterval } from 'shaketable/statistics'
import type { Metric, Pairs } from './pairs.js'
import { metrics } from './pairs.js'
import type { DropRate } from './schema.js'

/** The random draws of a report: all come from one seed. */
export interface Drawn {
  /** A hash of the plan, so that equal plans draw alike. */
  readonly seed: string
  /** Resamples of tasks for an interval. */
  readonly resamples: number
}

/**
 * The seed of a plan's draws, and as many resamples for each interval as a few seconds allow for all of them, 500 to
 * 10,000.
 */
export function drawFor(plan: Plan): Drawn {
  const groups = plan.environments.length * pairsOf(plan).length * plan.columns.length
  const tests = groups * (plan.temperatures.length + 1) * metrics.length
  const tasks = Math.max(...plan.environments.map((environment) => environment.tasks.length))
  return {
    seed: hashOf(plan, 20),
    resamples: Math.round(Math.min(10_000, Math.max(500, 2e8 / (tests * tasks)))),
  }
}

/** The drop rates of one comparison; a metric whose first score is 0 is absent. */
export type DropRates = Readonly<Partial<Record<Metric, DropRate>>>

/**
 * The drop rates of several comparisons on one panel, of means over tasks. All intervals come from one draw of tasks,
 * so they are comparable. `address` names the random stream, so that figures of other addresses do not change it.
 */
export function dropRatesOf(
  comparisons: readonly Pairs[],
  tasks: number,
  { seed, resamples }: Drawn,
  ...address: readonly string[]
): DropRates[] {
  const scores = comparisons.flatMap((pairs) =>
    metrics.flatMap((metric) => [pairs[metric].first, pairs[metric].second]),
  )
  const random = createRandom(seed).fork(JSON.stringify(['tasks', ...address])).next
  const { means } = bootstrapTwoLevel(scores, { tasks, seeds: 1, resamples, random })
  return comparisons.map((_, comparison) => {
    const rates: Partial<Record<Metric, DropRate>> = {}
    metrics.forEach((metric, place) => {
      const at = 2 * (metrics.length * comparison + place)
      const value = rateOf(scores[at]!, scores[at + 1]!)
      if (value === undefined) return
      const [first, second] = [means[at]!, means[at + 1]!]
      const drawnRate = (score: number, draw: number): number =>
        Number.isNaN(score + second[draw]!) ? NaN : (dropRate(score, second[draw]!) ?? NaN)
      const interval = percentileInterval(first.map(drawnRate))
      rates[metric] = { value, ...(interval && { interval }) }
    })
    return rates
  })
}

function rateOf(first: Float64Array, second: Float64Array): number | undefined {
  const isPaired = (score: number): boolean => !Number.isNaN(score)
  const [before, after] = [mean([...first.filter(isPaired)]), mean([...second.filter(isPaired)])]
  return before === undefined || after === undefined ? undefined : dropRate(before, after)
}
