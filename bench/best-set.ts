import { createRandom } from '../src/core/random.js'
import { bestSet } from '../src/statistics/index.js'
import { populations } from './_simulated-tasks.js'
import { size } from './_size.js'

/** Error rates and power of the confidence set of the best model, as shares of 1. */
export interface BestSetFigures {
  readonly models: number
  readonly tasks: number
  readonly seeds: number
  /** How often any of equally good models is left out: the highest rate over the populations, and its population. */
  readonly anyLeftOut: number
  readonly where: string
  /** How often a model with a success rate of 0.4 is left out if all others have 0.8. */
  readonly worseLeftOut: number
}

type DrawTask = (models: number, draw: () => number) => readonly number[]

const pick = (probabilities: readonly number[], draw: () => number): number =>
  probabilities[Math.floor(draw() * probabilities.length)]!
const alike = (population: string, mean: number): DrawTask => {
  const probabilities = populations[population]!(mean)
  return (models, draw) => new Array<number>(models).fill(pick(probabilities, draw))
}
const ownTasks = (population: string, mean: number): DrawTask => {
  const probabilities = populations[population]!(mean)
  return (models, draw) => Array.from({ length: models }, () => pick(probabilities, draw))
}
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

/** Success probabilities of equally good models on a task. */
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
const halved = populations['beta, ICC 0.3']!(0.8)
const oneWorse: DrawTask = (models, draw) => {
  const probability = pick(halved, draw)
  return [probability / 2, ...new Array<number>(models - 1).fill(probability)]
}

/** Draws new tasks for every replicate, since the claim is about the population of tasks. */
export function bestSets(replicates = size(50, 1)): BestSetFigures[] {
  const figures = [2, 5, 10].flatMap((models) =>
    [5, 20, 134].flatMap((tasks) => [1, 3, 10].map((seeds) => bestSetOf({ models, tasks, seeds }, replicates))),
  )
  for (const { models, tasks, seeds, anyLeftOut, where, worseLeftOut } of figures) {
    console.log(
      `best set: ${String(models)} models, ${String(tasks)} tasks × ${String(seeds)} seeds: an equal one is left out in ${(100 * anyLeftOut).toFixed(1)} % at most (${where}), ` +
        `one of half the success in ${(100 * worseLeftOut).toFixed(0)} %`,
    )
  }
  return figures
}

type Design = Pick<BestSetFigures, 'models' | 'tasks' | 'seeds'>

function bestSetOf(design: Design, replicates: number): BestSetFigures {
  let highest = { share: -1, where: '' }
  for (const [where, drawTask] of Object.entries(equal)) {
    const share = shareOf(design, drawTask, where, replicates, (sets) => sets.some((isIn) => !isIn))
    if (share > highest.share) highest = { share, where }
  }
  const worseLeftOut = shareOf(design, oneWorse, 'worse', replicates, ([first]) => !first!)
  return { ...design, anyLeftOut: highest.share, where: highest.where, worseLeftOut }
}

function shareOf(
  { models, tasks, seeds }: Design,
  drawTask: DrawTask,
  name: string,
  replicates: number,
  counts: (isIn: readonly boolean[]) => boolean,
): number {
  const draw = createRandom(JSON.stringify([models, tasks, seeds, name])).next
  let counted = 0
  for (let replicate = 0; replicate < replicates; replicate++) {
    const scores = Array.from({ length: tasks }, () =>
      drawTask(models, draw).map((probability) => {
        let solved = 0
        for (let seed = 0; seed < seeds; seed++) if (draw() < probability) solved++
        return solved / seeds
      }),
    )
    const sets = bestSet(models, (one, other) => scores.map((task) => task[one]! - task[other]!))
    if (counts(sets.map(({ isIn }) => isIn))) counted++
  }
  return counted / replicates
}
