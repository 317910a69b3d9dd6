import type { Aggregate, Group, Profile } from './schema.js'

/** Items in lists by a key, both in the order in which they come. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** The properties of an object that are not undefined. */
export function defined<Shape extends object>(shape: Shape) {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Shape]?: Exclude<Shape[Key], undefined>
  }
}

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
