import type { PlannedModel } from '../../src/define.js'
import { pairsOf } from '../../src/define.js'
import type { Aggregate, Group, Scope } from '../../src/results/aggregate.js'
import { isHeldIn } from '../../src/results/published/paper-tasks.js'
import type { Cell, Mark, Row } from '../../src/tables/table.js'

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

/**
 * Titles of the columns that name a row; agent, condition and temperature only where rows differ in them.
 */
export function rowHeads(aggregate: Aggregate, detail: Detail, withCondition: boolean): readonly string[] {
  return [
    'Model',
    ...(aggregate.agents.length > 1 ? ['Agent'] : []),
    ...(withCondition ? ['Condition'] : []),
    ...(namesTemperatures(aggregate, detail) ? ['T'] : []),
  ]
}

/** Names a row by {@link rowHeads}. */
export function nameRow(
  aggregate: Aggregate,
  detail: Detail,
  { temperature }: Pick<NamedScope, 'temperature'>,
  of: { readonly model: string; readonly agent: string; readonly label?: string },
): Omit<Row, 'cells'> {
  return {
    heads: [
      of.model,
      ...(aggregate.agents.length > 1 ? [of.agent] : []),
      ...(of.label === undefined ? [] : [of.label]),
      ...(namesTemperatures(aggregate, detail) ? [temperature === undefined ? 'all' : String(temperature)] : []),
    ],
    ...of,
    ...(temperature !== undefined && { temperature }),
  }
}

/** The sentence of a caption on what rows without a temperature are over. */
export function describeScope({ temperatures }: Aggregate, detail: Detail): string[] {
  return detail !== 'each-temperature' && temperatures.length > 1
    ? ['Over all seeds and temperatures: the mean of the means at each temperature.']
    : []
}

function namesTemperatures({ temperatures }: Aggregate, detail: Detail): boolean {
  return detail === 'each-temperature' && temperatures.length > 1
}

/** One row for each model and agent and each scope, of several conditions or environments. */
export function modelRows(
  aggregate: Aggregate,
  detail: Detail,
  cellsOf: (scope: NamedScope, model: PlannedModel, agent: string) => readonly Cell[],
): Row[] {
  return pairsOf(aggregate).flatMap(({ model, agent: { name: agent } }) =>
    scopesOf(aggregate, detail).map((scope) => ({
      ...nameRow(aggregate, detail, scope, { model: model.name, agent }),
      cells: cellsOf(scope, model, agent),
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
