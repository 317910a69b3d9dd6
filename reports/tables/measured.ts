import type { Aggregate } from '../../src/results/aggregate.js'
import type { Cell, Column, ColumnGroup, Row, Table } from '../../src/tables/table.js'
import { figure } from '../../src/tables/table.js'
import { tableOn } from './captions.js'
import { nameRow, rowHeads } from './rows.js'

/** A column of a table with where its figure comes from. */
export interface Measure<Of> extends Column {
  readonly group: string
  readonly cell: (of: Of) => Cell
  /** Left out where it is 0 in every row. */
  readonly isRare?: boolean
  /** See {@link ColumnGroup.isDetail}. */
  readonly isDetail?: boolean
}

/** What a row is, and what its figures are of. */
export interface Measured<Of> {
  readonly row: Omit<Row, 'cells'>
  readonly of: Of
}

/**
 * A sentence of a caption; one about a group, or about metrics that begin alike, stands only where a column of it is
 * shown.
 */
export type Note = string | readonly [groupOrMetric: string, sentence: string]

/** A table with a column for each measure that some row has a figure for; none where there is no such column. */
export function measuredTables<Of>(
  table: Omit<Table, 'notes' | 'groups' | 'rows'>,
  rows: readonly Measured<Of>[],
  measures: readonly Measure<Of>[],
  notes: readonly Note[],
): Table[] {
  const titles = [...new Set(measures.map(({ group }) => group))]
  const columns = titles
    .flatMap((title) => measures.filter(({ group }) => group === title))
    .map((measure) => ({ measure, cells: rows.map(({ of }) => measure.cell(of)) }))
    .filter(({ measure, cells }) => cells.some((cell) => (measure.isRare ? (cell.value ?? 0) > 0 : hasFigure(cell))))
  if (columns.length === 0) return []
  const groups = titles.flatMap((title): ColumnGroup[] => {
    const own = columns.filter(({ measure }) => measure.group === title).map(({ measure }) => measure)
    if (own.length === 0) return []
    const isDetail = own.every((one) => one.isDetail)
    return [
      {
        title,
        columns: own.map(({ title, shows, metric }) => ({ title, shows, metric })),
        ...(isDetail && { isDetail }),
      },
    ]
  })
  const isShown = (name: string): boolean =>
    columns.some(({ measure: { group, metric } }) => group === name || metric.startsWith(name))
  return [
    {
      ...table,
      notes: notes.flatMap((note) => (typeof note === 'string' ? [note] : isShown(note[0]) ? [note[1]] : [])),
      groups,
      rows: rows.map(({ row }, place) => ({ ...row, cells: columns.map(({ cells }) => cells[place]!) })),
    },
  ]
}

/** What a table of each environment is, and what its rows with a label are called. */
interface Labelled {
  readonly name: string
  readonly by: string
  readonly title: string
  readonly head: string
}

/** What a row is of, over all temperatures. */
interface Subject {
  readonly environment: string
  readonly model: string
  readonly agent: string
}

/** {@link measuredTables} over all temperatures, one for each environment, with a row for each subject and label. */
export function labelledTables<Of>(
  aggregate: Aggregate,
  { head, title, name, by }: Labelled,
  rows: readonly { readonly subject: Subject; readonly label: string; readonly of: Of }[],
  measures: readonly Measure<Of>[],
  notesOf: (shown: readonly Of[]) => readonly Note[],
): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const own = rows.filter(({ subject }) => subject.environment === environment)
    return measuredTables(
      {
        ...tableOn(aggregate, environment, name, title, by),
        heads: rowHeads(aggregate, 'pooled', true).map((one) => (one === 'Condition' ? head : one)),
      },
      own.map(({ subject: { model, agent }, label, of }) => ({
        row: nameRow(aggregate, 'pooled', {}, { model, agent, label }),
        of,
      })),
      measures,
      notesOf(own.map(({ of }) => of)),
    )
  })
}

/** Measures of success, and then of progress; `title` is the name of a metric in a group of columns. */
export function perMetric<Of>(
  of: (metric: 'success' | 'progress', title: 'Success' | 'Progress') => readonly Measure<Of>[],
): Measure<Of>[] {
  return [...of('success', 'Success'), ...of('progress', 'Progress')]
}

/** A ratio with its interval. */
export function ratioCell(ratio: { readonly value: number; readonly interval?: object } | undefined): Cell {
  return { ...figure(ratio?.value), ...ratio?.interval }
}

function hasFigure({ value, high, text, planned }: Cell): boolean {
  return [value, high, text, planned].some((part) => part !== undefined)
}

/** {@link Measure} in one line. */
export function measure<Of>(
  group: string,
  title: string,
  shows: Column['shows'],
  metric: string,
  cell: (of: Of) => Cell,
): Measure<Of> {
  return { group, title, shows, metric, cell }
}
