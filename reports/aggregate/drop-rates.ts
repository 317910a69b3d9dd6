import type { Plan } from 'shaketable'
import { createRandom, hashOf, pairsOf } from 'shaketable'
import { bootstrapTwoLevel, dropRate, mean, percentileInterval } from 'shaketable/statistics'
import type { Metric, Pairs } from './pairs.js'
import { metrics } from './pairs.js'
import type { Difference, DropRate } from './schema.js'

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
  drawn: Drawn,
  ...address: readonly string[]
): DropRates[] {
  const pairs = comparisons.flatMap((one) => metrics.map((metric) => one[metric]))
  const rates = ratiosOf(pairs, tasks, drawn, dropRate, 'tasks', ...address)
  return comparisons.map((_, comparison) =>
    Object.fromEntries(
      metrics.flatMap((metric, place) => {
        const rate = rates[metrics.length * comparison + place]
        return rate === undefined ? [] : [[metric, rate]]
      }),
    ),
  )
}

/**
 * How many more steps and tokens several perturbed groups take than their clean twins, on tasks solved both times; the
 * intervals come from one draw of tasks.
 */
export function overheadsOf(
  comparisons: readonly Pairs[],
  tasks: number,
  drawn: Drawn,
  { environment, model, agent }: Readonly<Record<'environment' | 'model' | 'agent', string>>,
): [Pairs, NonNullable<Difference['overhead']>][] {
  const ratio = (first: number, second: number): number | undefined => (first > 0 ? second / first : undefined)
  const pairs = comparisons.flatMap((one) => [one.steps, one.tokens])
  const ratios = ratiosOf(pairs, tasks, drawn, ratio, 'overhead', environment, model, agent)
  return comparisons.flatMap((one, place) => {
    const [steps, tokens] = [ratios[2 * place], ratios[2 * place + 1]]
    const solved = one.steps.first.reduce((count, score) => count + (Number.isNaN(score) ? 0 : 1), 0)
    return solved === 0 ? [] : [[one, { tasks: solved, ...(steps && { steps }), ...(tokens && { tokens }) }]]
  })
}

/**
 * A ratio of two means over tasks with its bootstrap interval, for several pairs of arms on one panel; undefined where
 * `ratio` is. Tasks are NaN in both arms or in neither. `address` names the random stream.
 */
export function ratiosOf(
  pairs: readonly { readonly first: Float64Array; readonly second: Float64Array }[],
  tasks: number,
  { seed, resamples }: Drawn,
  ratio: (first: number, second: number) => number | undefined,
  ...address: readonly string[]
): (DropRate | undefined)[] {
  const scores = pairs.flatMap(({ first, second }) => [first, second])
  const random = createRandom(seed).fork(JSON.stringify(address)).next
  const { means } = bootstrapTwoLevel(scores, { tasks, seeds: 1, resamples, random })
  return pairs.map(({ first, second }, pair) => {
    const value = ofMeans(first, second, ratio)
    if (value === undefined) return undefined
    const [before, after] = [means[2 * pair]!, means[2 * pair + 1]!]
    const drawnRatio = (score: number, draw: number): number =>
      Number.isNaN(score + after[draw]!) ? NaN : (ratio(score, after[draw]!) ?? NaN)
    const interval = percentileInterval(before.map(drawnRatio))
    return { value, ...(interval && { interval }) }
  })
}

function ofMeans(
  first: Float64Array,
  second: Float64Array,
  ratio: (first: number, second: number) => number | undefined,
): number | undefined {
  const isPaired = (score: number): boolean => !Number.isNaN(score)
  const [before, after] = [mean([...first.filter(isPaired)]), mean([...second.filter(isPaired)])]
  return before === undefined || after === undefined ? undefined : ratio(before, after)
}
