import type { Plan } from '../define.js'
import { adjustFamily, compareSets } from './differences.js'
import type { AggregateCondition, Variant } from './schema.js'
import type { TalliedSubject } from './subjects.js'

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
              const names = { environment, agent, condition: condition.label }
              return {
                ...names,
                model: model.name,
                reference: reference.model.name,
                pairs,
                success,
                progress,
                ...(tests && { tests }),
              }
            })
          return adjustFamily(family, () => true).filter((variant) => variant !== undefined)
        }),
      )
    }),
  )
}
