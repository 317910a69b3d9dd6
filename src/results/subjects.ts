import { type Plan, conditionsIn, pairsOf } from '../define.js'
import type { AggregateCondition } from './schema.js'
import type { Tallies } from './tallies.js'
import type { Tally } from './tally.js'

/** Each model and agent in an environment with what they played there, in the plan's order. */
export function subjectsOf(plan: Plan, tallies: Tallies, all: readonly AggregateCondition[]) {
  const cleanCondition = all.find(({ clean }) => clean)
  return plan.environments.flatMap((environment) =>
    pairsOf(plan).map(({ model, agent }) => {
      const find = ({ label }: { readonly label: string }): Tally =>
        tallies.find(environment.name, model.name, agent.name, label)
      return {
        names: { environment: environment.name, model: model.name, agent: agent.name },
        ...{ environment, model, find },
        /** Those that are played in the environment. */
        conditions: conditionsIn(all, environment.name),
        clean: cleanCondition && find(cleanCondition),
      }
    }),
  )
}

export type TalliedSubject = ReturnType<typeof subjectsOf>[number]
