import type { Table } from '../tables/table.js'
import { columnsOf } from '../tables/table.js'

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
]

/**
 * Tables as comma-separated values (RFC 4180), one line for each cell with all that is known of it, unrounded; `all` stands for all
 * temperatures together, an empty field for what does not apply. Text that a spreadsheet would take for a formula has a `'` before it; numbers are left alone.
 */
export function csvOf(tables: readonly Table[]): string {
  const lines = tables.flatMap((table) => {
    const columns = columnsOf(table)
    return table.rows.flatMap((row) =>
      row.cells.map((cell, index) => {
        const column = columns[index]!
        return [
          table.name,
          column.environment ?? table.environment ?? '',
          row.model,
          row.agent,
          row.temperature ?? (row.published === undefined ? 'all' : ''),
          column.label ?? row.label ?? '',
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
        ]
      }),
    )
  })
  return [fields, ...lines]
    .map(
      (line) =>
        `${line.map((field) => csvField(typeof field === 'number' ? String(field) : inert(field))).join(',')}\r\n`,
    )
    .join('')
}

/** One field, quoted where it has to be. */
export function csvField(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Text that no spreadsheet takes for a formula, whatever it begins with (OWASP, CSV injection). */
export function inert(text = ''): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
}
