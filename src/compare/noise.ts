import { mean, standardDeviation } from '../statistics/dispersion.js'
import type { Metric, PairedCell } from './pair-cells.js'

/** What repeats within each side say of chance, in shares of 1. */
export interface Noise {
  /** Two plays of one model as large as these lie at most so far apart with 95 %, on the same tasks with other seeds. */
  readonly floor: number
  /** Chance that two repeats of one task on one side end differently, one a success and one not; the mean of both sides. */
  readonly flips: number
}

const normal975 = 1.959963984540054

/**
 * The noise floor of a difference, from the repeats of each task at one temperature: 1.96·√(Σ over tasks of s²/n on either side)/tasks. Repeats of a task are
 * taken to be independent of those of other tasks. Undefined where a side has no task with two measurements at one temperature: it has no repeats.
 */
export function noiseOf(cell: PairedCell, metric: Metric): Noise | undefined {
  const first = repeatsOf(cell, 'first', metric)
  const second = repeatsOf(cell, 'second', metric)
  if (first === undefined || second === undefined) return undefined
  return {
    floor: normal975 * Math.sqrt(first.errorSquare + second.errorSquare),
    flips: (first.flips + second.flips) / 2,
  }
}

/** The squared standard error over seeds of one side's mean over tasks, and how often its repeats differ in success. */
function repeatsOf(cell: PairedCell, side: 'first' | 'second', metric: Metric) {
  const variances: number[] = []
  const flips: number[] = []
  const pairs: number[] = []
  for (const task of cell.tasks.keys()) {
    const count = measuredPairs(cell, task, metric)
    if (count === 0) continue
    pairs.push(count)
    const repeats = byTemperature(cell, side, metric, task)
    const spreads = repeats.map((values) => standardDeviation(values)).filter((spread) => spread !== undefined)
    if (spreads.length > 0) variances.push(mean(spreads.map((spread) => spread ** 2))!)
    const differing = byTemperature(cell, side, 'success', task).map(shareOfDifferingPairs)
    flips.push(...differing.filter((share) => share !== undefined))
  }
  const variance = mean(variances)
  if (variance === undefined) return undefined
  const errorSquare = pairs.reduce((sum, count) => sum + variance / count, 0) / pairs.length ** 2
  return { errorSquare, flips: mean(flips) ?? 0 }
}

function measuredPairs(cell: PairedCell, task: number, metric: Metric): number {
  const { first, second } = cell[metric]
  return first[task]!.filter((value, pass) => value !== null && second[task]![pass] !== null).length
}

/** The measurements of a task on one side, a list for each temperature. */
function byTemperature(cell: PairedCell, side: 'first' | 'second', metric: Metric, task: number): number[][] {
  const lists = new Map<number, number[]>()
  for (const [place, { temperature }] of cell.passes.entries()) {
    const value = cell[metric][side][task]![place]!
    if (value === null) continue
    const list = lists.get(temperature)
    if (list === undefined) lists.set(temperature, [value])
    else list.push(value)
  }
  return [...lists.values()]
}

/** Of all pairs of zeros and ones, the share whose halves differ; undefined below two. */
function shareOfDifferingPairs(values: readonly number[]): number | undefined {
  const ones = values.filter((value) => value === 1).length
  const zeros = values.length - ones
  return values.length < 2 ? undefined : (2 * ones * zeros) / (values.length * (values.length - 1))
}
