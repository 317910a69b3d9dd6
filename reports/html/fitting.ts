import type { PublishedRow } from 'shaketable'
import type { Aggregate } from '../aggregate/aggregate.js'
import { allTables, maxTables } from '../all-tables.js'
import type { Chart } from '../charts/chart.js'
import { chartsOf } from '../charts/charts-of.js'
import type { Table } from '../../src/tables/table.js'
import { count, listFirst } from '../../src/tables/words.js'

/** What the page shows of something, and a sentence on what it leaves to the files beside it. */
interface Fitting<Item> {
  readonly shown: readonly Item[]
  readonly note?: string
}

/** More would keep a browser from opening the page at once: rows of tables, characters of charts. */
export const maxOnPage = { rows: 3_000, characters: 2_500_000 }

/**
 * All tables where there is room for them, else those over all temperatures, else those that a person wants to see at
 * once.
 */
export function fittingTables(
  aggregate: Aggregate,
  published: readonly PublishedRow[] | undefined,
  most = maxOnPage.rows,
): Fitting<Table> {
  const all = allTables(aggregate, 'each-temperature', published)
  if (countRows(all) <= most) return { shown: all }
  const pooled = allTables(aggregate, 'pooled', published)
  if (countRows(pooled) <= most) {
    return { shown: pooled, note: 'Rows for single temperatures are in the tables beside this page only.' }
  }
  return {
    shown: maxTables(aggregate, published),
    note: 'Rows for single temperatures and some tables are beside this page only, as Markdown, CSV and LaTeX.',
  }
}

/** Charts in their order as far as there is room for them. */
export function fittingCharts(aggregate: Aggregate, most = maxOnPage.characters): Fitting<Chart> {
  const shown: Chart[] = []
  const left: Chart[] = []
  let characters = 0
  for (const chart of chartsOf(aggregate, { embedded: true })) {
    characters += chart.svg.length
    if (characters <= most) shown.push(chart)
    else left.push(chart)
  }
  if (left.length === 0) return { shown }
  const files = left.map(({ file }) => `${file}.svg`)
  return { shown, note: `${count(left.length, 'chart')} more in files beside this page: ${listFirst(files)}.` }
}

function countRows(tables: readonly Table[]): number {
  return tables.reduce((sum, { rows }) => sum + rows.length, 0)
}
