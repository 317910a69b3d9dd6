import { createRandom } from '../src/core/random.js'
import { mean, standardDeviation, studentQuantile, taskInterval } from '../src/statistics/index.js'
import { dirichletMeanCdf, mergeEqual } from '../src/statistics/dirichlet-mean.js'
import { populations } from './_simulated-tasks.js'
import { size } from './_size.js'

/**
 * Coverage of the interval of a rate, for the rate of the population of tasks: the lowest over populations and rates.
 */
export interface CoverageFigures {
  readonly tasks: number
  readonly seeds: number
  readonly measure: Measure
  /** Coverage as a share of 1: of `taskInterval` and, for comparison, of t with T − 1 degrees of freedom. */
  readonly lowest: number
  readonly lowestOfT: number
  /** Population and rate of `lowest`. */
  readonly where: string
  /** Ratio of the mean width of the interval to that of t, at a rate of 0.7. */
  readonly width: number
}

/**
 * `success`: every episode is measured. `gaps`: one episode in ten is missing. `progress`: a failed episode has 0 to
 * three quarters of the progress.
 */
type Measure = 'success' | 'gaps' | 'progress'

const rates = [0.5, 0.7, 0.9, 0.97]
const designs = [20, 60, 134].flatMap((tasks) => [
  ...[1, 3, 10].map((seeds) => ({ tasks, seeds, measure: 'success' as const })),
  ...(['gaps', 'progress'] as const).map((measure) => ({ tasks, seeds: 3, measure })),
])

/**
 * Draws tasks from every population, plays them with every seed, and checks whether the interval of the mean covers the
 * mean of the population. Rates below 0.5 need no simulation: the interval of failures mirrors that of successes.
 */
export function intervalsOfRates(replicates = size(100, 1)): CoverageFigures[] {
  const drawn = rates.flatMap((rate) =>
    Object.entries(populations).map(([name, population]) => ({ rate, name, probabilities: population(rate) })),
  )
  const figures = designs.map((design) => coverageOf(design, drawn, replicates))
  for (const { tasks, seeds, measure, lowest, lowestOfT, where, width } of figures) {
    console.log(
      `interval of a rate: ${String(tasks)} tasks × ${String(seeds)} seeds, ${measure}: holds the truth in ${(100 * lowest).toFixed(1)} % or more (lowest: ${where}); ` +
        `t: ${(100 * lowestOfT).toFixed(1)} %; width ${width.toFixed(2)} of t`,
    )
  }
  return figures
}

type Design = Pick<CoverageFigures, 'tasks' | 'seeds' | 'measure'>

interface Population {
  readonly rate: number
  readonly name: string
  readonly probabilities: readonly number[]
}

function coverageOf(design: Design, drawn: readonly Population[], replicates: number): CoverageFigures {
  let lowest = { share: 2, where: '' }
  let lowestOfT = 2
  const widths: number[] = []
  const t = studentQuantile(0.975, design.tasks - 1)
  for (const { rate, name, probabilities } of drawn) {
    const truth = mean(
      probabilities.map((probability) => (design.measure === 'progress' ? expectedProgress(probability) : probability)),
    )!
    const draw = createRandom(JSON.stringify([design, rate, name])).next
    let [held, heldByT] = [0, 0]
    for (let replicate = 0; replicate < replicates; replicate++) {
      const scores = drawTasks(design, probabilities, draw)
      if (holds(scores, truth)) held++
      const half = t * (standardDeviation(scores)! / Math.sqrt(scores.length))
      if (Math.abs(mean(scores)! - truth) <= half) heldByT++
      if (rate !== 0.7 || replicate >= 5 || half === 0) continue
      const { low, high } = taskInterval(scores)!
      widths.push((high - low) / (2 * half))
    }
    const where = `${name}, rate ${String(rate)}`
    if (held / replicates < lowest.share) lowest = { share: held / replicates, where }
    lowestOfT = Math.min(lowestOfT, heldByT / replicates)
  }
  return { ...design, lowest: lowest.share, where: lowest.where, lowestOfT, width: mean(widths)! }
}

/** Mean score of each task that has a measurement. */
function drawTasks({ tasks, seeds, measure }: Design, probabilities: readonly number[], draw: () => number): number[] {
  const scores: number[] = []
  for (let task = 0; task < tasks; task++) {
    const probability = probabilities[Math.floor(draw() * probabilities.length)]!
    let [sum, measured] = [0, 0]
    for (let seed = 0; seed < seeds; seed++) {
      if (measure === 'gaps' && draw() < 0.1) continue
      measured++
      if (draw() < probability) sum++
      else if (measure === 'progress') sum += Math.floor(draw() * 4) / 4
    }
    if (measured > 0) scores.push(sum / measured)
  }
  return scores
}

function expectedProgress(probability: number): number {
  return probability + (1 - probability) * 0.375
}

/**
 * Whether the truth lies within {@link taskInterval}. Evaluates the distribution at the truth, which takes a tenth of
 * the time of computing its quantiles, and allows for rounding.
 */
function holds(scores: readonly number[], truth: number): boolean {
  const points = scores.map((score) => [score, 1] as const)
  return (
    dirichletMeanCdf(mergeEqual([...points, [0, 1]]), truth + 1e-9) >= 0.025 &&
    dirichletMeanCdf(mergeEqual([...points, [1, 1]]), truth - 1e-9) <= 0.975
  )
}
