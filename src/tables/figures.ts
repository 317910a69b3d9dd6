import { median } from '../statistics/index.js'
import type { Cell, Column, Figure, Table } from './table.js'
import { figureOf } from './table.js'

/**
 * The formatted cells of a table, row by row. Decimals of shares are the same for all columns of a group that show the
 * same kind (of errors, for each column), and follow from their spreads (deviations, half intervals, errors): two
 * significant digits of the median spread, at least one decimal where a small spread would look like 0, at most two;
 * one decimal where there is no spread.
 */
export function figuresOf(table: Table): readonly (readonly Figure[])[] {
  let from = 0
  const columns = table.groups.flatMap((group) => {
    const shown = group.columns.map((column, index) => ({
      column,
      cells: table.rows.map((row) => row.cells[from + index]!),
    }))
    from += group.columns.length
    const decimals = new Map(
      [...new Set(shown.map(({ column }) => column.shows))].map((shows) => [
        shows,
        decimalsFor(shown.filter(({ column }) => column.shows === shows)),
      ]),
    )
    return shown.map((one) => ({
      column: one.column,
      decimals: one.column.shows === 'error' ? decimalsFor([one]) : decimals.get(one.column.shows)!,
    }))
  })
  return table.rows.map(({ cells }) =>
    columns.map(({ column, decimals }, index) => figureOf(cells[index]!, column, decimals)),
  )
}

const maxDecimals = 2

function decimalsFor(columns: readonly { readonly column: Column; readonly cells: readonly Cell[] }[]): number {
  const spreads = columns
    .flatMap(({ column, cells }) => cells.filter(isMeasured).map((cell) => 100 * spreadOf(cell, column)))
    .filter((spread) => spread > 0)
  const typical = median(spreads)
  if (typical === undefined) return 1
  const smallest = spreads.reduce((min, spread) => Math.min(min, spread))
  const decimals = Math.max(decimalsOf(typical, 2), Math.min(1, decimalsOf(smallest, 1)))
  return Math.min(maxDecimals, Math.max(0, decimals))
}

function isMeasured({ value, decimals }: Cell): boolean {
  return value !== undefined && decimals === undefined
}

function spreadOf({ value, deviation, low, high }: Cell, { shows }: Column): number {
  if (shows === 'percent') return deviation ?? 0
  if (shows === 'error') return value ?? 0
  return low === undefined || high === undefined ? 0 : (high - low) / 2
}

/**
 * How many decimals show a number with some significant digits, after rounding: 9.96 with two is 10, which needs none.
 */
function decimalsOf(number: number, digits: number): number {
  return digits - 1 - Number(number.toExponential(digits - 1).split('e')[1])
}
