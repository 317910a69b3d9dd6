import type { Aggregate, Group, Profile } from './schema.js'

/** The group of an environment × model × agent × condition, or undefined where the plan has none. */
export function findGroup(
  { groups }: Pick<Aggregate, 'groups'>,
  environment: string,
  model: string,
  agent: string,
  condition: string | undefined,
): Group | undefined {
  return groups.find(
    (group) =>
      group.environment === environment &&
      group.model === model &&
      group.agent === agent &&
      group.condition === condition,
  )
}

/** The profile of a model and agent in an environment; undefined in a run without a clean condition. */
export function findProfile(
  { profiles }: Pick<Aggregate, 'profiles'>,
  environment: string,
  { model, agent }: Pick<Group, 'model' | 'agent'>,
): Profile | undefined {
  return profiles.find(
    (profile) => profile.environment === environment && profile.model === model && profile.agent === agent,
  )
}
