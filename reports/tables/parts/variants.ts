import { findGroup } from '../../../src/results/find.js'
import { figure } from '../../../src/tables/table.js'
import { describeTests, differenceNotes, speaksOf } from '../../../src/results/statements.js'
import type { Aggregate } from '../../../src/results/aggregate.js'
import type { Variant } from '../../../src/results/schema.js'
import type { Cell, Table } from '../../../src/tables/table.js'
import { describeRuns, tableOn } from '../captions.js'
import { changeCell, testMeasures } from '../evidence.js'
import { describeRateMarks, markedRate } from '../marks.js'
import type { Measure, Measured } from '../measured.js'
import { measure, measuredTables, perMetric } from '../measured.js'

/** A model under a condition, and its comparison with its reference model, which itself has none. */
interface Compared {
  readonly variant?: Variant
  readonly rateOf: (metric: 'success' | 'progress') => Cell
}

const metrics = ['success', 'progress'] as const

/** Model variants below their reference model, as AgentRefine's table 2, with paired differences. */
export function variantTables(aggregate: Aggregate): Table[] {
  const hasConditions = aggregate.conditions.length > 1
  const hasAgents = aggregate.agents.length > 1
  return aggregate.environments.flatMap(({ name: environment }) => {
    const own = aggregate.variants.filter((variant) => variant.environment === environment)
    const rows = aggregate.conditions.flatMap(({ label }) =>
      aggregate.agents.flatMap(({ name: agent }) => {
        const rowOf = (model: string, name: string, variant?: Variant): Measured<Compared> => {
          const group = findGroup(aggregate, environment, model, agent, label)
          return {
            row: {
              heads: [...(hasConditions ? [label] : []), ...(hasAgents ? [agent] : []), name],
              model,
              agent,
              label,
            },
            of: {
              ...(variant && { variant }),
              rateOf: (metric) => (group ? markedRate(aggregate, group, { of: ({ pooled }) => pooled }, metric) : {}),
            },
          }
        }
        const here = own.filter((variant) => variant.condition === label && variant.agent === agent)
        return [...new Set(here.map(({ reference }) => reference))].flatMap((reference) => [
          rowOf(reference, reference),
          ...here
            .filter((variant) => variant.reference === reference)
            .map((variant) => rowOf(variant.model, `– ${variant.model}`, variant)),
        ])
      }),
    )
    return measuredTables(
      {
        ...tableOn(aggregate, environment, 'changes', 'Change by variant of a model (ablation)', 'variant'),
        marks: describeRateMarks(aggregate, 'pooled'),
        heads: [...(hasConditions ? ['Condition'] : []), ...(hasAgents ? ['Agent'] : []), 'Model'],
      },
      rows,
      measures,
      [
        'Rate: success and progress in percent over all seeds and temperatures; the variants of a model stand below it.',
        ...describeRuns(aggregate, 'pooled'),
        'Change: variant minus reference model in percentage points, paired by task, seed and temperature. ' +
          `${differenceNotes.interval} ${speaksOf.tasks}`,
        ...describeTests(
          own.flatMap(({ tests }) => metrics.map((metric) => tests?.[metric])),
          'the variants of one model',
        ),
      ],
    )
  })
}

const measures: readonly Measure<Compared>[] = [
  ...perMetric<Compared>((metric, title) => [
    measure(title, 'Rate', 'percent', metric, ({ rateOf }) => rateOf(metric)),
    measure(title, 'Change', 'change', `${metric}-change`, ({ variant }) => changeCell(variant?.[metric])),
    ...testMeasures<Compared>(title, `${metric}-`, ({ variant }) => variant?.tests?.[metric]),
  ]),
  measure('Evidence', 'Pairs', 'count', 'pairs', ({ variant }) => figure(variant?.pairs)),
]
