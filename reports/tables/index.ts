import type { PublishedRow } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import type { Table } from '../../src/tables/table.js'
import { withColumns } from '../../src/tables/table.js'
import behaviour from './behaviour.js'
import byKind from './by-kind.js'
import changes from './changes.js'
import curve from './curve.js'
import type { TableReport } from './define-report.js'
import main from './main.js'
import robustness from './robustness.js'
import type { Detail } from './rows.js'

/** The reports that consist of tables, in the order in which their tables are printed. */
export const tableReports: readonly TableReport[] = [main, robustness, changes, curve, byKind, behaviour]

/** The tables of a report; those of each temperature where it has none over all of them. */
export function tablesIn(
  { tables }: TableReport,
  aggregate: Aggregate,
  detail: Detail,
  published?: readonly PublishedRow[],
): readonly Table[] {
  const all = tables(aggregate, detail, published)
  return all.length > 0 ? all : tables(aggregate, 'each-temperature', published)
}

/** Every table of a run: those that span environments first, then the tables of each environment. */
export function allTables(aggregate: Aggregate, detail: Detail, published?: readonly PublishedRow[]): Table[] {
  return byEnvironment(
    aggregate,
    tableReports.flatMap((report) => tablesIn(report, aggregate, detail, published)),
  )
}

/** With more conditions, the terminal shows only tables that have no column or row for each of them. */
const maxConditions = 12

/** The tables of the terminal report, over all temperatures. */
export function terminalTables(aggregate: Aggregate, published?: readonly PublishedRow[]): Table[] {
  const areMany = aggregate.conditions.length > maxConditions
  return byEnvironment(
    aggregate,
    tableReports.flatMap(({ inTerminal = () => true, isSummary = () => false, ...report }) =>
      tablesIn(report, aggregate, 'pooled', published).filter(
        (table) => inTerminal(table) && (!areMany || isSummary(table)),
      ),
    ),
  ).map((table) => withColumns(table, (_, { isDetail }) => isDetail !== true))
}

function byEnvironment({ environments }: Aggregate, tables: readonly Table[]): Table[] {
  return [undefined, ...environments.map(({ name }) => name)].flatMap((name) =>
    tables.filter(({ environment }) => environment === name),
  )
}
