import type { BoundedDifference, Touched } from '../../src/results/schema.js'
import { figure } from './rows.js'
import type { Cell, ColumnGroup } from '../../src/tables/table.js'

/** What every table of changes says of its tasks, as sentences of its caption. */
export const evidenceNotes = {
  all: 'Every task enters, whether it was touched or not.',
  touched:
    'Touched: the share of tasks, and of steps, in which the condition changed something, in percent; what the model did decides on it for some conditions, so it selects nothing.',
  missing:
    'If missing: the widest 95 % interval over everything that the missing episodes may have been, failures in one arm and successes in the other.',
} as const

/** The columns of {@link touchedCells}. */
export const touchedGroup: ColumnGroup = {
  title: 'Touched',
  columns: [
    { title: 'Tasks', shows: 'share', metric: 'touched-tasks' },
    { title: 'Steps', shows: 'share', metric: 'touched-steps' },
  ],
}

/** The shares of tasks and of steps that a condition touched. */
export function touchedCells(touched: Touched | undefined): Cell[] {
  return [figure(touched && touched.of > 0 ? touched.tasks / touched.of : undefined), figure(touched?.steps)]
}

/** Whether a table has a column for what missing episodes may have been. */
export function isBounded(changes: readonly (BoundedDifference | undefined)[]): boolean {
  return changes.some((change) => change?.worstCase !== undefined)
}

/** A change with its interval over everything that missing episodes may have been. */
export function boundedCell({ mean, worstCase }: BoundedDifference): Cell {
  return worstCase === undefined ? {} : { ...figure(mean), ...worstCase }
}
