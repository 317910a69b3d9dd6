import type { Plan } from '../define.js'
import { bestSet } from '../statistics/index.js'
import { adjustFamily, compareSets } from './differences.js'
import { defined } from './lists.js'
import { type Metric, differencesOf, metrics } from './pairs.js'
import type { AggregateCondition, Group, Ranking, Variant } from './schema.js'
import type { TalliedSubject } from './subjects.js'
import type { Tallies } from './tallies.js'

/**
 * Ranks models and agents, one ranking for each environment × condition × metric in which something was measured;
 * `groups` are all groups of the plan.
 */
export function describeRankings(
  { environments }: Plan,
  groups: readonly Group[],
  tallies: Tallies,
  conditions: readonly AggregateCondition[],
): Ranking[] {
  return environments.flatMap(({ name: environment }) =>
    conditions.flatMap(({ label }) => {
      const here = groups.filter((group) => group.environment === environment && group.condition === label)
      return metrics.flatMap((metric) => {
        const entries = rank(here, tallies, metric)
        return entries.length === 0 ? [] : { environment, condition: label, metric, entries }
      })
    }),
  )
}

function rank(groups: readonly Group[], tallies: Tallies, metric: Metric): Ranking['entries'] {
  const measured = groups.flatMap(({ environment, model, agent, condition, pooled }) => {
    const { mean } = pooled[metric]
    return mean === undefined ? [] : { model, agent, mean, tally: tallies.find(environment, model, agent, condition) }
  })
  // The sort is stable, so ties stay in the plan's order.
  const sorted = measured.sort((one, other) => other.mean - one.mean)
  const contestants = bestSet(sorted.length, (one, other) => [
    ...differencesOf(sorted[other]!.tally, sorted[one]!.tally, metric),
  ])
  return sorted.map(({ model, agent, mean }, place) => ({ model, agent, mean, best: contestants[place]!.isIn }))
}

/**
 * Compares each variant with its reference model, in each environment × condition and under each agent that both are
 * played with.
 */
export function describeVariants(
  { environments, agents }: Plan,
  subjects: readonly TalliedSubject[],
  conditions: readonly AggregateCondition[],
): Variant[] {
  const references = [...new Set(subjects.map(({ model }) => model.variantOf))]
  return environments.flatMap(({ name: environment }) =>
    agents.flatMap(({ name: agent }) => {
      const here = subjects.filter(({ names }) => names.environment === environment && names.agent === agent)
      return conditions.flatMap((condition) =>
        references.flatMap((name) => {
          const reference = here.find(({ model }) => model.name === name)
          if (reference === undefined) return []
          const family = here
            .filter(({ model }) => model.variantOf === reference.model.name)
            .map(({ model, find }): Variant => {
              const { pairs, success, progress, tests } = compareSets(reference.find(condition), [[find(condition)]])
              return {
                ...{
                  environment,
                  agent,
                  condition: condition.label,
                  model: model.name,
                  reference: reference.model.name,
                },
                ...{ pairs, success, progress, ...defined({ tests }) },
              }
            })
          return adjustFamily(family, () => true).filter((variant) => variant !== undefined)
        }),
      )
    }),
  )
}
