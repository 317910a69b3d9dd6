import { plainText } from './plain.js'
import { type Table, columnsOf } from './table.js'

const fields = [
  ...'table by environment model agent temperature condition metric value deviation'.split(' '),
  ...'low high runs valid planned best held_in published note kind'.split(' '),
]

/**
 * Tables as comma-separated values (RFC 4180): one line for each figure, unrounded. The temperature `all` means all
 * together, an empty field that it does not apply.
 * `header` is what holds for the whole file, such as what was run: lines of comment (`#`) before the names of the
 * fields. Text that a spreadsheet would take for a formula is prefixed with `'`; numbers are not.
 */
export function csvOf(tables: readonly Table[], header: readonly string[] = []): string {
  const lines = tables.flatMap((table) => {
    const columns = columnsOf(table)
    return table.rows.flatMap((row) =>
      row.cells.flatMap((cell, index) => {
        if (Object.keys(cell).length === 0) return []
        const column = columns[index]!
        return [
          [
            ...[table.name, table.by, column.environment ?? table.environment, row.model, row.agent],
            ...[row.temperature ?? (row.published === undefined ? 'all' : ''), column.label ?? row.label],
            ...[column.metric, cell.value, cell.deviation, cell.low, cell.high, cell.runs, cell.valid, cell.planned],
            ...[cell.best && 'true', cell.heldIn && 'true', row.published, cell.text, row.kind],
          ].map((field) => csvField(typeof field === 'number' ? String(field) : inert(field))),
        ]
      }),
    )
  })
  const comments = header.map((text) => `# ${inertAnywhere(plainText(text))}`)
  return [...comments, ...[fields, ...lines].map((line) => line.join()), ''].join('\r\n')
}

/** Text of several fields of which none is taken for a formula. */
function inertAnywhere(text: string): string {
  return text.replace(/([,;]\s*)([=+\-@＝＋－＠])/g, "$1'$2")
}

/** One field, quoted where necessary. */
export function csvField(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Text that no spreadsheet takes for a formula (OWASP, CSV injection). */
function inert(text = ''): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
}
