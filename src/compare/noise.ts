import { distinctScores } from '../results/passes.js'
import { mean, standardDeviation } from '../statistics/dispersion.js'
import type { Metric, PairedCell } from './pair-cells.js'
import { taskMeans } from './pair-cells.js'
import type { NamePair } from './pair-names.js'

/** How much repeats within each side differ, in shares of 1. */
export interface Noise {
  /**
   * How far apart the means of two runs of one model of this size are at most, with a probability of 95 %, on the same
   * tasks with other seeds.
   */
  readonly floor: number
  /** Probability that of two repeats of one task on one side only one is a success; the mean of both sides. */
  readonly flips: number
}

const normal975 = 1.959963984540054

/**
 * The noise floor of a difference, from the repeats of each task at one temperature: 1.96·√(Σ over tasks of s²/n on
 * either side)/tasks. Assumes that repeats of a task are independent of those of other tasks. Undefined where a side
 * has no task with two measurements at one temperature: it has no repeats, or they are all the same play.
 */
export function noiseOf(cell: PairedCell, metric: Metric): Noise | undefined {
  const first = repeatsOf(cell, 'first', metric)
  const second = repeatsOf(cell, 'second', metric)
  if (first.variance === undefined || second.variance === undefined) return undefined
  return {
    floor: normal975 * Math.sqrt(first.variance * first.perVariance + second.variance * second.perVariance),
    flips: (first.flips + second.flips) / 2,
  }
}

/**
 * The variance of a task's repeats at one temperature on one side (mean over tasks; undefined where none has repeats),
 * the squared standard error over seeds of that side's mean over tasks, as a multiple of that variance, and how often
 * repeats differ in success; `variances` has that of each task with repeats. Only `tasks` that are compared, and that
 * `isIn` selects, enter.
 */
export function repeatsOf(
  cell: PairedCell,
  side: keyof NamePair,
  metric: Metric,
  isIn: (task: number) => boolean = () => true,
) {
  const variances = new Map<number, number>()
  const flips: number[] = []
  const errors: number[] = []
  for (const task of cell.tasks.keys()) {
    if (!isIn(task) || taskMeans(cell, metric, task) === undefined) continue
    errors.push(errorOf(cell, side, task))
    const repeats = cell.temperatures.map((_, place) => distinctScores(cell.sides[side], metric, task, place))
    const spreads = repeats.map((values) => standardDeviation(values)).filter((spread) => spread !== undefined)
    if (spreads.length > 0) variances.set(task, mean(spreads.map((spread) => spread ** 2))!)
    const differing = cell.temperatures.map((_, place) =>
      shareOfDifferingPairs(distinctScores(cell.sides[side], 'success', task, place)),
    )
    flips.push(...differing.filter((share) => share !== undefined))
  }
  const perVariance = errors.reduce((sum, error) => sum + error, 0) / errors.length ** 2
  return {
    variance: mean([...variances.values()]),
    variances,
    perVariance,
    flips: mean(flips) ?? 0,
    tasks: errors.length,
  }
}

/**
 * The variance of a task's mean on one side, a mean over temperatures, as a multiple of that of a repeat. Repeats that
 * are the same play are one.
 */
function errorOf({ sides, pairedBy, temperatures }: PairedCell, side: keyof NamePair, task: number): number {
  const [own, other] = [sides[side], sides[side === 'first' ? 'second' : 'first']]
  const { seeds, tasks } = own.shape
  const numbers = temperatures.map((_, place) => {
    const plays = new Set<number>()
    for (let pass = place * seeds; pass < (place + 1) * seeds; pass++) {
      const slot = pass * tasks + task
      if (own.state[slot] === 2 && (pairedBy === 'task' || other.state[slot] === 2)) plays.add(own.sameAs[pass]!)
    }
    return plays.size
  })
  const known = numbers.filter((plays) => plays > 0)
  return known.reduce((sum, plays) => sum + 1 / plays, 0) / known.length ** 2
}

/** The share of all pairs of these zeros and ones in which the two differ; undefined below two values. */
function shareOfDifferingPairs(values: readonly number[]): number | undefined {
  const ones = values.filter((value) => value === 1).length
  const zeros = values.length - ones
  return values.length < 2 ? undefined : (2 * ones * zeros) / (values.length * (values.length - 1))
}
