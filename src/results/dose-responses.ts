import { mean, pairedSlope, ratioOfMeans } from '../statistics/index.js'
import { type Family, dosesOf, familiesOf } from './families.js'
import { touchedBy } from './differences.js'
import { defined, sumOf } from './lists.js'
import { type Metric, perMetric } from './pairs.js'
import { countPlanned, placesOf } from './passes.js'
import { meanOverTasks, wholeTaskMeans } from './rates.js'
import type { AggregateCondition, DoseCurve, DoseResponse } from './schema.js'
import type { TalliedSubject } from './subjects.js'
import type { Tally } from './tally.js'

/**
 * Success and progress over intensity for each environment × model × agent and each family with several intensities.
 * The clean condition is intensity 0.
 */
export function describeDoseResponses(
  subjects: readonly TalliedSubject[],
  conditions: readonly AggregateCondition[],
): DoseResponse[] {
  const clean = conditions.find((condition) => condition.clean)
  if (clean === undefined) return []
  const graded = familiesOf(conditions)
    .map((family) => ({ family, doses: dosesOf(family).filter(({ intensity }) => intensity > 0) }))
    .filter(({ doses }) => doses.length > 1)
  return subjects.flatMap(({ names, find }) =>
    graded.map(({ family, doses }) => {
      const levels = [{ intensity: 0, draws: [clean] }, ...doses].map(({ intensity, draws }) => ({
        intensity,
        conditions: draws.map(({ label }) => label),
        tallies: draws.map(find),
      }))
      return { ...names, family: family.name, ...perMetric((metric) => curveOf(family, levels, metric)) }
    }),
  )
}

function curveOf(
  { identity }: Family,
  levels: readonly (Pick<DoseCurve['levels'][number], 'intensity' | 'conditions'> & { tallies: readonly Tally[] })[],
  metric: Metric,
): DoseCurve {
  const intensities = levels.map(({ intensity }) => intensity)
  const { tasks } = placesOf(levels[0]!.tallies[0]!.shape)
  /** By level and task the mean over draws of the mean over temperatures; NaN where one is missing. */
  const scores = levels.map(({ tallies }) => {
    const each = tallies.map((tally) => wholeTaskMeans(tally[metric], tally))
    return tasks.map((task) => mean(each.map((means) => means[task]!)) ?? NaN)
  })
  const measured = tasks.filter((task) => scores.every((level) => !Number.isNaN(level[task])))
  const byTask = measured.map((task) => scores.map((level) => level[task]!))
  const slope = pairedSlope(intensities, byTask)
  const area = ratioOfMeans(
    byTask.map(([before]) => before!),
    byTask.map((ofTask) => areaUnder(intensities, ofTask)),
  )
  return {
    tasks: byTask.length,
    levels: levels.map(({ intensity, conditions, tallies }, place) => ({
      intensity,
      conditions,
      coverage: coverageOf(tallies),
      ...meanOverTasks(byTask.map((ofTask) => ofTask[place]!)),
      ...(place > 0 && !identity && { touched: touchedBy(tallies, measured) }),
    })),
    ...defined({ slope, area }),
  }
}

function coverageOf(draws: readonly Tally[]) {
  return {
    valid: sumOf(draws, ({ state }) => state.filter((state) => state === 2).length),
    planned: sumOf(draws, (tally) => countPlanned(tally) * tally.shape.tasks),
  }
}

/** The mean of a task's score over the intensities from the first to the last, by the trapezoidal rule. */
function areaUnder(intensities: readonly number[], scores: readonly number[]): number {
  const area = intensities.slice(1).reduce((sum, to, place) => {
    const width = to - intensities[place]!
    return sum + (width * (scores[place]! + scores[place + 1]!)) / 2
  }, 0)
  return area / (intensities.at(-1)! - intensities[0]!)
}
