import type { Plan } from '../define.js'
import { pairsOf } from '../define.js'
import { differenceOver } from './differences.js'
import { pairTallies } from './pairs.js'
import type { Tallies } from './tallies.js'
import { adjustFamily, testPairs } from './tests.js'
import type { AggregateCondition, Variant } from './schema.js'

/**
 * Compares each variant with its reference model, in each environment × condition and under each agent that both are
 * played with.
 */
export function describeVariants(plan: Plan, tallies: Tallies, conditions: readonly AggregateCondition[]): Variant[] {
  const places = plan.temperatures.map((_, place) => place)
  const references = [...new Set(plan.models.map(({ variantOf }) => variantOf))].filter((name) => name !== undefined)
  const pairs = pairsOf(plan)
  return plan.environments.flatMap(({ name: environment }) =>
    plan.agents.flatMap(({ name: agent }) =>
      conditions.flatMap(({ label: condition }) =>
        references.flatMap((reference) => {
          const here = pairs.filter((pair) => pair.agent.name === agent).map(({ model }) => model)
          if (!here.some(({ name }) => name === reference)) return []
          const family = here
            .filter(({ variantOf }) => variantOf === reference)
            .map(({ name: model }): Variant => {
              const [first, second] = [reference, model].map((name) =>
                tallies.find(environment, name, agent, condition),
              )
              const pairs = pairTallies(first!, second!, places)
              const tests = testPairs(pairs)
              return {
                environment,
                agent,
                condition,
                model,
                reference,
                pairs: pairs.count,
                success: differenceOver(pairs.success),
                progress: differenceOver(pairs.progress),
                ...(tests && { tests }),
              }
            })
          return adjustFamily(family, () => true).filter((variant) => variant !== undefined)
        }),
      ),
    ),
  )
}
