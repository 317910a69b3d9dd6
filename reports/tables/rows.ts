import type { Aggregate, Group, Scope } from '../aggregate/aggregate.js'
import type { Cell, Row } from '../../src/tables/table.js'

/** Whether rows for single temperatures are wanted beside those over all of them. */
export type Detail = 'each-temperature' | 'pooled'

/** A scope with what its row is called. */
export interface NamedScope {
  readonly temperature?: number
  /** The group's scope that the row is about. */
  of(group: Group): Scope
}

/** The scopes that get rows: each temperature and all of them together, or only the latter. */
export function scopesOf({ temperatures }: Aggregate, detail: Detail): readonly NamedScope[] {
  const each = temperatures.map((temperature, place) => ({
    temperature,
    of: (group: Group) => group.temperatures[place]!,
  }))
  const pooled = { of: (group: Group) => group.pooled }
  if (temperatures.length === 1) return each
  return detail === 'pooled' ? [pooled] : [...each, pooled]
}

/**
 * Titles of the columns that name a row; agent, perturbation column and temperature only where they tell rows apart.
 */
export function rowHeads(aggregate: Aggregate, detail: Detail, withColumn: boolean): readonly string[] {
  return [
    'Model',
    ...(aggregate.agents.length > 1 ? ['Agent'] : []),
    ...(withColumn ? ['Column'] : []),
    ...(namesTemperatures(aggregate, detail) ? ['T'] : []),
  ]
}

/** Names a row by {@link rowHeads}. */
export function nameRow(
  aggregate: Aggregate,
  detail: Detail,
  { temperature }: NamedScope,
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

/** Says in a caption what rows without a temperature are over. */
export function describeScope({ temperatures }: Aggregate, detail: Detail): string[] {
  return detail === 'pooled' && temperatures.length > 1 ? ['Over all seeds and temperatures.'] : []
}

function namesTemperatures({ temperatures }: Aggregate, detail: Detail): boolean {
  return detail === 'each-temperature' && temperatures.length > 1
}

/** Label of the column without perturbation; undefined in a run without one. */
export function cleanLabel({ columns }: Aggregate): string | undefined {
  return columns.find(({ clean }) => clean)?.label
}

/** The group of an environment × model × agent × column, or undefined where the plan has none. */
export function findGroup(
  { groups }: Aggregate,
  environment: string,
  model: string,
  agent: string,
  column: string,
): Group | undefined {
  return groups.find(
    (group) =>
      group.environment === environment && group.model === model && group.agent === agent && group.column === column,
  )
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

/** A plain figure as a cell. */
export function figure(value: number | undefined): Cell {
  return value === undefined ? {} : { value }
}
