import { type PublishedRow, type Report, type StoredRun, defineReport } from '../../src/define.js'
import { type Aggregate, aggregate } from '../../src/results/aggregate.js'
import { csvOf } from '../../src/tables/csv.js'
import { markdownOf } from '../../src/tables/markdown.js'
import { csvHeader } from './captions.js'
import type { Detail } from './rows.js'
import type { Table } from '../../src/tables/table.js'

const aggregates = new WeakMap<StoredRun, Aggregate>()

/** The aggregate of a run, computed once for all reports on it. */
export function aggregateOf(run: StoredRun): Aggregate {
  const known = aggregates.get(run) ?? aggregate(run)
  aggregates.set(run, known)
  return known
}

/** A report that consists of tables. `reports/tables/index.ts` lists all of them. */
export interface TableReport extends Report {
  /** Its tables, none where the run has no figures for them. Published rows stand below the measured ones. */
  tables(aggregate: Aggregate, detail: Detail, published?: readonly PublishedRow[]): readonly Table[]
}

/** Defines a report that consists of tables: `tables/NAME.md` and `tables/NAME.csv`. A run without figures has none. */
export function defineTableReport(definition: Omit<TableReport, 'render'>): TableReport {
  const { name, tables } = definition
  const report = defineReport({
    ...definition,
    // A table that a partial run had may have no figures once the run is complete.
    isLeftover: (file) => file === `tables/${name}.md` || file === `tables/${name}.csv`,
    render(run) {
      const aggregate = aggregateOf(run)
      const full = tables(aggregate, 'each-temperature', run.published)
      if (full.length === 0) return []
      return [
        { file: `tables/${name}.md`, text: markdownOf(full, aggregate.notices) },
        { file: `tables/${name}.csv`, text: csvOf(full, csvHeader(aggregate)) },
      ]
    },
  })
  return { ...definition, ...report }
}
