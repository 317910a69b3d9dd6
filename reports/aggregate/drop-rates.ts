import { bootstrapTwoLevel, dropRate, mean, percentileInterval } from 'shaketable/statistics'
import type { Drawing } from './drawing.js'
import type { DropRate } from './evidence.js'
import type { Metric, Pairs } from './pairs.js'
import { metrics } from './pairs.js'

/** What is gone of one comparison; a metric whose first score is 0 is absent. */
export type DropRates = Readonly<Partial<Record<Metric, DropRate>>>

/**
 * The drop rates of several comparisons on one panel, of means over tasks. All intervals come from one draw of tasks,
 * so that they can be set against each other. `address` names the lot.
 */
export function dropRatesOf(
  comparisons: readonly Pairs[],
  tasks: number,
  { resamples, stream }: Drawing,
  ...address: readonly (string | number)[]
): DropRates[] {
  const scores = comparisons.flatMap((pairs) =>
    metrics.flatMap((metric) => [pairs[metric].first, pairs[metric].second]),
  )
  const { means } = bootstrapTwoLevel(scores, { tasks, seeds: 1, resamples, random: stream('tasks', ...address) })
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
