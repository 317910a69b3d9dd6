import type { Cell, Column, ColumnGroup, Row, Table } from '../../src/tables/table.js'

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
