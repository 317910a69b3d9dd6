import type { Aggregate } from '../../src/results/aggregate.js'
import type { Test, Touched } from '../../src/results/schema.js'
import { groupBy } from '../../src/results/lists.js'
import { type Cell, type Column, type Table, figure } from '../../src/tables/table.js'
import { sentences } from '../../src/tables/words.js'
import { tableOn } from './captions.js'
import { type Detail, type RowKeys, type Subject, namesOf } from './rows.js'

/**
 * A column with where its figure comes from. `rare`: left out where it is 0 in every row; `label`: of its condition,
 * where the rows are of several.
 */
type Measure<Of> = readonly [
  title: string,
  shows: Column['shows'],
  metric: string,
  figure: (of: Of) => number | undefined | Cell,
  more?: { readonly rare?: true; readonly label?: string },
]

/** Columns under the titles of their groups. */
export type Measures<Of> = Readonly<Record<string, readonly Measure<Of>[]>>

/** What a row is, and what its figures are of. */
export interface Measured<Of> extends Omit<RowKeys, 'model' | 'agent'> {
  readonly subject: Subject
  readonly of: Of
}

/** The rows, of all environments, and the columns of a table. */
interface MeasuredTable<Of> extends Pick<Table, 'name' | 'by' | 'title' | 'marks'> {
  /** Absent: over all temperatures. */
  readonly detail?: Detail
  /** What the rows of one model are: conditions, families. Absent where there is one. */
  readonly head?: string | undefined
  readonly rows: readonly Measured<Of>[]
  readonly measures: Measures<Of>
  /** The notes on the rows of an environment. */
  notesOf(rows: readonly Of[], environment: string): readonly (string | false)[]
}

/**
 * A table of each environment with a column for each measure that some row has a figure for; none without columns. A
 * note that explains columns by name, as `Grounding: …`, stands only where one of them is shown.
 */
export function measuredTables<Of>(
  aggregate: Aggregate,
  { name, by, title, detail = 'pooled', head, rows: allRows, measures, notesOf, ...marks }: MeasuredTable<Of>,
): Table[] {
  const named = namesOf(aggregate, detail, head)
  const all = Object.entries(measures).flatMap(([group, some]) =>
    some.map(([title, shows, metric, figureOf, { rare, ...label } = {}]) => ({
      ...{ group, rare, column: { title, shows, metric, ...label } },
      cellIn: ({ of }: Measured<Of>) => cellOf(figureOf(of)),
    })),
  )
  const namesIn = (some: typeof all): string[] => some.flatMap(({ group, column }) => [group, column.title])
  const explains = (note: string) => (name: string) => ` ${note}`.includes(` ${name}:`)
  return aggregate.environments.flatMap(({ name: environment }) => {
    const rows = allRows.filter(({ subject }) => subject.environment === environment)
    const columns = all.filter(({ rare, cellIn }) =>
      rows.map(cellIn).some((cell) => (rare ? (cell.value ?? 0) > 0 : hasFigure(cell))),
    )
    if (columns.length === 0) return []
    const shown = rows.map(({ of }) => of)
    return {
      ...tableOn(aggregate, environment, name, title, by),
      ...{ ...marks, heads: named.heads },
      notes: sentences(notesOf(shown, environment)).filter(
        (note) => namesIn(columns).some(explains(note)) || !namesIn(all).some(explains(note)),
      ),
      groups: [...groupBy(columns, ({ group }) => group)].map(([title, members]) => ({
        title,
        columns: members.map(({ column }) => column),
      })),
      rows: rows.map((row) => ({
        ...named.nameRow({ ...row, model: row.subject.model, agent: row.subject.agent }),
        cells: columns.map(({ cellIn }) => cellIn(row)),
      })),
    }
  })
}

/** Measures of success, and then of progress; `title` is the name of a metric in a group of columns. */
export function perMetric<Of>(
  of: (metric: 'success' | 'progress', title: 'Success' | 'Progress') => Measures<Of>,
): Measures<Of> {
  return { ...of('success', 'Success'), ...of('progress', 'Progress') }
}

/** A mean, a ratio or a share with its interval over tasks, where it has one. */
export function estimate(
  of:
    | {
        readonly mean?: number | undefined
        readonly value?: number
        readonly interval?: Interval
        readonly overTasks?: Interval
      }
    | undefined,
): Cell {
  return { ...figure(of?.mean ?? of?.value), ...(of?.interval ?? of?.overTasks) }
}

interface Interval {
  readonly low: number
  readonly high: number
}

/** A change with its interval over everything that missing episodes may have been. */
export function ifMissing({ mean, worstCase }: { readonly mean?: number; readonly worstCase?: Interval }): Cell {
  return worstCase === undefined ? {} : { ...figure(mean), ...worstCase }
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
export function touchedMeasures<Of>(of: (row: Of) => Touched | undefined): Measures<Of> {
  return {
    Touched: [
      ['Tasks', 'share', 'touched-tasks', (row) => touchedTasks(of(row))],
      ['Steps', 'share', 'touched-steps', (row) => of(row)?.steps],
    ],
  }
}

/** The share of tasks that a condition touched. */
export function touchedTasks(touched: Touched | undefined): number | undefined {
  return touched && touched.of > 0 ? touched.tasks / touched.of : undefined
}

/** p before adjustment and after; the second is empty for a test that is not adjusted, such as that of a control. */
export function testMeasures<Of>(prefix: string, of: (row: Of) => Partial<Test> | undefined): readonly Measure<Of>[] {
  return [
    ['p', 'p', `${prefix}p`, (row) => of(row)?.p],
    ['Holm', 'p', `${prefix}p-holm`, (row) => of(row)?.holm],
  ]
}

function cellOf(shown: number | undefined | Cell): Cell {
  return typeof shown === 'object' ? shown : figure(shown)
}

function hasFigure({ value, high, text, planned }: Cell): boolean {
  return [value, high, text, planned].some((part) => part !== undefined)
}
