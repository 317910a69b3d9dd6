import type { BoundedDifference, Touched } from '../../src/results/schema.js'
import type { Measure } from './measured.js'
import { measure } from './measured.js'
import { figure } from './rows.js'
import type { Cell } from '../../src/tables/table.js'

/** A mean difference, and its interval over tasks. */
interface Change {
  readonly mean?: number
  readonly interval?: { readonly low: number; readonly high: number }
}

/** What every table of changes says of its tasks, as sentences of its caption. */
export const evidenceNotes = {
  all: 'Every task enters, whether it was touched or not.',
  touched:
    'Touched: the share of tasks, and of steps, in which the condition changed something, in percent; what the model did decides on it for some conditions, so it selects nothing.',
  missing:
    'If missing: the widest 95 % interval over everything that the missing episodes may have been, failures in one arm and successes in the other.',
} as const

/** The shares of tasks and of steps that a condition touched. */
export function touchedMeasures<Of>(of: (row: Of) => Touched | undefined): Measure<Of>[] {
  return [
    measure('Touched', 'Tasks', 'share', 'touched-tasks', (row) => touchedTasks(of(row))),
    measure('Touched', 'Steps', 'share', 'touched-steps', (row) => figure(of(row)?.steps)),
  ]
}

/** The share of tasks that a condition touched. */
export function touchedTasks(touched: Touched | undefined): Cell {
  return figure(touched && touched.of > 0 ? touched.tasks / touched.of : undefined)
}

/** A change with its interval, where there is one. */
export function changeCell(change: Change | undefined): Cell {
  return { ...figure(change?.mean), ...change?.interval }
}

/** A change with its interval over everything that missing episodes may have been. */
export function boundedCell({ mean, worstCase }: BoundedDifference): Cell {
  return worstCase === undefined ? {} : { ...figure(mean), ...worstCase }
}
