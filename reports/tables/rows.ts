import type { Aggregate, Group, Scope } from '../../src/results/aggregate.js'
import type { Row } from '../../src/tables/table.js'

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

/** A model and agent in an environment. */
export type Subject = Readonly<Record<'environment' | 'model' | 'agent', string>>

/** What a row is of. */
export interface RowKeys extends Omit<Row, 'heads' | 'cells' | 'published' | 'temperature'> {
  /** Absent for a row over all temperatures. */
  readonly temperature?: number | undefined
  /** What stands under the table's own head. Absent: the kind of task, or the label. */
  readonly name?: string
  /** What stands under `Model`. Absent: its name. */
  readonly title?: string
}

/** How a table names its rows: by model, agent where there are several, what `head` says, and temperature. */
export function namesOf(
  { agents, temperatures }: Aggregate,
  detail: Detail,
  head?: string,
): { readonly heads: readonly string[]; nameRow(of: RowKeys): Omit<Row, 'cells'> } {
  const named = (model: string, agent: string, labels: string | undefined, temperature: string): string[] => [
    model,
    ...(agents.length > 1 ? [agent] : []),
    ...(head === undefined ? [] : [labels ?? '']),
    ...(detail === 'each-temperature' && temperatures.length > 1 ? [temperature] : []),
  ]
  return {
    heads: named('Model', 'Agent', head, 'T'),
    nameRow: ({ model, agent, label, kind, temperature, name = kind ?? label, title = model }) => ({
      heads: named(title, agent, name, String(temperature ?? 'all')),
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

/** One row for each group and each scope; `of` is what its figures are of. */
export function groupRows<Of>(
  aggregate: Aggregate,
  detail: Detail,
  groups: readonly Group[],
  of: (group: Group, scope: NamedScope) => Of,
) {
  return groups.flatMap((subject) =>
    scopesOf(aggregate, detail).map((scope) => ({
      ...{ subject, label: subject.condition, temperature: scope.temperature },
      of: of(subject, scope),
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
