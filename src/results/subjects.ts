import type { Plan, PlannedEnvironment, PlannedModel } from '../define.js'
import { conditionsIn, pairsOf } from '../define.js'
import type { AggregateCondition, Group } from './schema.js'
import type { Tallies } from './tallies.js'
import type { Tally } from './tally.js'

/** A model and agent in an environment, with what they played there. */
export interface TalliedSubject {
  readonly names: Pick<Group, 'environment' | 'model' | 'agent'>
  readonly environment: PlannedEnvironment
  readonly model: PlannedModel
  /** Those that are played in the environment. */
  readonly conditions: readonly AggregateCondition[]
  readonly clean: Tally | undefined
  find(condition: { readonly label: string }): Tally
}

/** The subjects of a plan, in its order. */
export function subjectsOf(plan: Plan, tallies: Tallies, all: readonly AggregateCondition[]): TalliedSubject[] {
  const cleanCondition = all.find(({ clean }) => clean)
  return plan.environments.flatMap((environment) =>
    pairsOf(plan).map(({ model, agent }) => {
      const find = ({ label }: { readonly label: string }): Tally =>
        tallies.find(environment.name, model.name, agent.name, label)
      return {
        names: { environment: environment.name, model: model.name, agent: agent.name },
        environment,
        model,
        conditions: conditionsIn(all, environment.name),
        clean: cleanCondition && find(cleanCondition),
        find,
      }
    }),
  )
}
