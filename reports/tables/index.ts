import type { PublishedRow } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import type { Table } from '../../src/tables/table.js'
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

/** Every table of a run: those that span environments first, then the tables of each environment. */
export function allTables(aggregate: Aggregate, detail: Detail, published?: readonly PublishedRow[]): Table[] {
  const tables = tableReports.flatMap((report) => report.tables(aggregate, detail, published))
  return [undefined, ...aggregate.environments.map(({ name }) => name)].flatMap((name) =>
    tables.filter(({ environment }) => environment === name),
  )
}

/** The parts that the terminal report shows: whether, where and how much a model breaks. */
const inTerminal = ['main', 'robustness', 'changes primary', 'changes family', 'curve checkpoint', 'curve dose']

/** Whether the terminal report shows a table. */
export function isInTerminal({ name, by }: Table): boolean {
  return inTerminal.includes(by === undefined ? name : `${name} ${by}`)
}
