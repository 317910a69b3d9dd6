import type { Plan } from '../define.js'
import { conditionsIn, labelWithout, pairsOf } from '../define.js'
import { holm, mean, noDifferenceP } from '../statistics/index.js'
import { isAveraged } from './conditions.js'
import { differenceOver, touchedBy } from './differences.js'
import type { MeansByTask, Metric, Pairs } from './pairs.js'
import { pairTallies } from './pairs.js'
import type { Tallies } from './tallies.js'
import type { Tally } from './tally.js'
import type { AggregateCondition, Primary } from './schema.js'

/**
 * Computes the primary endpoint of a plan; undefined for a plan without a clean condition or without one that changes
 * something. Draws of one perturbation count as one, their mean.
 */
export function describePrimary(
  plan: Plan,
  tallies: Tallies,
  conditions: readonly AggregateCondition[],
): Primary | undefined {
  const clean = conditions.find((condition) => condition.clean)
  const chosen = plan.primary?.conditions
  const labels = conditions
    .filter((condition) => chosen?.includes(condition.label) ?? isAveraged(condition))
    .map(({ label }) => label)
  if (clean === undefined || labels.length === 0) return undefined
  const metric = plan.primary?.metric ?? 'success'
  const temperatures = plan.temperatures.map((_, place) => place)
  const changes = plan.environments.flatMap(({ name: environment, tasks }) =>
    pairsOf(plan).map(({ model: { name: model }, agent: { name: agent } }) => {
      const played = conditionsIn(conditions, environment).map(({ label }) => label)
      const twin = tallies.find(environment, model, agent, clean.label)
      const tallied = labels
        .filter((label) => played.includes(label))
        .map((label) => ({ label, tally: tallies.find(environment, model, agent, label) }))
      const means = overConditions(twin, tallied, temperatures, tasks.length)[metric]
      const known = [...means.difference].filter((one) => !Number.isNaN(one))
      return {
        environment,
        model,
        agent,
        touched: touchedBy(
          tallied.map(({ tally }) => tally),
          temperatures,
        ),
        difference: differenceOver(means),
        p: known.length === 0 ? NaN : noDifferenceP(known),
      }
    }),
  )
  const adjusted = holm(changes.map(({ p }) => p))
  return {
    metric,
    conditions: labels,
    named: plan.primary !== undefined,
    comparisons: changes.map(({ p, ...one }, place) => ({
      ...one,
      ...(Number.isNaN(p) ? {} : { p, holm: adjusted[place]! }),
    })),
  }
}

/**
 * Means by task of some conditions and their clean twin, over all of the conditions, whatever they change of a task;
 * draws of one perturbation count as one, their mean.
 */
export function overConditions(
  twin: Tally,
  conditions: readonly { readonly label: string; readonly tally: Tally }[],
  temperatures: readonly number[],
  tasks: number,
): Readonly<Record<Metric, MeansByTask>> {
  const families = new Map<string, Pairs[]>()
  for (const { label, tally } of conditions) {
    const family = labelWithout(label, 'draw')
    const pairs = pairTallies(twin, tally, temperatures)
    families.set(family, [...(families.get(family) ?? []), pairs])
  }
  const isKnown = (one: number | undefined): one is number => one !== undefined && !Number.isNaN(one)
  const byTask = (metric: Metric, part: keyof MeansByTask): number[] =>
    Array.from({ length: tasks }, (_, task) => {
      const means = [...families.values()].map((draws) =>
        mean(draws.map((one) => one[metric][part][task]).filter(isKnown)),
      )
      return mean(means.filter(isKnown)) ?? NaN
    })
  const of = (metric: Metric): MeansByTask => ({
    first: byTask(metric, 'first'),
    second: byTask(metric, 'second'),
    difference: byTask(metric, 'difference'),
    low: byTask(metric, 'low'),
    high: byTask(metric, 'high'),
  })
  return { success: of('success'), progress: of('progress') }
}
