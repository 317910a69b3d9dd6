import { median } from 'shaketable'
import type { Cell, Column, Figure, Table } from './table.js'
import { figureOf } from './table.js'

/**
 * The cells of a table in words, row by row. Decimals of shares are the same for a whole group of columns, and follow from its spreads (deviations, standard errors, half
 * intervals): two significant digits of the median one and one of the smallest, no more than two decimals; one decimal where there is no spread.
 */
export function figuresOf(table: Table): readonly (readonly Figure[])[] {
  let from = 0
  const columns = table.groups.flatMap((group) => {
    const shares = group.columns.flatMap(({ shows }, index) =>
      isShare(shows) ? table.rows.map((row) => ({ shows, cell: row.cells[from + index]! })) : [],
    )
    from += group.columns.length
    const decimals = decimalsFor(shares)
    return group.columns.map((column) => ({ column, decimals }))
  })
  return table.rows.map(({ cells }) =>
    columns.map(({ column, decimals }, index) => figureOf(cells[index]!, column, decimals)),
  )
}

const mostDecimals = 2

type Shows = Column['shows']

function isShare(shows: Shows): boolean {
  return shows === 'percent' || shows === 'change' || shows === 'share' || shows === 'error'
}

function decimalsFor(shares: readonly { readonly shows: Shows; readonly cell: Cell }[]): number {
  const spreads = shares
    .filter(({ cell }) => cell.value !== undefined && cell.decimals === undefined)
    .map(({ cell, shows }) => 100 * spreadOf(cell, shows))
    .filter((spread) => spread > 0)
  const typical = median(spreads)
  if (typical === undefined) return 1
  const smallest = spreads.reduce((least, spread) => Math.min(least, spread))
  const wanted = Math.max(decimalsOf(typical, 2), decimalsOf(smallest, 1))
  return Math.min(mostDecimals, Math.max(0, wanted))
}

function spreadOf({ value, deviation, low, high }: Cell, shows: Shows): number {
  if (shows === 'percent') return deviation ?? 0
  if (shows === 'error') return value ?? 0
  return low === undefined || high === undefined ? 0 : (high - low) / 2
}

/** How many decimals show a number with so many significant digits, after rounding: 9.96 with two is 10, which needs none. */
function decimalsOf(number: number, digits: number): number {
  return digits - 1 - Number(number.toExponential(digits - 1).split('e')[1])
}
