import type { Report, StoredRun } from 'shaketable'
import charts from './charts.js'
import html from './html/html.js'
import json from './json.js'
import { allTables, tableReports, terminalTables } from './table-reports.js'
import { aggregateOf } from './tables/define-report.js'
import { experimentColumns } from './tables/experiment-columns.js'
import { csvOf } from '../src/tables/csv.js'
import { latexOf } from '../src/tables/latex.js'
import { markdownOf } from '../src/tables/markdown.js'
import { terminalOf } from '../src/tables/terminal.js'

export { describeTasks } from './summary/identity.js'
export { describeMismatches } from './published/mismatches.js'
export { conditionsOfPaper } from './published/paper-tasks.js'
export { printPaper } from './tables/paper.js'

/** Every report that ships with the package, in the order in which they are listed. */
export function reports(): readonly Report[] {
  return [...tableReports(), charts, html, json]
}

/** The formats in which a whole report can be printed. */
export const formats = ['terminal', 'markdown', 'csv', 'latex', 'json'] as const
/** One of {@link formats}. */
export type Format = (typeof formats)[number]

/**
 * A run in one text: all tables, those of the terminal report for `terminal`, all figures for `json`. `width` is that
 * of the terminal in characters, `colours` whether it shows bold and underlined type.
 */
export function printReport(run: StoredRun, format: Format, width = 120, colours = false): string {
  const aggregate = aggregateOf(run)
  const { published } = run
  switch (format) {
    case 'terminal':
      return terminalOf(terminalTables(aggregate, published), width, colours, aggregate.notices)
    case 'markdown':
      return markdownOf(allTables(aggregate, 'each-temperature', published), aggregate.notices)
    case 'csv':
      return csvOf(allTables(aggregate, 'each-temperature', published), experimentColumns(aggregate))
    case 'latex':
      return latexOf(allTables(aggregate, 'pooled', published), aggregate.notices)
    case 'json':
      return [...json.render(run)].map(({ text }) => text).join('')
  }
}
