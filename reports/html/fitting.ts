import type { PublishedRow } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import type { Chart } from '../charts/chart.js'
import { chartsOf } from '../charts/charts-of.js'
import { allTables, terminalTables } from '../tables/index.js'
import type { Table } from '../../src/tables/table.js'
import { count, listFirst } from '../../src/tables/words.js'

/** The items on the page, and a sentence about those that are only in the files beside it. */
export interface Fitting<Item> {
  readonly shown: readonly Item[]
  readonly note?: string
}

/** Limits that keep the page quick to open: rows of tables, characters of charts. */
export const maxOnPage = { rows: 3_000, characters: 2_500_000 }

/** All tables if there is room for them, else those over all temperatures, else the tables of the terminal report. */
export function fittingTables(
  aggregate: Aggregate,
  published: readonly PublishedRow[] | undefined,
  max = maxOnPage.rows,
): Fitting<Table> {
  const all = allTables(aggregate, 'each-temperature', published)
  if (countRows(all) <= max) return { shown: all }
  const pooled = allTables(aggregate, 'pooled', published)
  if (countRows(pooled) <= max) {
    return { shown: pooled, note: 'Rows for single temperatures are only in the tables beside this page.' }
  }
  return {
    shown: terminalTables(aggregate, published),
    note: 'Rows for single temperatures and some tables are only beside this page, as Markdown and CSV.',
  }
}

/** The first charts, as many as there is room for. */
export function fittingCharts(aggregate: Aggregate, max = maxOnPage.characters): Fitting<Chart> {
  const shown: Chart[] = []
  const leftOut: Chart[] = []
  let characters = 0
  for (const chart of chartsOf(aggregate, { embedded: true })) {
    characters += chart.svg.length
    if (characters <= max) shown.push(chart)
    else leftOut.push(chart)
  }
  if (leftOut.length === 0) return { shown }
  const files = leftOut.map(({ file }) => `${file}.svg`)
  return { shown, note: `${count(leftOut.length, 'more chart')} in files beside this page: ${listFirst(files)}.` }
}

function countRows(tables: readonly Table[]): number {
  return tables.reduce((sum, { rows }) => sum + rows.length, 0)
}
