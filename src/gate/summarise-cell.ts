import type { OutcomeCell } from '../compare/outcomes.js'
import { mean, standardDeviation } from '../statistics/dispersion.js'
import { taskInterval } from '../statistics/paired-difference.js'

/** What a baseline says of a cell beside its outcomes, for people: shares of 1, rounded to four decimals. */
export interface CellSummary {
  /** Mean over tasks of a task's mean. Absent without a measurement. */
  readonly mean?: number
  /** 95 % interval over tasks. */
  readonly low?: number
  readonly high?: number
  /**
   * Noise floor: two runs of one pass each, on these tasks with other seeds, lie at most so far apart with 95 %. From the variance of each task over the seeds of
   * a temperature: 1.96·√2·√(Σ variance)/tasks. Absent where no task has two seeds.
   */
  readonly noise?: number
}

/** Sums a cell up; `cells` are those of its temperatures. */
export function summariseCell(cells: readonly OutcomeCell[], metric: 'success' | 'progress'): CellSummary {
  const tasks = (cells[0]?.[metric] ?? []).map((_, task) =>
    cells.map((cell) => cell[metric][task]!.filter((value) => value !== null) as readonly number[]),
  )
  const means = tasks.map((byTemperature) => mean(byTemperature.flat())).filter((value) => value !== undefined)
  const variances = tasks
    .map((byTemperature) =>
      mean(
        byTemperature
          .map((values) => standardDeviation(values))
          .filter((deviation) => deviation !== undefined)
          .map((deviation) => deviation ** 2),
      ),
    )
    .filter((variance) => variance !== undefined)
  const centre = mean(means)
  const interval = taskInterval(means)
  return {
    ...(centre !== undefined && { mean: rounded(centre) }),
    ...(interval && { low: rounded(interval.low), high: rounded(interval.high) }),
    ...(variances.length > 0 && { noise: rounded(apart * Math.sqrt(mean(variances)! / variances.length)) }),
  }
}

/** 0.975 quantile of the standard normal distribution, times √2 for the difference of two runs. */
const apart = 1.959963984540054 * Math.SQRT2

function rounded(share: number): number {
  return Number(share.toFixed(4))
}
