import type { Row, Table, TableNotice } from './table.js'
import { columnsOf } from './table.js'

const fields = [
  'table',
  'environment',
  'model',
  'agent',
  'temperature',
  'column',
  'metric',
  'value',
  'deviation',
  'low',
  'high',
  'runs',
  'valid',
  'planned',
  'best',
  'held_in',
  'published',
  'note',
  'kind',
]

/** Further columns that identify the experiment of a line, and the notices before all lines. */
export interface CsvSource {
  readonly fields: readonly string[]
  /** The values of {@link CsvSource.fields} for a line on an environment and a condition; either may be empty. */
  valuesOf(
    row: Pick<Row, 'model' | 'agent' | 'published'>,
    environment: string,
    label: string,
  ): readonly (string | number)[]
  /** Those of a line on the whole run, such as a notice. */
  readonly valuesOfRun: readonly string[]
  readonly notices: readonly TableNotice[]
}

/**
 * Tables as comma-separated values (RFC 4180): one line for each cell, unrounded. The temperature `all` means all
 * together, an empty field that it does not apply. The columns of `source` come last. Its notices come first, as lines
 * of a table named `notices`. Text that a spreadsheet would take for a formula is prefixed with `'`; numbers are not.
 */
export function csvOf(tables: readonly Table[], source?: CsvSource): string {
  const notices = (source?.notices ?? []).map(({ kind, environment = '', text }) => [
    ...fields.map((field) => ({ table: 'notices', environment, metric: kind, note: text })[field] ?? ''),
    ...source!.valuesOfRun,
  ])
  const lines = tables.flatMap((table) => {
    const columns = columnsOf(table)
    return table.rows.flatMap((row) =>
      row.cells.map((cell, index) => {
        const column = columns[index]!
        const environment = column.environment ?? table.environment ?? ''
        const label = column.label ?? row.label ?? ''
        return [
          table.name,
          environment,
          row.model,
          row.agent,
          row.temperature ?? (row.published === undefined ? 'all' : ''),
          label,
          column.metric,
          cell.value,
          cell.deviation,
          cell.low,
          cell.high,
          cell.runs,
          cell.valid,
          cell.planned,
          cell.best && 'true',
          cell.heldIn && 'true',
          row.published,
          cell.text,
          row.kind,
          ...(source?.valuesOf(row, environment, label) ?? []),
        ]
      }),
    )
  })
  return csvLines([[...fields, ...(source?.fields ?? [])], ...notices, ...lines])
}

/** Lines of comma-separated values. Text is made {@link inert}; numbers are left alone. */
export function csvLines(lines: readonly (readonly (string | number | undefined)[])[]): string {
  return lines
    .map(
      (line) =>
        `${line.map((field) => csvField(typeof field === 'number' ? String(field) : inert(field))).join(',')}\r\n`,
    )
    .join('')
}

/** One field, quoted where necessary. */
export function csvField(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Text that no spreadsheet takes for a formula (OWASP, CSV injection). */
export function inert(text = ''): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
}
