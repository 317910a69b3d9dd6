import { pairsOf } from 'shaketable'
import type { Aggregate, AggregateColumn, Group } from '../../aggregate/aggregate.js'
import { isHeldIn } from '../../tables/marks.js'
import { explain } from './explain.js'
import type { Verdict } from './verdict.js'
import { judge } from './verdict.js'

/** One perturbation and what it did to one model. */
export interface Finding {
  readonly group: Group
  readonly column: AggregateColumn
  readonly clean: Group
  readonly verdict: Verdict
  readonly reasons: readonly string[]
}

/** All that is known of one model and agent in one environment. */
export interface Subject {
  readonly environment: string
  readonly model: string
  readonly agent: string
  /** Whether the model was trained on the environment; absent where that was not declared. */
  readonly heldIn?: boolean
  /** Absent in a run without a clean twin. */
  readonly clean?: Group
  /** One for each column but the clean one, in the plan's order. */
  readonly findings: readonly Finding[]
}

/** Judges every column of every environment × model × agent. */
export function findingsOf(aggregate: Aggregate): Subject[] {
  const { environments, columns, groups } = aggregate
  return environments.flatMap(({ name: environment }) =>
    pairsOf(aggregate).map(({ model: planned, agent: { name: agent } }) => {
      const mine = groups.filter(
        (group) => group.environment === environment && group.model === planned.name && group.agent === agent,
      )
      const of = (column: AggregateColumn): Group | undefined =>
        mine.find(({ column: label }) => label === column.label)
      const heldIn = isHeldIn(planned, environment)
      const cleanColumn = columns.find((column) => column.clean)
      const clean = cleanColumn && of(cleanColumn)
      return {
        environment,
        model: planned.name,
        agent,
        ...(clean && { clean }),
        ...(heldIn !== undefined && { heldIn }),
        findings: columns.flatMap((column) => {
          const group = of(column)
          const difference = group?.pooled.difference
          if (group === undefined || clean === undefined || difference === undefined) return []
          return {
            group,
            column,
            clean,
            verdict: judge(difference, clean.pooled.success.mean),
            reasons: explain(group, clean),
          }
        }),
      }
    }),
  )
}

/** The perturbation with the largest drop of success; identity columns do not count. */
export function worstOf({ findings }: Subject): Finding | undefined {
  const changes = findings.filter(({ column, verdict }) => !column.identity && verdict.figures !== undefined)
  return changes.reduce<Finding | undefined>(
    (worst, finding) => (worst === undefined || changeOf(finding) < changeOf(worst) ? finding : worst),
    undefined,
  )
}

/** Perturbed minus clean success. */
export function changeOf({ group }: Finding): number {
  return group.pooled.difference?.success.mean ?? 0
}
