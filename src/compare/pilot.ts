import { pairDifferences } from '../results/pairs.js'
import { distinctScores, placesOf } from '../results/passes.js'
import { mean, standardDeviation } from '../statistics/dispersion.js'
import { differenceVariances } from '../statistics/paired-difference.js'
import type { Outcomes } from './outcomes.js'
import { cellsByKey, hasOnePlay, keyOf } from './outcomes.js'
import type { Metric } from './pair-cells.js'

/** The variances of a pilot run in one environment × model × agent × column. Squared shares of 1. */
export interface PilotCell {
  readonly environment: string
  readonly model: string
  readonly agent: string
  readonly column: string
  /** Tasks that a gate would judge: those with a measurement. */
  readonly tasks: number
  readonly seeds: number
  readonly temperatures: number
  readonly mean: number
  /** Variance of the true scores of tasks at one temperature. It does not enter a paired gate. */
  readonly betweenTasks: number
  /** Variance of the repeats of one task at one temperature. */
  readonly withinTask: number
  /**
   * There is one distinct play at each temperature: the other seeds were the same play, or were left out at temperature
   * 0, where they are assumed to be. Repeats have no variance, and more seeds add nothing. Absent otherwise.
   */
  readonly onePlay?: true
  /** Share of the variance that lies between tasks; absent where there is none. */
  readonly icc?: number
  /** Variance of the tasks' true differences from the clean column (Miller's ω²). Absent on the clean column. */
  readonly fromClean?: number
}

/** The variances of the differences to another run, as a gate would see them. */
export interface PairVariances {
  readonly taskVariance: number
  readonly pairVariance: number
}

/** The cells of a pilot in its order, without those that have no repeats, unless these are known to be one play. */
export function readPilot(outcomes: Outcomes, metric: Metric): PilotCell[] {
  const byKey = cellsByKey(outcomes)
  return outcomes.cells.flatMap((cell): PilotCell[] => {
    const { environment, model, agent, column, played, temperatures, seeds, unchanged } = cell
    if (unchanged) return []
    const { tasks } = placesOf(played.shape)
    const scores = temperatures.map((_, place) => tasks.map((task) => distinctScores(played, metric, task, place)))
    const isOnePlay = hasOnePlay(cell)
    const parts = scores
      .map((byTask) => (isOnePlay ? variancesOfOnePlay(byTask) : differenceVariances(byTask)))
      .filter((one) => one !== undefined)
    const [within, between] = [mean(parts.map((one) => one.pairVariance)), mean(parts.map((one) => one.taskVariance))]
    const means = tasks
      .map((task) => mean(scores.map((one) => mean(one[task]!)).filter((one) => one !== undefined)))
      .filter((one) => one !== undefined)
    if (within === undefined || between === undefined) return []
    const twin = column === clean ? undefined : byKey.get(keyOf(environment, model, agent, clean))
    const fromClean =
      twin && differenceVariances(tasks.map((task) => pairDifferences(twin.played, played, metric, task)))?.taskVariance
    return [
      {
        environment,
        model,
        agent,
        column,
        tasks: means.length,
        seeds: seeds.length,
        temperatures: temperatures.length,
        mean: mean(means)!,
        betweenTasks: between,
        withinTask: within,
        ...(isOnePlay && { onePlay: true as const }),
        ...(within + between > 0 && { icc: between / (within + between) }),
        ...(fromClean !== undefined && { fromClean }),
      },
    ]
  })
}

/** Variances of tasks with one score each, whose repeats would be the same. */
function variancesOfOnePlay(byTask: readonly (readonly number[])[]): PairVariances | undefined {
  const deviation = standardDeviation(byTask.flatMap(([score]) => (score === undefined ? [] : [score])))
  return deviation === undefined ? undefined : { taskVariance: deviation ** 2, pairVariance: 0 }
}

/** The label of the clean column of every run. */
const clean = 'none'
