import type { TableReport } from '../../reports/tables/define-report.js'
import type { Cell, Column, Table } from '../../src/tables/table.js'
import { columnsOf, figureOf, figureText, withColumns } from '../../src/tables/table.js'

/** A cell as text, with one decimal. */
export const cellText = (cell: Cell, column: Column): string => figureText(figureOf(cell, column))

/** Each row of a table as texts: its names, then its cells. */
export function textsOf(table: Table): string[][] {
  const columns = columnsOf(table)
  return table.rows.map(({ heads, cells }) => [...heads, ...cells.map((cell, at) => cellText(cell, columns[at]!))])
}

/** Some parts of a table, with the columns of some groups alone where they are named; rows without a figure are out. */
export function partOf(
  report: TableReport,
  parts: readonly string[],
  groups?: readonly string[],
): Pick<TableReport, 'tables'> {
  return {
    tables: (...given) =>
      report
        .tables(...given)
        .filter(({ by }) => by !== undefined && parts.includes(by))
        .map((table) => (groups === undefined ? table : withColumns(table, (_, { title }) => groups.includes(title))))
        .map((table) => ({
          ...table,
          rows: table.rows.filter(({ cells }) => cells.some((cell) => Object.keys(cell).length > 0)),
        }))
        .filter((table) => table.groups.length > 0),
  }
}
