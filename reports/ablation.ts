import type { Aggregate } from '../src/results/aggregate.js'
import type { Variant } from '../src/results/schema.js'
import { describeRuns, speaksOf, tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import { describeRateMarks, markedRate } from './tables/marks.js'
import { findGroup } from './tables/rows.js'
import type { Cell, Column, Row, Table } from '../src/tables/table.js'
import { describeTests, differenceNotes, testCells, testColumns } from './tables/tests.js'

/** Model variants below their reference model, as AgentRefine's table 2, with paired differences. */
export default defineTableReport({
  name: 'ablation',
  summary: 'model variants below their reference model, with paired differences, intervals and tests',
  source: 'AgentRefine (arXiv 2501.01702), table 2; paired differences: Miller 2024 (arXiv 2411.00640)',
  tables: ablationTables,
})

/** One table for each environment; none for a run in which no model is a variant of another. */
function ablationTables(aggregate: Aggregate): Table[] {
  const variants = aggregate.variants
  return aggregate.environments.flatMap(({ name: environment }) => {
    const own = variants.filter((variant) => variant.environment === environment)
    if (own.length === 0) return []
    const withColumn = aggregate.columns.length > 1
    const withAgent = aggregate.agents.length > 1
    return {
      ...tableOn(aggregate, environment, 'ablation', 'Ablation'),
      notes: [
        'Rate: success and progress in percent over all seeds and temperatures; the variants of a model stand below it.',
        ...describeRuns(aggregate, 'pooled'),
        'Change: variant minus reference model in percentage points, paired by task, seed and temperature. ' +
          `${differenceNotes.interval} ${speaksOf.tasks}`,
        ...describeTests(
          own.flatMap(({ tests }) => metrics.map((metric) => tests?.[metric])),
          'the variants of one model',
        ),
      ],
      marks: describeRateMarks(aggregate, 'pooled'),
      heads: [...(withColumn ? ['Column'] : []), ...(withAgent ? ['Agent'] : []), 'Model'],
      groups: [
        { title: 'Success', columns: columnsOf('success') },
        { title: 'Progress', columns: columnsOf('progress') },
        { title: 'Evidence', columns: [{ title: 'Pairs', shows: 'count', metric: 'pairs' }] },
      ],
      rows: aggregate.columns.flatMap(({ label }) =>
        aggregate.agents.flatMap(({ name: agent }) => {
          const rowOf = (model: string, name: string, variant?: Variant): Row => ({
            heads: [...(withColumn ? [label] : []), ...(withAgent ? [agent] : []), name],
            model,
            agent,
            label,
            cells: [
              ...metrics.flatMap((metric) => [
                rateOf(aggregate, { environment, model, agent, label }, metric),
                changeCell(variant, metric),
                ...testCells(variant?.tests?.[metric]),
              ]),
              variant === undefined ? {} : { value: variant.pairs },
            ],
          })
          const here = own.filter((variant) => variant.column === label && variant.agent === agent)
          const references = [...new Set(here.map(({ reference }) => reference))]
          return references.flatMap((reference) => [
            rowOf(reference, reference),
            ...here
              .filter((variant) => variant.reference === reference)
              .map((variant) => rowOf(variant.model, `– ${variant.model}`, variant)),
          ])
        }),
      ),
    }
  })
}

const metrics = ['success', 'progress'] as const

function columnsOf(metric: string): Column[] {
  return [
    { title: 'Rate', shows: 'percent', metric },
    { title: 'Change', shows: 'change', metric: `${metric}-change` },
    ...testColumns(`${metric}-`),
  ]
}

function rateOf(
  aggregate: Aggregate,
  of: { readonly environment: string; readonly model: string; readonly agent: string; readonly label: string },
  metric: 'success' | 'progress',
): Cell {
  const group = findGroup(aggregate, of.environment, of.model, of.agent, of.label)
  return group ? markedRate(aggregate, group, { of: ({ pooled }) => pooled }, metric) : {}
}

function changeCell(variant: Variant | undefined, metric: 'success' | 'progress'): Cell {
  if (variant === undefined) return {}
  const { mean, interval } = variant[metric]
  return { ...(mean !== undefined && { value: mean }), ...interval }
}
