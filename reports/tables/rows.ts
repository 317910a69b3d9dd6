import type { PlannedModel, PublishedRow } from '../../src/define.js'
import { pairsOf } from '../../src/define.js'
import type { Aggregate, Group, Scope } from '../../src/results/aggregate.js'
import { isHeldIn } from '../../src/results/published/paper-tasks.js'
import type { PublishedKey } from '../../src/results/published/place-published.js'
import { placePublished } from '../../src/results/published/place-published.js'
import type { Cell, Column, Mark, Row, Table } from '../../src/tables/table.js'

/**
 * Whether there are rows for single temperatures beside those over all of them. `paper` is `pooled` for a table in a
 * paper: no column without a figure, one column for all draws of a perturbation, few notes.
 */
export type Detail = 'each-temperature' | 'pooled' | 'paper'

/** Selects one scope of each group: one temperature, or all of them where it is absent. */
export interface NamedScope {
  readonly temperature?: number
  of(group: Group): Scope
}

/** The scopes that have rows: each temperature and all of them together, or only the latter. */
export function scopesOf({ temperatures }: Aggregate, detail: Detail): readonly NamedScope[] {
  const each = temperatures.map((temperature, place) => ({
    temperature,
    of: (group: Group) => group.temperatures[place]!,
  }))
  const pooled = { of: (group: Group) => group.pooled }
  if (temperatures.length === 1) return each
  return detail === 'each-temperature' ? [...each, pooled] : [pooled]
}

/** What a row is of. */
export interface RowKeys extends Omit<Row, 'heads' | 'cells' | 'published' | 'temperature'> {
  /** Absent for a row over all temperatures. */
  readonly temperature?: number | undefined
  /** What stands under the table's own head. Absent: the label. */
  readonly name?: string
  /** In place of the names that {@link namesOf} makes. */
  readonly heads?: readonly string[]
}

/** How a table names its rows: by model, agent where there are several, what `head` says, and temperature. */
export function namesOf(
  { agents, temperatures }: Aggregate,
  detail: Detail,
  head?: string,
): { readonly heads: readonly string[]; nameRow(of: RowKeys): Omit<Row, 'cells'> } {
  const named = (model: string, agent: string, own: string | undefined, temperature: string): string[] => [
    model,
    ...(agents.length > 1 ? [agent] : []),
    ...(head === undefined ? [] : [own ?? '']),
    ...(detail === 'each-temperature' && temperatures.length > 1 ? [temperature] : []),
  ]
  return {
    heads: named('Model', 'Agent', head, 'T'),
    nameRow: ({ model, agent, label, kind, temperature, name = label, ...of }) => ({
      heads: of.heads ?? named(model, agent, name, String(temperature ?? 'all')),
      ...{ model, agent, ...(label !== undefined && { label }), ...(kind !== undefined && { kind }) },
      ...(temperature !== undefined && { temperature }),
    }),
  }
}

/** The sentence of a caption on what rows without a temperature are over. */
export function describeScope({ temperatures }: Aggregate, detail: Detail): string[] {
  return detail !== 'each-temperature' && temperatures.length > 1
    ? ['Over all seeds and temperatures: the mean of the means at each temperature.']
    : []
}

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

/** One row for each group and each scope; `of` is what its figures are of. */
export function groupRows<Of>(
  aggregate: Aggregate,
  detail: Detail,
  groups: readonly Group[],
  of: (group: Group, scope: NamedScope) => Of,
): (RowKeys & { readonly of: Of })[] {
  return groups.flatMap((group) =>
    scopesOf(aggregate, detail).map((scope) => ({
      ...{ model: group.model, agent: group.agent, label: group.condition, temperature: scope.temperature },
      of: of(group, scope),
    })),
  )
}

/** The groups of an environment. */
export function groupsOn({ groups }: Aggregate, environment: string): Group[] {
  return groups.filter((group) => group.environment === environment)
}

/** Label of the condition without perturbation; undefined in a run without one. */
export function cleanLabel({ conditions }: Aggregate): string | undefined {
  return conditions.find(({ clean }) => clean)?.label
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
  const cell = { ...coverage, runs, ...(deviation !== undefined && { deviation }), ...overTasks }
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
  const ranking = rankings.find(
    (one) => one.environment === group.environment && one.condition === group.condition && one.metric === metric,
  )
  if (ranking === undefined || ranking.entries.every(({ best }) => best)) return false
  return ranking.entries.some(({ model, agent, best }) => best && model === group.model && agent === group.agent)
}
