import { median } from 'shaketable'
import type { Cell, Column, Figure, Table } from './table.js'
import { figureOf } from './table.js'

/**
 * The cells of a table in words, row by row. Decimals are the same for all columns of a group that show the same kind of figure, and follow from its spreads (deviations,
 * half intervals): two significant digits of the median one and one of the smallest, no more than two decimals; one decimal where there is no spread.
 */
export function figuresOf(table: Table): readonly (readonly Figure[])[] {
  let from = 0
  const columns = table.groups.flatMap((group) => {
    const cellsOf = group.columns.map((_, index) => table.rows.map((row) => row.cells[from + index]!))
    from += group.columns.length
    return group.columns.map((column) => {
      const alike = group.columns.flatMap((one, index) => (one.shows === column.shows ? cellsOf[index]! : []))
      return { column, decimals: decimalsFor(alike, column) }
    })
  })
  return table.rows.map(({ cells }) =>
    columns.map(({ column, decimals }, index) => figureOf(cells[index]!, column, decimals)),
  )
}

const mostDecimals = 2

function decimalsFor(cells: readonly Cell[], { shows }: Column): number {
  const spreads = cells
    .filter(({ value, decimals }) => value !== undefined && decimals === undefined)
    .map((cell) => 100 * spreadOf(cell, shows))
    .filter((spread) => spread > 0)
  const typical = median(spreads)
  if (typical === undefined) return 1
  const smallest = spreads.reduce((least, spread) => Math.min(least, spread))
  const wanted = Math.max(decimalsOf(typical, 2), decimalsOf(smallest, 1))
  return Math.min(mostDecimals, Math.max(0, wanted))
}

function spreadOf({ deviation, low, high }: Cell, shows: Column['shows']): number {
  if (shows === 'percent') return deviation ?? 0
  return low === undefined || high === undefined ? 0 : (high - low) / 2
}

/** How many decimals show a number with so many significant digits, after rounding: 9.96 with two is 10, which needs none. */
function decimalsOf(number: number, digits: number): number {
  return digits - 1 - Number(number.toExponential(digits - 1).split('e')[1])
}
