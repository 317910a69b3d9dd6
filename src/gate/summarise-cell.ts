import { noiseOf } from '../compare/noise.js'
import type { Metric, PairedCell } from '../compare/pair-cells.js'
import { mean } from '../statistics/dispersion.js'
import { taskInterval } from '../statistics/intervals.js'

/** What a baseline says of a cell beside its outcomes, for people: shares of 1, rounded to four decimals. */
export interface CellSummary {
  /** Mean over tasks of a task's mean. Absent without a measurement. */
  readonly mean?: number
  /** 95 % interval over tasks. */
  readonly low?: number
  readonly high?: number
  /** Noise floor: two runs of this size with other seeds lie at most so far apart with 95 %. Absent without repeats. */
  readonly noise?: number
}

/** Sums a cell up that is paired with itself. */
export function summariseCell(cell: PairedCell, metric: Metric): CellSummary {
  const means = cell[metric].first
    .map((values: readonly (number | null)[]) => mean(values.filter((value) => value !== null)))
    .filter((value) => value !== undefined)
  const centre = mean(means)
  const interval = taskInterval(means)
  const noise = noiseOf(cell, metric)
  return {
    ...(centre !== undefined && { mean: rounded(centre) }),
    ...(interval && { low: rounded(interval.low), high: rounded(interval.high) }),
    ...(noise && { noise: rounded(noise.floor) }),
  }
}

function rounded(share: number): number {
  return Number(share.toFixed(4))
}
