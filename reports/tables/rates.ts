import { type PlannedModel, type PublishedRow, pairsOf } from '../../src/define.js'
import type { Aggregate, Group } from '../../src/results/aggregate.js'
import { defined } from '../../src/results/lists.js'
import { isHeldIn } from '../../src/results/published/paper-tasks.js'
import { type PublishedKey, placePublished } from '../../src/results/published/place-published.js'
import type { Cell, Column, Mark, Table } from '../../src/tables/table.js'
import { type Detail, type NamedScope, namesOf, scopesOf } from './rows.js'

/** What a rate in a row is of. */
export interface RateRow {
  readonly scope: NamedScope
  readonly model: PlannedModel
  readonly agent: string
}

/** A column of rates, with its figure in a row, and the published number that belongs under it. */
export interface RateColumn {
  readonly column: Column
  readonly key?: PublishedKey | undefined
  cellIn(row: RateRow): Cell
}

/**
 * Groups of columns with a row for each model, agent and scope, and published rows below, of the tables `from` of the
 * literature; `publishedNotes` say of them what they are.
 */
export function rateGrid(
  aggregate: Aggregate,
  detail: Detail,
  groups: readonly { readonly title: string; readonly columns: readonly RateColumn[] }[],
  published: readonly PublishedRow[] = [],
  from: readonly string[] = [],
): { readonly grid: Pick<Table, 'heads' | 'groups' | 'rows'>; readonly publishedNotes: readonly string[] } {
  const { heads, nameRow } = namesOf(aggregate, detail)
  const columns = groups.flatMap((group) => group.columns)
  const keys = columns.map(({ key }) => key)
  const placed = placePublished(published, from, keys, heads.length)
  const rows = pairsOf(aggregate).flatMap(({ model, agent: { name: agent } }) =>
    scopesOf(aggregate, detail).map((scope) => ({
      ...nameRow({ model: model.name, agent, temperature: scope.temperature }),
      cells: columns.map(({ cellIn }) => cellIn({ scope, model, agent })),
    })),
  )
  const shown = groups.map((group) => ({ title: group.title, columns: group.columns.map(({ column }) => column) }))
  return { grid: { heads, groups: shown, rows: [...rows, ...placed.rows] }, publishedNotes: placed.notes }
}

/**
 * A rate as a cell with its marks. Rankings are over all temperatures, so a single one of several is not marked as
 * best; nor is a cell that stands under another column than its own (`isRanked` false).
 */
export function markedRate(
  aggregate: Aggregate,
  group: Group,
  scope: NamedScope,
  metric: 'success' | 'progress',
  isRanked = true,
): Cell {
  const { coverage, [metric]: rate } = scope.of(group)
  const { mean, deviation, runs, overTasks } = rate
  const cell = { ...coverage, runs, ...defined({ deviation }), ...overTasks }
  if (mean === undefined) return cell
  const model = aggregate.models.find(({ name }) => name === group.model)
  const isWhole = scope.temperature === undefined || aggregate.temperatures.length === 1
  return {
    ...{ ...cell, value: mean },
    ...(isRanked && isWhole && isBest(aggregate, group, metric) && { best: true }),
    ...(model && isHeldIn(model, group.environment) && { heldIn: true }),
  }
}

/** What the marks of {@link markedRate} mean. */
export function describeRateMarks({ temperatures }: Aggregate, detail: Detail): Readonly<Record<Mark, string>> {
  const where = temperatures.length > 1 && detail === 'each-temperature' ? 'in the rows named all, ' : ''
  return {
    best: `${where}those that may be the best of their column on other tasks (95 % confidence set, all compared with each other on the same tasks); no mark where that is all of them`,
    heldIn: 'the model was trained on data of that environment',
  }
}

/** Where every row may be the best, none is marked. */
function isBest({ rankings }: Aggregate, group: Group, metric: 'success' | 'progress'): boolean {
  const { environment, condition } = group
  const { entries = [] } =
    rankings.find((one) => one.environment === environment && one.condition === condition && one.metric === metric) ??
    {}
  const own = entries.find(({ model, agent }) => model === group.model && agent === group.agent)
  return own?.best === true && entries.some(({ best }) => !best)
}
