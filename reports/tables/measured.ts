import type { Aggregate } from '../../src/results/aggregate.js'
import type { Test, Touched } from '../../src/results/schema.js'
import type { Cell, Column, ColumnGroup, Row, Table } from '../../src/tables/table.js'
import { figure } from '../../src/tables/table.js'
import { tableOn } from './captions.js'
import { nameRow, rowHeads } from './rows.js'

/**
 * A column with where its figure comes from. `rare`: left out where it is 0 in every row; `detail`: see
 * {@link ColumnGroup.isDetail}.
 */
type Measure<Of> = readonly [
  title: string,
  shows: Column['shows'],
  metric: string,
  figure: (of: Of) => number | undefined | Cell,
  kind?: 'rare' | 'detail',
]

/** Columns under the titles of their groups. */
export type Measures<Of> = Readonly<Record<string, readonly Measure<Of>[]>>

/** What a row is, and what its figures are of. */
export interface Measured<Of> {
  readonly row: Omit<Row, 'cells'>
  readonly of: Of
}

/**
 * A sentence of a caption; those under the name of a group, or of metrics that begin alike, stand only where a column
 * of it is shown.
 */
export type Note = string | Readonly<Record<string, string>>

/** The rows and columns of a table. */
export interface MeasuredPart<Of> extends Pick<Table, 'heads' | 'marks'> {
  readonly rows: readonly Measured<Of>[]
  readonly measures: Measures<Of>
  readonly notes: readonly Note[]
}

/** A table of each environment with a column for each measure that some row has a figure for; none without columns. */
export function measuredTables<Of>(
  aggregate: Aggregate,
  { name, by, title }: Pick<Table, 'name' | 'by' | 'title'>,
  partOn: (environment: string) => MeasuredPart<Of>,
): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const { heads, rows, measures, notes, ...marks } = partOn(environment)
    const columns = Object.entries(measures).flatMap(([group, some]) =>
      some.flatMap(([title, shows, metric, figureOf, kind]) => {
        const cells = rows.map(({ of }) => cellOf(figureOf(of)))
        const isShown = cells.some((cell) => (kind === 'rare' ? (cell.value ?? 0) > 0 : hasFigure(cell)))
        return isShown ? [{ group, column: { title, shows, metric }, kind, cells }] : []
      }),
    )
    if (columns.length === 0) return []
    const groups = [...new Set(columns.map(({ group }) => group))].map((title): ColumnGroup => {
      const own = columns.filter(({ group }) => group === title)
      const isDetail = own.every(({ kind }) => kind === 'detail')
      return { title, columns: own.map(({ column }) => column), ...(isDetail && { isDetail }) }
    })
    const isAbout = (name: string): boolean =>
      columns.some(({ group, column }) => group === name || column.metric.startsWith(name))
    return {
      ...tableOn(aggregate, environment, name, title, by),
      ...{ ...marks, heads, groups },
      notes: notes.flatMap((note) =>
        typeof note === 'string' ? note : Object.keys(note).flatMap((name) => (isAbout(name) ? note[name]! : [])),
      ),
      rows: rows.map(({ row }, place) => ({ ...row, cells: columns.map(({ cells }) => cells[place]!) })),
    }
  })
}

/** {@link measuredTables} over all temperatures, with a row for each model, agent and label, titled `head`. */
export function labelledTables<Of>(
  aggregate: Aggregate,
  names: Pick<Table, 'name' | 'by' | 'title'>,
  head: string,
  rows: readonly {
    readonly subject: Readonly<Record<'environment' | 'model' | 'agent', string>>
    readonly label: string
    readonly of: Of
  }[],
  measures: Measures<Of>,
  notesOf: (shown: readonly Of[]) => readonly Note[],
): Table[] {
  return measuredTables(aggregate, names, (environment) => {
    const own = rows.filter(({ subject }) => subject.environment === environment)
    return {
      heads: rowHeads(aggregate, 'pooled', true).map((one) => (one === 'Condition' ? head : one)),
      rows: own.map(({ subject: { model, agent }, label, of }) => ({
        ...{ row: nameRow(aggregate, 'pooled', {}, { model, agent, label }), of },
      })),
      measures,
      notes: notesOf(own.map(({ of }) => of)),
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
