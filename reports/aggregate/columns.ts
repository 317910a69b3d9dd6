import type { Plan, PlannedColumn } from 'shaketable'

/** A column; `clean` where it has no perturbation, `identity` where all of its perturbations promise to change nothing. */
export interface AggregateColumn {
  readonly label: string
  readonly clean: boolean
  readonly identity: boolean
  readonly perturbations: PlannedColumn['perturbations']
  /**
   * Intensity of its only perturbation in each environment; 1 for one without that option. Absent where there are
   * several, and on the clean column.
   */
  readonly intensity?: number
}

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
