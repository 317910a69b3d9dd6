import type { StoredRun } from 'shaketable'
import { behaviourTables } from './behaviour.js'
import { bestOfNTables } from './best-of-n.js'
import { differenceTables } from './differences.js'
import { csvOf } from './formats/csv.js'
import { latexOf } from './formats/latex.js'
import { markdownOf } from './formats/markdown.js'
import { terminalOf } from './formats/terminal.js'
import json from './json.js'
import { robustnessTables } from './robustness.js'
import { aggregateOf } from './tables/faces.js'
import type { Aggregate } from './aggregate/aggregate.js'
import type { Detail } from './tables/rows.js'
import type { Table } from './tables/table.js'

/** The ways in which a whole report can be printed. */
export const formats = ['terminal', 'markdown', 'csv', 'latex', 'json'] as const
/** One of {@link formats}. */
export type Format = (typeof formats)[number]

/** All tables of a run in one text; `width` is that of the terminal in characters. */
export function printReport(run: StoredRun, format: Format, width = 120): string {
  switch (format) {
    case 'terminal':
      return terminalReport(run, width)
    case 'markdown':
      return markdownOf(allTables(run, 'each-temperature', bestOfNTables))
    case 'csv':
      return csvOf(allTables(run, 'each-temperature', bestOfNTables))
    case 'latex':
      return latexOf(allTables(run, 'pooled', bestOfNTables))
    case 'json':
      return [...json.render(run)].map(({ text }) => text).join('')
  }
}

/** What a person sees of a run: the robustness table, the change against the clean twin and the behaviour, `width` characters wide. */
export function terminalReport(run: StoredRun, width = 120): string {
  return terminalOf(allTables(run, 'pooled'), width)
}

function allTables(run: StoredRun, detail: Detail, further?: (aggregate: Aggregate) => readonly Table[]): Table[] {
  const aggregate = aggregateOf(run)
  const tables = [
    ...robustnessTables(aggregate),
    ...differenceTables(aggregate, detail),
    ...behaviourTables(aggregate, detail),
    ...(further?.(aggregate) ?? []),
  ]
  return aggregate.environments.flatMap(({ name }) => tables.filter(({ environment }) => environment === name))
}
