import { figure } from '../../../src/tables/table.js'
import { describeTests, differenceNotes, speaksOf } from '../../../src/results/statements.js'
import type { Aggregate } from '../../../src/results/aggregate.js'
import type { TrainingCurve, Trend } from '../../../src/results/schema.js'
import type { Table } from '../../../src/tables/table.js'
import { tableOn } from '../captions.js'
import { changeCell, evidenceNotes, testMeasures, touchedMeasures } from '../evidence.js'
import type { Measure, Measured } from '../measured.js'
import { measure, measuredTables, perMetric, ratioCell } from '../measured.js'

const metrics = ['success', 'progress'] as const

/** One checkpoint of a series. */
interface Checkpoint {
  readonly curve: TrainingCurve
  readonly place: number
}

/** Success and robustness over the checkpoints of each series. */
export function checkpointTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const curves = curvesOn(aggregate, environment)
    return measuredTables<Checkpoint>(
      {
        ...tableOn(aggregate, environment, 'curve', 'Training curve: over checkpoints', 'checkpoint'),
        heads: ['Model', ...agentHead(aggregate), ...seriesHead(curves), 'Step'],
      },
      curves.flatMap((curve) =>
        curve.checkpoints.map(({ model, step }, place) => ({
          row: {
            heads: [
              model,
              ...agentHead(aggregate).map(() => curve.agent),
              ...seriesHead(curves).map(() => curve.series),
              step.toLocaleString('en', { maximumFractionDigits: 6 }),
            ],
            model,
            agent: curve.agent,
            label: curve.conditions.join(' '),
          },
          of: { curve, place },
        })),
      ),
      checkpointMeasures,
      [
        'Over all seeds and temperatures. Clean: without perturbation, over all tasks. Perturbed: mean over the conditions; the draws of one perturbation count as one.',
        `Change: perturbed minus clean in points over pairs of the same task, seed and temperature. ${differenceNotes.interval} ${evidenceNotes.all}`,
        evidenceNotes.touched,
        `Drop rate: 1 − perturbed/clean in percent; in brackets the 95 % interval: the rates that the same test does not reject. ${speaksOf.tasks}`,
      ],
    )
  })
}

const checkpointMeasures: readonly Measure<Checkpoint>[] = [
  ...perMetric<Checkpoint>((metric, title) => {
    const rate = (of: 'clean' | 'perturbed'): Measure<Checkpoint>['cell'] => {
      return ({ curve, place }) => {
        const point = curve[metric].points[place]![of]
        return { ...figure(point?.mean), ...point?.overTasks }
      }
    }
    return [
      measure(title, 'Clean', 'share', `${metric}-clean`, rate('clean')),
      measure(title, 'Perturbed', 'share', `${metric}-perturbed`, rate('perturbed')),
      measure(title, 'Change', 'change', `${metric}-change`, ({ curve, place }) =>
        changeCell(curve[metric].points[place]!.change),
      ),
      measure(title, 'Drop rate', 'share', `${metric}-drop-rate`, ({ curve, place }) =>
        ratioCell(curve[metric].points[place]!.dropRate),
      ),
    ]
  }),
  ...touchedMeasures<Checkpoint>(({ curve, place }) => curve.checkpoints[place]!.touched),
]

/** What changed from the first checkpoint of a series to its last, where two were measured. */
export function trendTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const curves = curvesOn(aggregate, environment)
    return measuredTables<Trend>(
      {
        ...tableOn(aggregate, environment, 'curve', 'From the first checkpoint to the last', 'trend'),
        heads: ['Series', ...agentHead(aggregate), 'Of'],
      },
      curves.flatMap((curve) => metrics.flatMap((metric) => trendRows(aggregate, curve, metric))),
      [
        measure('Trend', 'First', 'percent', 'first', ({ from }) => figure(from)),
        measure('Trend', 'Last', 'percent', 'last', ({ to }) => figure(to)),
        measure('Trend', 'Difference', 'change', 'difference', (trend) => changeCell(trend)),
        ...testMeasures<Trend>('Trend', '', (trend) => trend),
        measure('Evidence', 'Tasks', 'count', 'paired-tasks', ({ tasks }) => figure(tasks)),
      ],
      [
        'First and last: the first and the last checkpoint of a series that was measured, on the tasks that both have; rates in percent, changes (perturbed minus clean) in points.',
        `Difference: last minus first, paired by task. ${differenceNotes.interval} ${speaksOf.tasks} It speaks of these two checkpoints: another training run may differ.`,
        ...describeTests(
          curves.flatMap((curve) =>
            metrics.flatMap((metric) =>
              (['clean', 'perturbed', 'change'] as const).map((of) => curve[metric].trends?.[of]),
            ),
          ),
          'all rows of one metric, in every environment',
        ),
      ],
    )
  })
}

function trendRows(
  aggregate: Aggregate,
  { series, agent, ...curve }: TrainingCurve,
  metric: 'success' | 'progress',
): Measured<Trend>[] {
  const { trends } = curve[metric]
  if (trends === undefined) return []
  const name = `${series} ${String(trends.first)} → ${String(trends.last)}`
  const rows: readonly (readonly [string, Trend | undefined])[] = [
    [`clean ${metric}`, trends.clean],
    [`perturbed ${metric}`, trends.perturbed],
    [`change of ${metric}`, trends.change],
  ]
  return rows.flatMap(([label, of]) => {
    const heads = [name, ...agentHead(aggregate).map(() => agent), label]
    return of === undefined ? [] : [{ row: { heads, model: series, agent, label }, of }]
  })
}

/** The curves of an environment. */
function curvesOn({ trainingCurves = [] }: Aggregate, environment: string): TrainingCurve[] {
  return trainingCurves.filter((curve) => curve.environment === environment)
}

function agentHead({ agents }: Aggregate): string[] {
  return agents.length > 1 ? ['Agent'] : []
}

function seriesHead(curves: readonly TrainingCurve[]): string[] {
  return new Set(curves.map(({ series }) => series)).size > 1 ? ['Series'] : []
}
