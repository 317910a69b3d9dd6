import { median } from '../statistics/index.js'
import { type Cell, type Column, type Figure, type Table, columnsOf, figureOf } from './table.js'

/**
 * The formatted cells of a table, row by row. Decimals of shares are the same for all columns of a group that show the
 * same kind (of errors, for each column), and follow from their spreads (deviations, half intervals, errors): two
 * significant digits of the median spread, at least one decimal where a small spread would look like 0, at most two;
 * one decimal where there is no spread.
 */
export function figuresOf(table: Table): readonly (readonly Figure[])[] {
  const columns = columnsOf(table)
  // Columns of one key share their decimals.
  const keys = table.groups.flatMap((group, place) =>
    group.columns.map(({ shows, metric }) => `${String(place)} ${shows === 'error' ? metric : shows}`),
  )
  const decimals = new Map(
    [...new Set(keys)].map((key) => {
      const spreads = columns.flatMap((column, at) =>
        keys[at] === key ? table.rows.map(({ cells }) => spreadOf(cells[at]!, column)) : [],
      )
      return [key, decimalsFor(spreads)]
    }),
  )
  return table.rows.map(({ cells }) =>
    columns.map((column, at) => figureOf(cells[at]!, column, decimals.get(keys[at]!))),
  )
}

const maxDecimals = 2

/** Decimals by the spreads of shares, of which 0 says nothing. */
function decimalsFor(shares: readonly number[]): number {
  const spreads = shares.filter((share) => share > 0).map((share) => 100 * share)
  const typical = median(spreads)
  if (typical === undefined) return 1
  const smallest = spreads.reduce((min, spread) => Math.min(min, spread))
  const decimals = Math.max(decimalsOf(typical, 2), Math.min(1, decimalsOf(smallest, 1)))
  return Math.min(maxDecimals, Math.max(0, decimals))
}

/** 0 for what was not measured here. */
function spreadOf({ value, deviation = 0, low, high, decimals }: Cell, { shows }: Column): number {
  if (value === undefined || decimals !== undefined) return 0
  if (shows === 'percent') return deviation
  if (shows === 'error') return value
  return low === undefined || high === undefined ? 0 : (high - low) / 2
}

/**
 * How many decimals show a number with some significant digits, after rounding: 9.96 with two is 10, which needs none.
 */
function decimalsOf(number: number, digits: number): number {
  return digits - 1 - Number(number.toExponential(digits - 1).split('e')[1])
}
