import type { Interval } from '../src/statistics/index.js'
import type { Aggregate } from '../src/results/aggregate.js'
import type { Difference } from '../src/results/schema.js'
import { speaksOf, tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import { boundedCell, evidenceNotes, isBounded, touchedCells, touchedGroup } from './tables/evidence.js'
import type { Detail } from './tables/rows.js'
import { comparedGroups, describeScope, figure, groupRows, rowHeads } from './tables/rows.js'
import type { Cell, Column, Table } from '../src/tables/table.js'
import { describeTests, differenceNotes, testCells, testColumns } from './tables/tests.js'

/** The change under each perturbation against the clean twin. */
export default defineTableReport({
  name: 'differences',
  summary: 'change against the clean twin under each perturbation, with intervals, tests and drop rates',
  source:
    'Paired differences with the task as the cluster: Miller 2024 (arXiv 2411.00640); performance drop rate: PromptBench (arXiv 2306.04528)',
  tables: differenceTables,
})

/** One table for each environment; none for a run without a clean twin. */
function differenceTables(aggregate: Aggregate, detail: Detail): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const compared = comparedGroups(aggregate, environment)
    if (compared.length === 0) return []
    const tests = compared.flatMap(({ pooled, temperatures }) =>
      [pooled, ...temperatures].flatMap(({ difference }) => metrics.map((metric) => difference?.tests?.[metric])),
    )
    const hasMissing = isBounded(compared.map(({ pooled }) => pooled.difference?.success))
    return {
      ...tableOn(aggregate, environment, 'differences', 'Change against the clean twin'),
      notes: [
        'Perturbed minus clean in percentage points; below 0 is a drop.',
        `Pairs are of the same task, seed and temperature. ${differenceNotes.interval}`,
        ...describeTests(tests, 'the columns of one model and agent (each at 5 %)'),
        'Drop rate: 1 − perturbed/clean in percent, the share of the clean score that is lost, with its 95 % interval: the rates that the same test does not reject. None where the clean score is 0, and no interval where 0 is not ruled out.',
        `Intervals are over tasks; no standard deviation over runs is shown. ${speaksOf.tasks}`,
        `${evidenceNotes.all} ${evidenceNotes.touched}`,
        ...(hasMissing ? [evidenceNotes.missing] : []),
        ...describeScope(aggregate, detail),
      ],
      heads: rowHeads(aggregate, detail, true),
      groups: [
        { title: 'Change', columns: bothMetrics('change', 'change') },
        { title: 'Test of success', columns: testColumns('success-') },
        { title: 'Test of progress', columns: testColumns('progress-') },
        { title: 'Drop rate', columns: bothMetrics('share', 'drop-rate') },
        ...(hasMissing ? [{ title: 'If missing', columns: bothMetrics('change', 'change-if-missing') }] : []),
        {
          title: 'Evidence',
          columns: [
            { title: 'Tasks', shows: 'count', metric: 'paired-tasks' },
            { title: 'Pairs', shows: 'coverage', metric: 'pairs' },
          ],
        },
        touchedGroup,
      ],
      rows: groupRows(aggregate, detail, compared, (scope) => {
        const difference = scope.difference!
        return [
          ...metrics.map((metric) => changeCell(difference, metric)),
          ...metrics.flatMap((metric) => testCells(difference.tests?.[metric])),
          ...metrics.map((metric) => dropCell(difference.dropRate[metric])),
          ...(hasMissing ? metrics.map((metric) => boundedCell(difference[metric])) : []),
          figure(difference.success.tasks),
          { valid: difference.pairs, planned: difference.planned },
          ...touchedCells(difference.touched),
        ]
      }),
    }
  })
}

const metrics = ['success', 'progress'] as const

function bothMetrics(shows: Column['shows'], metric: string): Column[] {
  return [
    { title: 'Success', shows, metric: `success-${metric}` },
    { title: 'Progress', shows, metric: `progress-${metric}` },
  ]
}

function changeCell(difference: Difference, metric: 'success' | 'progress'): Cell {
  const { mean, interval } = difference[metric]
  return {
    valid: difference.pairs,
    planned: difference.planned,
    ...figure(mean),
    ...interval,
  }
}

function dropCell(drop: { readonly value: number; readonly interval?: Interval } | undefined): Cell {
  return { ...figure(drop?.value), ...drop?.interval }
}
