import { labelWithout } from '../define.js'
import { mean } from '../statistics/index.js'
import { groupBy } from './lists.js'
import type { AggregateCondition, Profile } from './schema.js'

/**
 * The families of a plan's perturbed conditions, in the plan's order: the conditions of one are one perturbation, or
 * one stack, with the same options, and differ in draw and intensity only.
 */
export function familiesOf(conditions: readonly AggregateCondition[]) {
  const perturbed = conditions.filter(({ clean }) => !clean)
  return [...groupBy(perturbed, familyName)].map(([name, members]) => ({
    name,
    conditions: members,
    identity: members.every(({ identity }) => identity),
    adversarial: members.some(({ adversarial }) => adversarial === true),
  }))
}

export type Family = ReturnType<typeof familiesOf>[number]

/** The intensities of a family in ascending order, each with its draws. A stack has one, 1. */
export function dosesOf({ conditions }: Family) {
  const doses = groupBy(conditions, ({ intensity = 1 }) => intensity)
  return [...doses].map(([intensity, draws]) => ({ intensity, draws })).sort((a, b) => a.intensity - b.intensity)
}

/** Conditions in lists of those that differ in their draw alone. */
export function byFamily<Condition extends { readonly label: string }>(
  conditions: readonly Condition[],
): Condition[][] {
  return [...groupBy(conditions, ({ label }) => labelWithout(label, 'draw')).values()]
}

/** The intensities of a stack stay, as they are several. */
function familyName({ label, intensity }: AggregateCondition): string {
  return intensity === undefined ? labelWithout(label, 'draw') : labelWithout(label, 'draw', 'intensity')
}

/**
 * Names of families by their mean change of success over models and environments: largest drop first, controls last.
 */
export function familiesByHarm(profiles: readonly Profile[]): string[] {
  const all = profiles.flatMap(({ families }) => families)
  const names = [...new Set(all.map(({ family }) => family))]
  const harms = new Map(
    names.map((name) => {
      const members = all.filter(({ family }) => family === name)
      const changes = members.flatMap(({ success }) => success.mean ?? [])
      return [name, members[0]!.identity ? 3 : (mean(changes) ?? 2)]
    }),
  )
  return names.sort((one, other) => harms.get(one)! - harms.get(other)!)
}
