import { createRandom } from '../src/core/random.js'
import { meanBounds, ratioOfMeans, tasksNeeded } from '../src/statistics/index.js'
import { size } from './_size.js'

/** Time of the statistics of a run, in milliseconds on one core. */
export interface StatisticsFigures {
  /** One interval of a mean difference over 134 tasks × 10 seeds. */
  readonly bounds: number
  /** One ratio of two means over them with its interval. */
  readonly ratio: number
  /** Finding the number of tasks that a gate needs. */
  readonly planning: number
}

const [tasks, seeds, times] = [size(134, 10), size(10, 2), size(50, 2)]

/** Measures intervals and the planning of a gate. */
export function statistics(): StatisticsFigures {
  const random = createRandom('bench').next
  const arm = (): number[] =>
    Array.from({ length: tasks }, () => {
      let successes = 0
      for (let seed = 0; seed < seeds; seed++) successes += Number(random() < 0.6)
      return successes / seeds
    })
  const pairs = Array.from({ length: times }, () => [arm(), arm()] as const)
  const gate = { margin: 0.05, taskVariance: 0.003, pairVariance: 0.264, seeds: 5 }
  const differences = pairs.map(([before, after]) => after.map((score, task) => score - before[task]!))
  const figures = {
    bounds: milliseconds(() => differences.forEach((one) => meanBounds(one, 0.025))) / times,
    ratio: milliseconds(() => pairs.forEach(([before, after]) => ratioOfMeans(before, after))) / times,
    planning: milliseconds(() => tasksNeeded(gate)),
  }
  console.log(
    `statistics of ${String(tasks)} tasks × ${String(seeds)} seeds: interval of a difference ${figures.bounds.toFixed(1)} ms, ` +
      `of a ratio ${figures.ratio.toFixed(1)} ms; tasks that a gate needs ${figures.planning.toFixed(1)} ms`,
  )
  return figures
}

function milliseconds(work: () => unknown): number {
  const started = performance.now()
  work()
  return performance.now() - started
}
