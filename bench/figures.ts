import { dirichletMeanCdf, mergeEqual } from '../src/statistics/dirichlet-mean.js'
import {
  bestSet,
  holm,
  intervalOverDraws,
  mean,
  meanBounds,
  noDifferenceP,
  normalQuantile,
  ratioOfMeans,
  standardDeviation,
  studentQuantile,
  taskInterval,
} from '../src/statistics/index.js'
import { type Draw, type Found, drawTasks, holds, play, populations, replicatesOf, simulate } from './_simulate.js'
import { few } from './_measure.js'

/** A way in which a replicate may be drawn, and what it finds. */
type Variant = readonly [name: string, replicate: (draw: Draw) => Found]

/** Prints the lowest and the highest mean of each figure over variants, in percent, and where they are. */
function printRange(
  figure: string,
  design: string,
  variants: readonly Variant[],
  replicates = replicatesOf(300),
): void {
  const rows = variants.map(([name, replicate]) => ({
    name,
    means: simulate(`${figure} ${design} ${name}`, replicates, replicate),
  }))
  for (const part of Object.keys(rows[0]!.means)) {
    const sorted = rows
      .filter(({ means }) => Number.isFinite(means[part]))
      .sort((a, b) => a.means[part]! - b.means[part]!)
    const ends = [...sorted.slice(0, 1), ...sorted.slice(-1)].map(
      ({ name, means }) => `${(100 * means[part]!).toFixed(1)} (${name})`,
    )
    console.log([figure, design, part, ...new Set(ends)].join(' | '))
  }
}

const sizeOf = (tasks: number, seeds: number): string => `${String(tasks)}×${String(seeds)}`

/**
 * Whether the interval of a rate holds that of the population of tasks, beside t with T − 1 degrees of freedom. `gaps`:
 * one episode in ten is missing. `progress`: a failed episode has 0 to three quarters of it. Rates below 0.5 need no
 * simulation: the interval of failures mirrors that of successes.
 */
function simulateRates(tasks: number, seeds: number, measure: 'success' | 'gaps' | 'progress'): void {
  const t = studentQuantile(0.975, tasks - 1)
  const find = (probabilities: readonly number[], isMeasured: boolean) => {
    const centre = mean(probabilities)!
    const truth = measure === 'progress' ? centre + (1 - centre) * 0.375 : centre
    return (draw: Draw): Found => {
      const scores = drawTasks(probabilities, tasks, draw).flatMap((chance) => {
        const played = Array.from({ length: seeds }, () =>
          measure === 'gaps' && draw() < 0.1 ? [] : [draw() < chance],
        )
        const score = (isSolved: boolean): number =>
          isSolved ? 1 : measure === 'progress' ? Math.floor(draw() * 4) / 4 : 0
        return mean(played.flat().map(score)) ?? []
      })
      const points = scores.map((score) => [score, 1] as const)
      const half = t * (standardDeviation(scores)! / Math.sqrt(scores.length))
      const interval = isMeasured && half > 0 && draw() < 0.05 ? taskInterval(scores) : undefined
      return {
        // The distribution at the truth takes a tenth of the time of its quantiles.
        holds:
          dirichletMeanCdf(mergeEqual([...points, [0, 1]]), truth + 1e-9) >= 0.025 &&
          dirichletMeanCdf(mergeEqual([...points, [1, 1]]), truth - 1e-9) <= 0.975,
        't holds': Math.abs(mean(scores)! - truth) <= half,
        'width of t': interval && (interval.high - interval.low) / (2 * half),
      }
    }
  }
  const variants = [0.5, 0.7, 0.9, 0.97].flatMap((rate) =>
    Object.entries(populations).map(([name, population]): Variant => {
      return [`${name}, rate ${String(rate)}`, find(population(rate), rate === 0.7)]
    }),
  )
  printRange(`rate, ${measure}`, sizeOf(tasks, seeds), variants, replicatesOf(100))
}

/** Success probabilities of equally good models on a task. */
type DrawTask = (models: number, draw: Draw) => readonly number[]

const alike =
  (population: string, mean: number): DrawTask =>
  (models, draw) =>
    new Array<number>(models).fill(drawTasks(populations[population]!(mean), 1, draw)[0]!)
const ownTasks =
  (population: string, mean: number): DrawTask =>
  (models, draw) =>
    drawTasks(populations[population]!(mean), models, draw)
/**
 * The first model solves a share `rare` of the tasks with probability `probability`. On the rest it is a little better
 * or worse than the other models, so that all means are equal.
 */
const unlike =
  (rare: number, probability: number, others: number): DrawTask =>
  (models, draw) => {
    const first = draw() < rare ? probability : (others - rare * probability) / (1 - rare)
    return [first, ...new Array<number>(models - 1).fill(others)]
  }
const equal: Readonly<Record<string, DrawTask>> = {
  'same chances, ICC 0.5': alike('beta, ICC 0.5', 0.7),
  'same chances, near the ceiling': alike('beta, ICC 0.3', 0.97),
  'chances of their own, ICC 0.5': ownTasks('beta, ICC 0.5', 0.7),
  'always or never, tasks of their own': ownTasks('always or never', 0.5),
  'always or never, near the ceiling': ownTasks('always or never', 0.97),
  'one is better at few tasks': unlike(0.1, 1, 0.5),
  'one fails at few tasks': unlike(0.1, 0, 0.9),
  'one fails at very few tasks': unlike(0.03, 0, 0.95),
}

/** How often the set of the best leaves out one of equal models, and one of half the success of all others. */
function simulateBestSet(models: number, tasks: number, seeds: number): void {
  const leavesOut =
    (drawTask: DrawTask, isCounted: (place: number) => boolean) =>
    (draw: Draw): Found => {
      const scores = Array.from({ length: tasks }, () =>
        drawTask(models, draw).map((chance) => play(chance, seeds, draw)),
      )
      const sets = bestSet(models, (one, other) => scores.map((task) => task[one]! - task[other]!))
      return { 'left out': sets.some(({ isIn }, place) => !isIn && isCounted(place)) }
    }
  const design = `${String(models)} models, ${sizeOf(tasks, seeds)}`
  const variants = Object.entries(equal).map(([name, drawTask]): Variant => [name, leavesOut(drawTask, () => true)])
  printRange('best set: an equal model', design, variants, replicatesOf(50))
  const worse: DrawTask = (models, draw) => {
    const [first, ...others] = alike('beta, ICC 0.3', 0.8)(models, draw) as [number, ...number[]]
    return [first / 2, ...others]
  }
  printRange('best set: one of half the success', design, [['worse', leavesOut(worse, (place) => place === 0)]])
}

/** Whether the interval of a family's change holds its mean over all draws. */
function family(draws: number, deviation: number, tasks: number, seeds: number) {
  return (draw: Draw): Found => {
    const chances = drawTasks(populations['beta, ICC 0.3']!(0.7), tasks, draw).map((task) => 0.45 + 0.35 * task)
    const harms = Array.from(
      { length: draws },
      () => 0.1 + deviation * Math.max(-2, Math.min(2, normalQuantile(draw()))),
    )
    const clean = chances.map((chance) => play(chance, seeds, draw))
    const changes = harms.map((harm) => chances.map((chance, task) => play(chance - harm, seeds, draw) - clean[task]!))
    const byTask = chances.map((_, task) => mean(changes.map((change) => change[task]!))!)
    const means = changes.map((change) => mean(change)!)
    return { holds: holds(intervalOverDraws(means, meanBounds(byTask, 0.025)), -0.1) }
  }
}

/**
 * Whether a run of 8 models and 9 families names one of unchanged models, or the one of which a family takes `drop`.
 */
function headline(drop: number, tasks: number, seeds: number) {
  return (draw: Draw): Found => {
    const ps = Array.from({ length: 8 }, (_, model) => {
      const chances = drawTasks(populations['beta, ICC 0.3']!(0.7), tasks, draw)
      const clean = chances.map((chance) => play(chance, seeds, draw))
      return Array.from({ length: 9 }, (_, place) => {
        const left = model === 0 && place === 0 ? 1 - drop / 0.7 : 1
        return noDifferenceP(chances.map((chance, task) => play(chance * left, seeds, draw) - clean[task]!))
      })
    })
    const adjusted = holm(ps.flat())
    return { named: drop === 0 ? adjusted.some((p) => p < 0.05) : adjusted[0]! < 0.05 }
  }
}

/** Whether the interval of a drop rate holds it. */
function dropRate(population: string, success: number, tasks: number, seeds: number) {
  return (draw: Draw): Found => {
    const chances = drawTasks(populations[population]!(success), tasks, draw)
    const [clean, perturbed] = [1, 0.8].map((left) => chances.map((chance) => play(left * chance, seeds, draw)))
    return { holds: holds(ratioOfMeans(clean!, perturbed!)?.interval, 0.8) }
  }
}

const simulations: readonly (readonly [figure: string, design: string, replicate: (draw: Draw) => Found])[] = [
  ...[0, 0.05, 0.1].map((apart) => ['family', `3 draws ${String(apart)} apart`, family(3, apart, 134, 3)] as const),
  ['family', '3 draws 0.1 apart, 60×1', family(3, 0.1, 60, 1)],
  ['family', '8 draws 0.1 apart', family(8, 0.1, 134, 3)],
  ['headline of a null run', '50×1', headline(0, 50, 1)],
  ['headline of a null run', '134×1', headline(0, 134, 1)],
  ['headline of a drop of 0.1', '134×3', headline(0.1, 134, 3)],
  ['headline of a drop of 0.2', '134×1', headline(0.2, 134, 1)],
  ['headline of a drop of 0.3', '50×1', headline(0.3, 50, 1)],
  ['drop rate', 'half at the ceiling, 10×1', dropRate('half at the ceiling', 0.97, 10, 1)],
  ['drop rate', 'nearly always or never, 20×1', dropRate('nearly always or never', 0.8, 20, 1)],
  ['drop rate', 'beta, ICC 0.3, 134×3', dropRate('beta, ICC 0.3', 0.8, 134, 3)],
]

/** Simulates every figure of a report: how often its interval holds, and how often a test is wrong. */
export function simulateFigures(): void {
  for (const tasks of few([20, 60, 134])) {
    for (const seeds of few([1, 3, 10])) simulateRates(tasks, seeds, 'success')
    for (const measure of few(['gaps', 'progress'] as const)) simulateRates(tasks, 3, measure)
  }
  for (const models of few([2, 5, 10]))
    for (const tasks of few([5, 20, 134])) for (const seeds of few([1, 3, 10])) simulateBestSet(models, tasks, seeds)
  for (const [figure, design, replicate] of few(simulations)) printRange(figure, design, [['all', replicate]])
}
