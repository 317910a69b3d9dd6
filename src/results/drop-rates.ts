import { ratioOfMeans } from '../statistics/index.js'
import type { Metric, PairedMeans, PairedTallies, Pairs } from './pairs.js'
import { metrics } from './pairs.js'
import type { Difference, DropRate } from './schema.js'

/** The drop rates of one comparison; a metric whose first score is 0 is absent. */
export type DropRates = Readonly<Partial<Record<Metric, DropRate>>>

/** The drop rates of a comparison, of means over tasks. */
export function dropRatesOf(pairs: Pairs): DropRates {
  return Object.fromEntries(
    metrics.flatMap((metric) => {
      const rate = dropRateOf(pairs[metric])
      return rate === undefined ? [] : [[metric, rate]]
    }),
  )
}

/** 1 − perturbed/clean with the interval of that ratio; undefined where the clean mean is 0, and without a task. */
export function dropRateOf({ first, second }: Pick<PairedMeans, 'first' | 'second'>): DropRate | undefined {
  const ratio = ratioOfMeans(first, second)
  if (ratio === undefined) return undefined
  const { value, interval } = ratio
  return { value: 1 - value, ...(interval && { interval: { low: 1 - interval.high, high: 1 - interval.low } }) }
}

/** How many more steps and tokens a perturbed group takes than its clean twin, on tasks solved both times. */
export function overheadOf({ steps, tokens }: PairedTallies): Difference['overhead'] {
  const tasks = steps.first.reduce((count, score) => count + (Number.isNaN(score) ? 0 : 1), 0)
  if (tasks === 0) return undefined
  const [ofSteps, ofTokens] = [steps, tokens].map(({ first, second }) => {
    const largest = [first, second]
      .flatMap((scores) => [...scores])
      .reduce((one, other) => (other > one ? other : one), 0)
    return largest > 0 ? ratioOfMeans(first, second, largest) : undefined
  })
  return { tasks, ...(ofSteps && { steps: ofSteps }), ...(ofTokens && { tokens: ofTokens }) }
}
