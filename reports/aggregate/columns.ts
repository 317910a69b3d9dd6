import type { Plan, PlannedColumn } from 'shaketable'
import type { AggregateColumn } from './schema.js'

/** The columns of a plan, in order. */
export function describeColumns({ columns }: Plan): AggregateColumn[] {
  return columns.map(({ label, perturbations }) => ({
    label,
    clean: perturbations.length === 0,
    identity: perturbations.every(({ promise }) => promise === 'identity'),
    perturbations,
    ...intensityOf(perturbations),
  }))
}

/** Counterparts, which replace each other in different environments, have one intensity. */
function intensityOf(perturbations: PlannedColumn['perturbations']): { readonly intensity?: number } {
  const places = perturbations.flatMap(({ environments }) => environments ?? [''])
  const isOne =
    perturbations.length > 0 && places.every((place, index) => place !== '' && places.indexOf(place) === index)
  return perturbations.length === 1 || isOne ? { intensity: perturbations[0]!.intensity ?? 1 } : {}
}
