import type { PublishedRow, Report, StoredRun } from 'shaketable'
import { defineReport } from 'shaketable'
import type { Aggregate } from '../aggregate/aggregate.js'
import { aggregate } from '../aggregate/aggregate.js'
import { csvOf } from '../../src/tables/csv.js'
import { latexOf } from '../../src/tables/latex.js'
import { markdownOf } from '../../src/tables/markdown.js'
import { experimentColumns } from './experiment-columns.js'
import type { Detail } from './rows.js'
import type { Table } from '../../src/tables/table.js'

const known = new WeakMap<StoredRun, Aggregate>()

/** The aggregate of a run, made once for all reports on it. */
export function aggregateOf(run: StoredRun): Aggregate {
  const made = known.get(run) ?? aggregate(run)
  known.set(run, made)
  return made
}

/** Makes tables of a run; published numbers may stand beside its own. */
type MakeTables = (aggregate: Aggregate, detail: Detail, published: readonly PublishedRow[]) => readonly Table[]

/**
 * Defines a report that is a list of tables: `NAME.md`, `NAME.csv` and, to fit a page over all temperatures only,
 * `NAME.tex`; nothing where the run has no such table.
 */
export function defineTableReport(definition: Omit<Report, 'render'> & { readonly tables: MakeTables }): Report {
  const { tables, ...card } = definition
  return defineReport({
    ...card,
    render(run) {
      const aggregate = aggregateOf(run)
      const { published = [] } = run
      const full = tables(aggregate, 'each-temperature', published)
      if (full.length === 0) return []
      return [
        { file: `${card.name}.md`, text: markdownOf(full, aggregate.notices) },
        { file: `${card.name}.csv`, text: csvOf(full, experimentColumns(aggregate)) },
        { file: `${card.name}.tex`, text: latexOf(tables(aggregate, 'pooled', published), aggregate.notices) },
      ]
    },
  })
}
