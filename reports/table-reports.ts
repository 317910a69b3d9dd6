import type { PublishedRow } from '../src/define.js'
import ablation from './ablation.js'
import type { Aggregate } from '../src/results/aggregate.js'
import behaviour from './behaviour.js'
import bestOfN from './best-of-n.js'
import byKind from './by-kind.js'
import curve from './curve.js'
import differences from './differences.js'
import difficulty from './difficulty.js'
import draws from './draws.js'
import doseResponse from './dose-response.js'
import flips from './flips.js'
import heldOut from './held-out.js'
import interfaceReliance from './interface-reliance.js'
import main from './main.js'
import preference from './preference.js'
import primary from './primary.js'
import profile from './profile.js'
import robustness from './robustness.js'
import type { TableReport } from './tables/define-report.js'
import type { Detail } from './tables/rows.js'
import type { Table } from '../src/tables/table.js'
import uncertainty from './uncertainty.js'

/** The reports that consist of tables, in the order in which their tables are printed. */
export const tableReports: readonly TableReport[] = [
  main,
  primary,
  curve,
  profile,
  robustness,
  draws,
  heldOut,
  differences,
  byKind,
  flips,
  doseResponse,
  ablation,
  difficulty,
  behaviour,
  preference,
  interfaceReliance,
  uncertainty,
  bestOfN,
]

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

/** With more conditions, the terminal shows only tables that have no column for each of them. */
const maxConditions = 12

/** The tables of the terminal report, over all temperatures. */
export function terminalTables(aggregate: Aggregate, published?: readonly PublishedRow[]): Table[] {
  return byEnvironment(
    aggregate,
    (aggregate.columns.length > maxConditions ? [main, primary, profile] : tableReports).flatMap((report) =>
      tablesIn(report, aggregate, 'pooled', published).filter(report.isInTerminal ?? (() => true)),
    ),
  )
}

function byEnvironment({ environments }: Aggregate, tables: readonly Table[]): Table[] {
  return [undefined, ...environments.map(({ name }) => name)].flatMap((name) =>
    tables.filter(({ environment }) => environment === name),
  )
}
