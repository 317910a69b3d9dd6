import type { PlannedModel } from '../../src/define.js'
import { pairsOf } from '../../src/define.js'
import type { Aggregate, Group, Scope } from '../../src/results/aggregate.js'
import type { Cell, Row } from '../../src/tables/table.js'

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

/** The groups of an environment that have a clean twin. */
export function comparedGroups(aggregate: Aggregate, environment: string): Group[] {
  return groupsOn(aggregate, environment).filter(({ pooled }) => pooled.difference !== undefined)
}

/** Label of the condition without perturbation; undefined in a run without one. */
export function cleanLabel({ conditions }: Aggregate): string | undefined {
  return conditions.find(({ clean }) => clean)?.label
}

/** A rate as a cell. */
export function rateCell(scope: Scope | undefined, metric: 'success' | 'progress'): Cell {
  if (scope === undefined) return {}
  const { mean, deviation, runs, overTasks } = scope[metric]
  return {
    ...scope.coverage,
    runs,
    ...(mean !== undefined && { value: mean }),
    ...(deviation !== undefined && { deviation }),
    ...overTasks,
  }
}
