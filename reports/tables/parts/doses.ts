import { figure } from '../../../src/tables/table.js'
import { differenceNotes, speaksOf } from '../../../src/results/statements.js'
import type { Aggregate } from '../../../src/results/aggregate.js'
import type { DoseResponse } from '../../../src/results/schema.js'
import type { Table } from '../../../src/tables/table.js'
import { tableOn } from '../captions.js'
import { changeCell, evidenceNotes, touchedMeasures } from '../evidence.js'
import type { Measure } from '../measured.js'
import { measure, measuredTables } from '../measured.js'
import { nameRow, rowHeads } from '../rows.js'

/** Success over the intensity of each family that was played at several: slope and area. */
export function doseTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) =>
    measuredTables(
      {
        ...tableOn(aggregate, environment, 'curve', 'Dose-response: over the intensity of a family', 'dose'),
        heads: rowHeads(aggregate, 'pooled', true).map((head) => (head === 'Column' ? 'Family' : head)),
      },
      aggregate.doseResponses
        .filter((one) => one.environment === environment)
        .map((of) => ({
          row: nameRow(aggregate, 'pooled', {}, { model: of.model, agent: of.agent, label: of.family }),
          of,
        })),
      doseMeasures,
      [
        'Families with several intensities, over all seeds, temperatures and draws, on the tasks measured at all of their intensities.',
        'Clean and Highest: rates in percent at intensity 0 and at the highest intensity that was played, To.',
        `${evidenceNotes.touched} Here at the highest intensity.`,
        `Slope: of the line of least squares through a task's rates, mean over tasks, in points per unit of intensity. ${differenceNotes.interval}`,
        'Area: mean rate over the intensities from 0 to the highest (trapezoidal rule) as a share of the clean rate, in percent; 100 is no harm. In brackets the 95 % interval: the shares that the same test does not reject.',
        `Intervals are over tasks and apply to these draws; no standard deviation over runs is shown. ${speaksOf.tasks}`,
      ],
    ),
  )
}

const doseMeasures: readonly Measure<DoseResponse>[] = [
  ...(['success', 'progress'] as const).flatMap((metric): Measure<DoseResponse>[] => {
    const title = metric === 'success' ? 'Success' : 'Progress'
    return [
      measure(title, 'Clean', 'percent', `${metric}-clean`, (one) => figure(one[metric].levels[0]!.mean)),
      measure(title, 'Highest', 'percent', `${metric}-highest`, (one) => figure(one[metric].levels.at(-1)!.mean)),
      measure(title, 'Slope', 'change', `${metric}-slope`, (one) => changeCell(one[metric].slope)),
      measure(title, 'Area', 'share', `${metric}-area`, (one) => {
        const { area } = one[metric]
        return { ...figure(area?.value), ...area?.interval }
      }),
    ]
  }),
  measure('Evidence', 'Intensities', 'count', 'intensities', ({ success }) => figure(success.levels.length)),
  measure('Evidence', 'To', 'ratio', 'highest-intensity', ({ success }) => figure(success.levels.at(-1)!.intensity)),
  measure('Evidence', 'Tasks', 'count', 'paired-tasks', ({ success }) => figure(success.tasks)),
  ...touchedMeasures<DoseResponse>(({ success }) => success.levels.at(-1)!.touched),
]
