import type { Plan, PlannedCondition } from '../define.js'
import { listWords } from '../tables/words.js'
import type { AggregateCondition } from './schema.js'

/** The conditions of a plan, in order. */
export function describeConditions({ conditions }: Plan): AggregateCondition[] {
  return conditions.map(({ label, perturbations }) => ({
    label,
    clean: perturbations.length === 0,
    identity: perturbations.every(({ promise }) => promise === 'identity'),
    perturbations,
    ...intensityOf(perturbations),
    ...(perturbations.some(({ adversarial }) => adversarial) && { adversarial: true as const }),
  }))
}

/** Whether a perturbed condition enters figures over several conditions. */
export function isAveraged({ identity, adversarial }: AggregateCondition): boolean {
  return !identity && adversarial === undefined
}

/** The adversarial conditions by label, for captions: `Adversarial, so in no figure over conditions: swapped-verbs.` */
export function describeAdversarial(conditions: readonly AggregateCondition[]): string[] {
  const labels = conditions.filter(({ adversarial }) => adversarial).map(({ label }) => label)
  return labels.length === 0 ? [] : [`Adversarial, and so in no figure over several conditions: ${listWords(labels)}.`]
}

/** Counterparts, which replace each other in different environments, have one intensity. */
function intensityOf(perturbations: PlannedCondition['perturbations']): { readonly intensity?: number } {
  const places = perturbations.flatMap(({ environments }) => environments ?? [''])
  const isOne =
    perturbations.length > 0 && places.every((place, index) => place !== '' && places.indexOf(place) === index)
  return perturbations.length === 1 || isOne ? { intensity: perturbations[0]!.intensity ?? 1 } : {}
}
