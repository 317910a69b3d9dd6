import { createRandom } from '../src/core/random.js'
import { bootstrapTwoLevel, percentileInterval, tasksNeeded } from '../src/statistics/index.js'
import { size } from './_size.js'

/** Time of the statistics of a typical run, in seconds on one core. */
export interface StatisticsFigures {
  /**
   * 10,000 resamples of 134 tasks × 10 seeds × 8 columns, with the interval of each column's difference from the first.
   */
  readonly bootstrapSeconds: number
  /** The same with one measurement in twenty missing. */
  readonly bootstrapWithGapsSeconds: number
  /** Finding the number of tasks that a gate needs. */
  readonly planningSeconds: number
}

const [tasks, seeds, columns] = [size(134, 10), size(10, 2), 8]

/** Measures the bootstrap and the planning of a gate. */
export function statistics(): StatisticsFigures {
  const gate = { margin: 0.05, taskVariance: 0.003, pairVariance: 0.264, seeds: 5 }
  const figures = {
    bootstrapSeconds: seconds(() => resample(0)),
    bootstrapWithGapsSeconds: seconds(() => resample(0.05)),
    planningSeconds: seconds(() => tasksNeeded(gate)),
  }
  console.log(
    `statistics: bootstrap of 10,000 over ${String(tasks)} tasks × ${String(seeds)} seeds × ${String(columns)} columns ` +
      `${figures.bootstrapSeconds.toFixed(2)} s, with gaps ${figures.bootstrapWithGapsSeconds.toFixed(2)} s; ` +
      `tasks that a gate needs ${figures.planningSeconds.toFixed(3)} s`,
  )
  return figures
}

function resample(missing: number): unknown {
  const random = createRandom(`bench ${String(missing)}`).next
  const arms = Array.from({ length: columns }, () =>
    Float64Array.from({ length: tasks * seeds }, () => (random() < missing ? NaN : Number(random() < 0.6))),
  )
  const [clean, ...perturbed] = bootstrapTwoLevel(arms, { tasks, seeds, random }).means
  return perturbed.map((means) => percentileInterval(means.map((value, draw) => value - clean![draw]!)))
}

function seconds(work: () => unknown): number {
  const started = performance.now()
  work()
  return (performance.now() - started) / 1000
}
