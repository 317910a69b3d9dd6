import { bestSet } from '../statistics/index.js'
import type { Metric } from './pairs.js'
import { differencesOf, metrics } from './pairs.js'
import type { Tallies } from './tallies.js'
import type { AggregateCondition, Group, Ranking } from './schema.js'

/**
 * Ranks models and agents, one ranking for each environment × condition × metric in which something was measured;
 * `groups` are all groups of the plan.
 */
export function describeRankings(
  groups: readonly Group[],
  tallies: Tallies,
  conditions: readonly AggregateCondition[],
): Ranking[] {
  const environments = [...new Set(groups.map(({ environment }) => environment))]
  return environments.flatMap((environment) => {
    const of = (condition: string): Group[] =>
      groups.filter((group) => group.environment === environment && group.condition === condition)
    return conditions.flatMap(({ label }) =>
      metrics.flatMap((metric) => {
        const entries = rank(of(label), tallies, metric)
        return entries.length === 0 ? [] : { environment, condition: label, metric, entries }
      }),
    )
  })
}

type Entries = Ranking['entries']

function rank(groups: readonly Group[], tallies: Tallies, metric: Metric): Entries {
  const measured = groups.flatMap((group) => {
    const { mean } = group.pooled[metric]
    return mean === undefined ? [] : { group, mean }
  })
  // The sort is stable, so ties stay in the plan's order.
  const sorted = measured.sort((one, other) => other.mean - one.mean)
  const tallied = sorted.map(({ group: { environment, model, agent, condition, temperatures } }) => ({
    tally: tallies.find(environment, model, agent, condition),
    places: temperatures.map((_, place) => place),
  }))
  const contestants = bestSet(sorted.length, (one, other) => [
    ...differencesOf(tallied[other]!.tally, tallied[one]!.tally, tallied[one]!.places, metric),
  ])
  return sorted.map(({ group: { model, agent }, mean }, place) => {
    const { p, adjusted, isIn } = contestants[place]!
    return { model, agent, mean, best: isIn, ...(sorted.length > 1 && { p, holm: adjusted }) }
  })
}
