import { createRandom } from '../src/core/random.js'
import type { TaskChoices } from '../src/statistics/index.js'
import { interfaceReliance, mean, wilsonInterval } from '../src/statistics/index.js'
import { populations } from './_simulated-tasks.js'
import { size } from './_size.js'

/** Coverage of the intervals of interface reliance and order bias, as shares of 1: the lowest over populations. */
export interface RelianceFigures {
  readonly tasks: number
  readonly seeds: number
  readonly steps: number
  readonly reliance: number
  readonly orderBias: number
  /** Of Wilson's interval of reliance, with every step taken for independent. */
  readonly ofSteps: number
  /** The population of `reliance`. */
  readonly where: string
  /** Mean width of the interval of reliance for tasks with an ICC of 0.3. */
  readonly width: number
}

const spreads = ['all alike', 'beta, ICC 0.3', 'beta, ICC 0.7', 'always or never'] as const
/** Probability of the original wording, where the order does not decide. */
const preferences = [0.5, 0.9]
/** Share of episodes in which the first listed wording is always taken. */
const biases = [0, 0.5]
/** Share of the other episodes in which the first choice is kept to the end. */
const habit = 0.5
const designs = [20, 60].flatMap((tasks) =>
  [1, 2].flatMap((seeds) => [1, 5, 30].map((steps) => ({ tasks, seeds, steps }))),
)

/**
 * Draws tasks that differ in their preference, plays them with every seed in counterbalanced order, and checks whether
 * the intervals cover the truth for the population of tasks. `steps` is the mean number of choices of an episode, which
 * has from 1 to twice as many; half of the episodes are of one wording throughout.
 */
export function relianceIntervals(replicates = size(100, 1)): RelianceFigures[] {
  return designs.map((design) => {
    const figures = coverageOf(design, replicates)
    const { tasks, seeds, steps, reliance, orderBias, ofSteps, where, width } = figures
    console.log(
      `interface reliance: ${String(tasks)} tasks × ${String(seeds)} seeds × ${String(steps)} choices: holds the truth in ${percent(reliance)} or more (lowest: ${where}), ` +
        `order bias ${percent(orderBias)}; steps as independent: ${percent(ofSteps)}; width ${width.toFixed(2)} at ICC 0.3`,
    )
    return figures
  })
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

function coverageOf(design: Pick<RelianceFigures, 'tasks' | 'seeds' | 'steps'>, replicates: number): RelianceFigures {
  const lowest = { reliance: 2, orderBias: 2, ofSteps: 2, where: '' }
  const widths: number[] = []
  for (const spread of spreads) {
    for (const preference of preferences) {
      for (const bias of biases) {
        const probabilities = populations[spread]!(preference)
        const centre = mean(probabilities)!
        const truth = { reliance: bias / 2 + (1 - bias) * centre, orderBias: bias / 2 }
        const { next } = createRandom(JSON.stringify([design, spread, preference, bias]))
        const held = { reliance: 0, orderBias: 0, ofSteps: 0 }
        for (let replicate = 0; replicate < replicates; replicate++) {
          const { choices, original, made } = play(design, probabilities, bias, next)
          const { intervals } = interfaceReliance(choices)!
          for (const figure of ['reliance', 'orderBias'] as const) {
            const { low, high } = intervals[figure]
            if (low - 1e-9 <= truth[figure] && truth[figure] <= high + 1e-9) held[figure]++
          }
          const naive = wilsonInterval(original, made)
          if (naive.low <= truth.reliance && truth.reliance <= naive.high) held.ofSteps++
          if (spread === 'beta, ICC 0.3') widths.push(intervals.reliance.high - intervals.reliance.low)
        }
        const share = held.reliance / replicates
        if (share < lowest.reliance) {
          lowest.reliance = share
          lowest.where = `${spread}, preference ${String(preference)}, bias ${String(bias)}`
        }
        lowest.orderBias = Math.min(lowest.orderBias, held.orderBias / replicates)
        lowest.ofSteps = Math.min(lowest.ofSteps, held.ofSteps / replicates)
      }
    }
  }
  return { ...design, ...lowest, width: mean(widths)! }
}

function play(
  { tasks, seeds, steps }: Pick<RelianceFigures, 'tasks' | 'seeds' | 'steps'>,
  probabilities: readonly number[],
  bias: number,
  draw: () => number,
): { readonly choices: readonly TaskChoices[]; readonly original: number; readonly made: number } {
  let [original, made] = [0, 0]
  const choices = Array.from({ length: tasks }, (_, task) => {
    const probability = probabilities[Math.floor(draw() * probabilities.length)]!
    const of = { originalFirst: [] as number[], aliasFirst: [] as number[] }
    for (let seed = 0; seed < seeds; seed++) {
      const isOriginalFirst = (task + seed) % 2 === 0
      const length = 1 + Math.floor(draw() * (2 * steps - 1))
      const isBiased = draw() < bias
      const isHabit = draw() < habit
      const first = draw() < probability
      let taken = 0
      for (let step = 0; step < length; step++) {
        const isOriginal = isBiased ? isOriginalFirst : isHabit || step === 0 ? first : draw() < probability
        if (isOriginal) taken++
      }
      of[isOriginalFirst ? 'originalFirst' : 'aliasFirst'].push(taken / length)
      original += taken
      made += length
    }
    return of
  })
  return { choices, original, made }
}
