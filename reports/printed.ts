import type { StoredRun } from 'shaketable'
import { allTables, maxTables } from './all-tables.js'
import { csvOf } from '../src/tables/csv.js'
import { latexOf } from '../src/tables/latex.js'
import { markdownOf } from '../src/tables/markdown.js'
import { terminalOf } from '../src/tables/terminal.js'
import json from './json.js'
import { aggregateOf } from './tables/define-report.js'
import { experimentColumns } from './tables/experiment-columns.js'

/** The ways in which a whole report can be printed. */
export const formats = ['terminal', 'markdown', 'csv', 'latex', 'json'] as const
/** One of {@link formats}. */
export type Format = (typeof formats)[number]

/**
 * All tables of a run in one text; `width` is that of the terminal in characters, `colours` whether it shows bold and
 * underlined type.
 */
export function printReport(run: StoredRun, format: Format, width = 120, colours = false): string {
  const told = aggregateOf(run)
  switch (format) {
    case 'terminal':
      return terminalReport(run, width, colours)
    case 'markdown':
      return markdownOf(allTables(told, 'each-temperature', run.published), told.notices)
    case 'csv':
      return csvOf(allTables(told, 'each-temperature', run.published), experimentColumns(told))
    case 'latex':
      return latexOf(allTables(told, 'pooled', run.published), told.notices)
    case 'json':
      return [...json.render(run)].map(({ text }) => text).join('')
  }
}

/** What a person sees of a run in a terminal `width` characters wide: notices, and {@link maxTables}. */
export function terminalReport(run: StoredRun, width = 120, colours = false): string {
  const told = aggregateOf(run)
  return terminalOf(maxTables(told, run.published), width, colours, told.notices)
}
