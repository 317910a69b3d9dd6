import type { Plan } from '../define.js'
import { pairsOf } from '../define.js'
import { mean, pairedSlope, ratioOfMeans, taskInterval } from '../statistics/index.js'
import type { Family } from './families.js'
import { dosesOf, familiesOf } from './families.js'
import { touchedBy } from './differences.js'
import type { Metric } from './pairs.js'
import { metrics } from './pairs.js'
import { countPlanned } from './passes.js'
import { taskMean } from './rates.js'
import type { AggregateCondition, DoseCurve, DoseResponse } from './schema.js'
import type { Tallies } from './tallies.js'
import type { Tally } from './tally.js'

/** The fewest intensities of a family, beside the clean condition, for a curve. */
const minDoses = 2

/**
 * Success and progress over intensity for each environment × model × agent and each family with several intensities.
 * The clean condition is intensity 0.
 */
export function describeDoseResponses(
  plan: Plan,
  tallies: Tallies,
  conditions: readonly AggregateCondition[],
): DoseResponse[] {
  const clean = conditions.find((condition) => condition.clean)
  const graded = familiesOf(conditions).filter(
    (family) => dosesOf(family).filter(({ intensity }) => intensity > 0).length >= minDoses,
  )
  if (clean === undefined) return []
  return plan.environments.flatMap(({ name: environment }) =>
    pairsOf(plan).flatMap(({ model: { name: model }, agent: { name: agent } }) => {
      const find = ({ label }: AggregateCondition): Tally => tallies.find(environment, model, agent, label)
      return graded.map((family) => {
        const curves = metrics.map((metric) => curveOf(family, find, find(clean), clean.label, metric))
        return { environment, model, agent, family: family.name, success: curves[0]!, progress: curves[1]! }
      })
    }),
  )
}

function curveOf(
  family: Family,
  find: (condition: AggregateCondition) => Tally,
  clean: Tally,
  cleanLabel: string,
  metric: Metric,
): DoseCurve {
  const doses = dosesOf(family).filter(({ intensity }) => intensity > 0)
  const tallies = [[clean], ...doses.map(({ draws }) => draws.map(find))]
  const labels = [[cleanLabel], ...doses.map(({ draws }) => draws.map(({ label }) => label))]
  const intensities = [0, ...doses.map(({ intensity }) => intensity)]
  const measured = Array.from({ length: clean.shape.tasks }, (_, task) => ({
    task,
    ofTask: tallies.map((draws) => scoreOf(draws, metric, task)),
  })).filter(({ ofTask }) => !ofTask.some(Number.isNaN))
  const [tasks, scores] = [measured.map(({ task }) => task), measured.map(({ ofTask }) => ofTask)]
  const slope = pairedSlope(intensities, scores)
  const area = ratioOfMeans(
    scores.map(([before]) => before!),
    scores.map((ofTask) => areaUnder(intensities, ofTask)),
  )
  return {
    tasks: scores.length,
    levels: tallies.map((draws, place) => {
      const ofTasks = scores.map((ofTask) => ofTask[place]!)
      const overTasks = taskInterval(ofTasks)
      const average = mean(ofTasks)
      return {
        intensity: intensities[place]!,
        conditions: labels[place]!,
        coverage: coverageOf(draws),
        ...(average !== undefined && { mean: average }),
        ...(overTasks && { overTasks }),
        ...(place > 0 && !family.identity && { touched: touchedBy(draws, placesOf(clean), tasks) }),
      }
    }),
    ...(slope && { slope }),
    ...(area && { area }),
  }
}

function coverageOf(draws: readonly Tally[]): { readonly valid: number; readonly planned: number } {
  const sum = (of: (tally: Tally) => number): number => draws.reduce((total, tally) => total + of(tally), 0)
  return {
    valid: sum(({ state }) => state.reduce((count, one) => count + (one === 2 ? 1 : 0), 0)),
    planned: sum((tally) => countPlanned(tally, placesOf(tally)) * tally.shape.tasks),
  }
}

function placesOf({ shape }: Tally): number[] {
  return Array.from({ length: shape.temperatures }, (_, place) => place)
}

/** A task's mean over draws of the mean over temperatures of the mean over seeds; NaN where one is missing. */
function scoreOf(draws: readonly Tally[], metric: Metric, task: number): number {
  const means = draws.flatMap((tally) => placesOf(tally).map((place) => taskMean(tally[metric], tally, [place], task)))
  return mean(means) ?? NaN
}

/** The mean of a task's score over the intensities from the first to the last, by the trapezoidal rule. */
function areaUnder(intensities: readonly number[], scores: readonly number[]): number {
  const area = intensities.slice(1).reduce((sum, to, place) => {
    const width = to - intensities[place]!
    return sum + (width * (scores[place]! + scores[place + 1]!)) / 2
  }, 0)
  return area / (intensities.at(-1)! - intensities[0]!)
}
