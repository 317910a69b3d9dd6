import { intervalOverDraws, mean, pairedDifference, spreadOfDraws } from '../statistics/index.js'
import { labelWithout } from '../define.js'
import { touchedBy } from './differences.js'
import type { Metric } from './pairs.js'
import { pairWhole, perMetric } from './pairs.js'
import { placesOf } from './passes.js'
import { byFamily } from './families.js'
import type { Draws } from './schema.js'
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

function figuresOf(metric: Metric, draws: readonly Tally[], tasks: readonly number[], clean: Tally): Draws[Metric] {
  const changes = draws.map((draw) => tasks.map((task) => pairWhole(clean, draw)[metric].difference[task]!))
  const byTask = tasks.map((_, place) => mean(changes.map((own) => own[place]!))!)
  const overDraws = spreadOfDraws(changes)
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
  }
}
