import type { Plan, PlannedColumn } from '../define.js'
import { listWords } from '../tables/words.js'
import type { AggregateColumn } from './schema.js'

/** The columns of a plan, in order. */
export function describeColumns({ columns }: Plan): AggregateColumn[] {
  return columns.map(({ label, perturbations }) => ({
    label,
    clean: perturbations.length === 0,
    identity: perturbations.every(({ promise }) => promise === 'identity'),
    perturbations,
    ...intensityOf(perturbations),
    ...(perturbations.some(({ adversarial }) => adversarial) && { adversarial: true as const }),
  }))
}

/** Whether a perturbed column enters figures over several columns. */
export function isAveraged({ identity, adversarial }: AggregateColumn): boolean {
  return !identity && adversarial === undefined
}

/** The adversarial columns by label, for captions: `Adversarial, so in no figure over conditions: swapped-verbs.` */
export function describeAdversarial(columns: readonly AggregateColumn[]): string[] {
  const labels = columns.filter(({ adversarial }) => adversarial).map(({ label }) => label)
  return labels.length === 0 ? [] : [`Adversarial, and so in no figure over several conditions: ${listWords(labels)}.`]
}

/** Counterparts, which replace each other in different environments, have one intensity. */
function intensityOf(perturbations: PlannedColumn['perturbations']): { readonly intensity?: number } {
  const places = perturbations.flatMap(({ environments }) => environments ?? [''])
  const isOne =
    perturbations.length > 0 && places.every((place, index) => place !== '' && places.indexOf(place) === index)
  return perturbations.length === 1 || isOne ? { intensity: perturbations[0]!.intensity ?? 1 } : {}
}
