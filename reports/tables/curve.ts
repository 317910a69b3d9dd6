import { defineTableReport } from './define-report.js'
import { checkpointTables, trendTables } from './parts/checkpoints.js'
import { figure } from '../../src/tables/table.js'
import { differenceNotes, speaksOf } from '../../src/results/statements.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import type { DoseResponse } from '../../src/results/schema.js'
import type { Table } from '../../src/tables/table.js'
import { changeCell, evidenceNotes, touchedMeasures } from './evidence.js'
import type { Measure } from './measured.js'
import { labelledTables, measure, perMetric, ratioCell } from './measured.js'

/** Rates over the checkpoints of a training, and over the intensity of a family. */
export default defineTableReport({
  name: 'curve',
  summary:
    'success and robustness over the checkpoints of a training, and over the intensity of a family (slope, area)',
  source: 'Confidence set of the best: Hsu 1984; Hansen, Lunde and Nason 2011, The Model Confidence Set',
  tables: (aggregate) => [...checkpointTables(aggregate), ...trendTables(aggregate), ...doseTables(aggregate)],
})

/** Success over the intensity of each family that was played at several: slope and area. */
function doseTables(aggregate: Aggregate): Table[] {
  return labelledTables<DoseResponse>(
    aggregate,
    { name: 'curve', by: 'dose', title: 'Dose-response: over the intensity of a family', head: 'Family' },
    aggregate.doseResponses.map((of) => ({ subject: of, label: of.family, of })),
    doseMeasures,
    () => [
      'Families with several intensities, over all seeds, temperatures and draws, on the tasks measured at all of their intensities.',
      'Clean and Highest: rates in percent at intensity 0 and at the highest intensity that was played, To.',
      `${evidenceNotes.touched} Here at the highest intensity.`,
      `Slope: of the line of least squares through a task's rates, mean over tasks, in points per unit of intensity. ${differenceNotes.interval}`,
      'Area: mean rate over the intensities from 0 to the highest (trapezoidal rule) as a share of the clean rate, in percent; 100 is no harm. In brackets the 95 % interval: the shares that the same test does not reject.',
      `Intervals are over tasks and apply to these draws; no standard deviation over runs is shown. ${speaksOf.tasks}`,
    ],
  )
}

const doseMeasures: readonly Measure<DoseResponse>[] = [
  ...perMetric<DoseResponse>((metric, title) => [
    measure(title, 'Clean', 'percent', `${metric}-clean`, (one) => figure(one[metric].levels[0]!.mean)),
    measure(title, 'Highest', 'percent', `${metric}-highest`, (one) => figure(one[metric].levels.at(-1)!.mean)),
    measure(title, 'Slope', 'change', `${metric}-slope`, (one) => changeCell(one[metric].slope)),
    measure(title, 'Area', 'share', `${metric}-area`, (one) => ratioCell(one[metric].area)),
  ]),
  measure('Evidence', 'Intensities', 'count', 'intensities', ({ success }) => figure(success.levels.length)),
  measure('Evidence', 'To', 'ratio', 'highest-intensity', ({ success }) => figure(success.levels.at(-1)!.intensity)),
  measure('Evidence', 'Tasks', 'count', 'paired-tasks', ({ success }) => figure(success.tasks)),
  ...touchedMeasures<DoseResponse>(({ success }) => success.levels.at(-1)!.touched),
]
