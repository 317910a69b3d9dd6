import {
  intervalOverDraws,
  mean,
  pairedDifference,
  spreadByGroup,
  spreadOfDraws,
  standardDeviation,
} from '../statistics/index.js'
import { labelWithout } from '../define.js'
import { touchedBy } from './differences.js'
import type { Metric } from './pairs.js'
import { pairWhole, perMetric, plannedPasses } from './pairs.js'
import { isCopy, placesOf } from './passes.js'
import { byFamily } from './families.js'
import type { DrawFigures, Draws } from './schema.js'
import type { TalliedSubject } from './subjects.js'
import type { Tally } from './tally.js'

/** Describes every family of conditions that differ in their draw alone. None without a clean condition. */
export function describeDraws(subjects: readonly TalliedSubject[]): Draws[] {
  return subjects.flatMap(({ names, conditions, clean, find }) => {
    if (clean === undefined) return []
    const several = byFamily(conditions.filter((condition) => !condition.clean)).filter(({ length }) => length > 1)
    return several.map((members): Draws => {
      const draws = members.map(find)
      const tasks = placesOf(clean.shape).tasks.filter((task) =>
        draws.every((draw) => pairWhole(clean, draw).counts[task]! > 0),
      )
      return {
        ...names,
        family: labelWithout(members[0]!.label, 'draw'),
        conditions: members.map(({ label }) => label),
        tasks: tasks.length,
        ...(!members.every(({ identity }) => identity) && { touched: touchedBy(draws, tasks) }),
        ...perMetric((metric) => figuresOf(metric, draws, tasks, clean)),
      }
    })
  })
}

function figuresOf(metric: Metric, draws: readonly Tally[], tasks: readonly number[], clean: Tally): DrawFigures {
  const changes = draws.map((draw) => tasks.map((task) => pairWhole(clean, draw)[metric].difference[task]!))
  const byTask = tasks.map((_, place) => mean(changes.map((own) => own[place]!))!)
  const overDraws = spreadOfDraws(changes)
  const overSeeds = spreadOverSeeds(metric, draws, tasks, clean)
  const overTasks = standardDeviation(byTask)
  const change = pairedDifference(byTask)
  const ofFamily =
    change.interval &&
    intervalOverDraws(
      changes.map((own) => mean(own)!),
      change.interval,
    )
  return {
    change,
    ...(ofFamily && { ofFamily }),
    ...(overDraws && { overDraws }),
    ...(overSeeds !== undefined && { overSeeds }),
    ...(overTasks !== undefined && { overTasks }),
  }
}

/**
 * Sample deviation over seeds, within a temperature, of a draw's mean change over tasks: root mean square over the
 * draws.
 */
function spreadOverSeeds(
  metric: Metric,
  draws: readonly Tally[],
  tasks: readonly number[],
  clean: Tally,
): number | undefined {
  const changeIn = (tally: Tally, pass: number): number => {
    if (isCopy(clean, pass) && isCopy(tally, pass)) return NaN
    const slots = tasks.map((task) => pass * tally.shape.tasks + task)
    const both = slots.filter((slot) => clean.state[slot] === 2 && tally.state[slot] === 2)
    return mean(both.map((slot) => tally[metric][slot]! - clean[metric][slot]!)) ?? NaN
  }
  const variances = draws.flatMap((tally) => {
    const passes = plannedPasses(clean, tally, placesOf(clean.shape).temperatures)
    const { within } = spreadByGroup(passes.map((own) => own.map((pass) => changeIn(tally, pass))))
    return within === undefined ? [] : [within ** 2]
  })
  const variance = mean(variances)
  return variance === undefined ? undefined : Math.sqrt(variance)
}
