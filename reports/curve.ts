import type { Aggregate } from '../src/results/aggregate.js'
import type { TrainingCurve, Trend } from '../src/results/schema.js'
import { speaksOf, tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import { evidenceNotes, touchedCells, touchedGroup } from './tables/evidence.js'
import { figure } from './tables/rows.js'
import { describeTests, differenceNotes, testCells, testColumns } from './tables/tests.js'
import type { Cell, ColumnGroup, Row, Table } from '../src/tables/table.js'

/** Success and robustness over the checkpoints of a training, and what changed from the first to the last. */
export default defineTableReport({
  name: 'curve',
  summary: 'success and robustness over the checkpoints of a training, with the change from the first to the last',
  source: 'Confidence set of the best: Hsu 1984; Hansen, Lunde and Nason 2011, The Model Confidence Set',
  tables: (aggregate) => [...pointTables(aggregate), ...trendTables(aggregate)],
})

const metrics = ['success', 'progress'] as const

/** The curves of an environment. */
function curvesOn({ trainingCurves = [] }: Aggregate, environment: string): TrainingCurve[] {
  return trainingCurves.filter((curve) => curve.environment === environment)
}

/** One table for each environment with a series of checkpoints. */
function pointTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const curves = curvesOn(aggregate, environment)
    if (curves.length === 0) return []
    return {
      ...tableOn(aggregate, environment, 'curve', 'Training curve'),
      notes: [
        'Over all seeds and temperatures. Clean: without perturbation, over all tasks. Perturbed: mean over the conditions; the draws of one perturbation count as one.',
        `Change: perturbed minus clean in points over pairs of the same task, seed and temperature. ${differenceNotes.interval} ${evidenceNotes.all}`,
        evidenceNotes.touched,
        `Drop rate: 1 − perturbed/clean in percent; in brackets the 95 % interval: the rates that the same test does not reject. ${speaksOf.tasks}`,
      ],
      marks: {
        best: 'in the 95 % confidence set of the best checkpoint of its series over other tasks, which allows for the choice among all of them',
      },
      heads: ['Model', ...agentHead(aggregate), ...seriesHead(curves), 'Step'],
      groups: [
        ...metrics.map((metric): ColumnGroup => ({
          title: metric === 'success' ? 'Success' : 'Progress',
          columns: [
            { title: 'Clean', shows: 'share', metric: `${metric}-clean` },
            { title: 'Perturbed', shows: 'share', metric: `${metric}-perturbed` },
            { title: 'Change', shows: 'change', metric: `${metric}-change` },
            { title: 'Drop rate', shows: 'share', metric: `${metric}-drop-rate` },
          ],
        })),
        touchedGroup,
      ],
      rows: curves.flatMap((curve) =>
        curve.checkpoints.map(({ model, step, touched }, place): Row => ({
          heads: [
            model,
            ...agentHead(aggregate).map(() => curve.agent),
            ...seriesHead(curves).map(() => curve.series),
            step.toLocaleString('en', { maximumFractionDigits: 6 }),
          ],
          model,
          agent: curve.agent,
          label: curve.columns.join(' '),
          cells: [
            ...metrics.flatMap((metric): Cell[] => {
              const { points, best } = curve[metric]
              const { clean, perturbed, change, dropRate } = points[place]!
              return [
                { ...figure(clean?.mean), ...clean?.overTasks, ...mark(best?.clean, step) },
                { ...figure(perturbed?.mean), ...perturbed?.overTasks, ...mark(best?.perturbed, step) },
                { ...figure(change.mean), ...change.interval },
                { ...figure(dropRate?.value), ...dropRate?.interval },
              ]
            }),
            ...touchedCells(touched),
          ],
        })),
      ),
    }
  })
}

/** Marks a member of a confidence set. */
function mark(best: { readonly among: readonly number[] } | undefined, step: number): { readonly best?: true } {
  return best?.among.includes(step) ? { best: true } : {}
}

/** One table for each environment with a series of which two checkpoints were measured. */
function trendTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const curves = curvesOn(aggregate, environment)
    const rows = curves.flatMap((curve) => metrics.flatMap((metric) => trendRows(aggregate, curve, metric)))
    if (rows.length === 0) return []
    return {
      ...tableOn(aggregate, environment, 'curve-trends', 'From the first checkpoint to the last'),
      notes: [
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
      heads: ['Series', ...agentHead(aggregate), 'Of'],
      groups: [
        {
          title: 'Trend',
          columns: [
            { title: 'First', shows: 'percent', metric: 'first' },
            { title: 'Last', shows: 'percent', metric: 'last' },
            { title: 'Difference', shows: 'change', metric: 'difference' },
            ...testColumns(''),
          ],
        },
        { title: 'Evidence', columns: [{ title: 'Tasks', shows: 'count', metric: 'paired-tasks' }] },
      ],
      rows,
    }
  })
}

function trendRows(
  aggregate: Aggregate,
  { series, agent, ...curve }: TrainingCurve,
  metric: 'success' | 'progress',
): Row[] {
  const { trends } = curve[metric]
  if (trends === undefined) return []
  const rows: readonly (readonly [string, Trend | undefined])[] = [
    [`clean ${metric}`, trends.clean],
    [`perturbed ${metric}`, trends.perturbed],
    [`change of ${metric}`, trends.change],
  ]
  return rows.flatMap(([of, trend]): Row[] =>
    trend === undefined
      ? []
      : [
          {
            heads: [
              `${series} ${String(trends.first)} → ${String(trends.last)}`,
              ...agentHead(aggregate).map(() => agent),
              of,
            ],
            model: series,
            agent,
            label: of,
            cells: [
              figure(trend.from),
              figure(trend.to),
              { value: trend.mean, ...trend.interval },
              ...testCells(trend),
              figure(trend.tasks),
            ],
          },
        ],
  )
}

function agentHead({ agents }: Aggregate): string[] {
  return agents.length > 1 ? ['Agent'] : []
}

function seriesHead(curves: readonly TrainingCurve[]): string[] {
  return new Set(curves.map(({ series }) => series)).size > 1 ? ['Series'] : []
}
