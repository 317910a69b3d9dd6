import type { Plan, PlannedColumn } from 'shaketable'

/** A column, whether it is the clean one, and whether it changes nothing at all: the clean one, or by its promise. */
export interface AggregateColumn {
  readonly label: string
  readonly clean: boolean
  readonly identity: boolean
  readonly perturbations: PlannedColumn['perturbations']
  /**
   * Of its only perturbation in each environment: 1 at its full strength, and where it is all or nothing. Absent where
   * there are several, and on the clean column.
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

/** Counterparts, which stand in for each other in several environments, are of one intensity. */
function intensityOf(perturbations: PlannedColumn['perturbations']): { readonly intensity?: number } {
  const places = perturbations.flatMap(({ environments }) => environments ?? [''])
  const isOne =
    perturbations.length > 0 && places.every((place, index) => place !== '' && places.indexOf(place) === index)
  return perturbations.length === 1 || isOne ? { intensity: perturbations[0]!.intensity ?? 1 } : {}
}
