import type { Plan } from 'shaketable'
import { columnsIn, labelWithout, pairsOf } from 'shaketable'
import { holm, mean, noDifferenceP, pairedDifference } from 'shaketable/statistics'
import { isAveraged } from './columns.js'
import { findUnchanged } from './differences.js'
import { pairTallies } from './pairs.js'
import type { Tallies } from './tally.js'
import type { AggregateColumn, Primary } from './schema.js'

/**
 * Computes the primary endpoint of a plan; undefined for a plan without a clean column or without one that changes
 * something. Draws of one perturbation count as one, their mean.
 */
export function describePrimary(
  plan: Plan,
  tallies: Tallies,
  columns: readonly AggregateColumn[],
): Primary | undefined {
  const clean = columns.find((column) => column.clean)
  const chosen = plan.primary?.columns
  const labels = columns
    .filter((column) => chosen?.includes(column.label) ?? isAveraged(column))
    .map(({ label }) => label)
  if (clean === undefined || labels.length === 0) return undefined
  const metric = plan.primary?.metric ?? 'success'
  const temperatures = plan.temperatures.map((_, place) => place)
  const changes = plan.environments.flatMap(({ name: environment, tasks }) =>
    pairsOf(plan).map(({ model: { name: model }, agent: { name: agent } }) => {
      const played = columnsIn(columns, environment).map(({ label }) => label)
      const twin = tallies.find(environment, model, agent, clean.label)
      const families = new Map<string, Float64Array[]>()
      for (const label of labels.filter((one) => played.includes(one))) {
        const tally = tallies.find(environment, model, agent, label)
        const { difference } = pairTallies(twin, tally, temperatures, findUnchanged(tally))[metric]
        families.set(labelWithout(label, 'draw'), [...(families.get(labelWithout(label, 'draw')) ?? []), difference])
      }
      const isKnown = (one: number | undefined): one is number => one !== undefined && !Number.isNaN(one)
      const byTask = tasks.map((_, task) =>
        [...families.values()].map((draws) => mean(draws.map((one) => one[task]).filter(isKnown))).filter(isKnown),
      )
      const known = byTask.filter((one) => one.length > 0)
      return {
        environment,
        model,
        agent,
        difference: pairedDifference(byTask),
        p: known.length === 0 ? NaN : noDifferenceP(known.map((one) => mean(one)!)),
      }
    }),
  )
  const adjusted = holm(changes.map(({ p }) => p))
  return {
    metric,
    columns: labels,
    named: plan.primary !== undefined,
    comparisons: changes.map(({ p, ...one }, place) => ({
      ...one,
      ...(Number.isNaN(p) ? {} : { p, holm: adjusted[place]! }),
    })),
  }
}
