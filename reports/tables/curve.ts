import type { Aggregate } from '../../src/results/aggregate.js'
import type { DoseResponse, TrainingCurve } from '../../src/results/schema.js'
import { differenceNotes, speaksOf } from '../../src/results/statements.js'
import type { Table } from '../../src/tables/table.js'
import { defineTableReport } from './define-report.js'
import { type Measures, estimate, evidenceNotes, measuredTables, perMetric, touchedMeasures } from './measured.js'

/** Rates over the checkpoints of a training, and over the intensity of a family. */
export default defineTableReport({
  name: 'curve',
  summary:
    'success and robustness over the checkpoints of a training, and over the intensity of a family (slope, area)',
  source: 'Confidence set of the best: Hsu 1984; Hansen, Lunde and Nason 2011, The Model Confidence Set',
  tables: (aggregate) => [...checkpointTables(aggregate), ...doseTables(aggregate)],
})

/** Success over the intensity of each family that was played at several: slope and area. */
function doseTables(aggregate: Aggregate): Table[] {
  return measuredTables<DoseResponse>(aggregate, {
    ...{ name: 'curve', by: 'dose', title: 'Dose-response: over the intensity of a family', head: 'Family' },
    rows: aggregate.doseResponses.map((of) => ({ subject: of, label: of.family, of })),
    measures: doseMeasures,
    notesOf: () => [
      'Families with several intensities, over all seeds, temperatures and draws, on the tasks measured at all of their intensities.',
      'Clean and Highest: rates in percent at intensity 0 and at the highest intensity that was played, To.',
      `${evidenceNotes.touched} Here at the highest intensity.`,
      `Slope: of the line of least squares through a task's rates, mean over tasks, in points per unit of intensity. ${differenceNotes.interval}`,
      'Area: mean rate over the intensities from 0 to the highest (trapezoidal rule) as a share of the clean rate, in percent; 100 is no harm. In brackets the 95 % interval: the shares that the same test does not reject.',
      `Intervals are over tasks and apply to these draws; no standard deviation over runs is shown. ${speaksOf.tasks}`,
    ],
  })
}

const doseMeasures: Measures<DoseResponse> = {
  ...perMetric<DoseResponse>((metric, title) => ({
    [title]: [
      ['Clean', 'percent', `${metric}-clean`, (response) => response[metric].levels[0]!.mean],
      ['Highest', 'percent', `${metric}-highest`, (response) => response[metric].levels.at(-1)!.mean],
      ['Slope', 'change', `${metric}-slope`, (response) => estimate(response[metric].slope)],
      ['Area', 'share', `${metric}-area`, (response) => estimate(response[metric].area)],
    ],
  })),
  Evidence: [
    ['Intensities', 'count', 'intensities', ({ success }) => success.levels.length],
    ['To', 'ratio', 'highest-intensity', ({ success }) => success.levels.at(-1)!.intensity],
    ['Tasks', 'count', 'paired-tasks', ({ success }) => success.tasks],
  ],
  ...touchedMeasures<DoseResponse>(({ success }) => success.levels.at(-1)!.touched),
}

/** Success and robustness over the checkpoints of each series. */
function checkpointTables(aggregate: Aggregate): Table[] {
  return measuredTables<Checkpoint>(aggregate, {
    ...{ name: 'curve', by: 'checkpoint', title: 'Training curve: over checkpoints', head: 'Step' },
    rows: (aggregate.trainingCurves ?? []).flatMap((curve) =>
      curve.checkpoints.map(({ model, step }, place) => ({
        ...{ subject: { ...curve, model }, label: curve.conditions.join(' '), of: { curve, place } },
        name: step.toLocaleString('en', { maximumFractionDigits: 6 }),
      })),
    ),
    measures: checkpointMeasures,
    notesOf: () => [
      'Over all seeds and temperatures. Clean: without perturbation, over all tasks. Perturbed: mean over the conditions; the draws of one perturbation count as one.',
      `Change: perturbed minus clean in points over pairs of the same task, seed and temperature. ${differenceNotes.interval} ${evidenceNotes.all}`,
      evidenceNotes.touched,
      `Drop rate: 1 − perturbed/clean in percent; in brackets the 95 % interval: the rates that the same test does not reject. ${speaksOf.tasks}`,
    ],
  })
}

/** One checkpoint of a series. */
interface Checkpoint {
  readonly curve: TrainingCurve
  readonly place: number
}

const checkpointMeasures: Measures<Checkpoint> = {
  ...perMetric<Checkpoint>((metric, title) => {
    const point = ({ curve, place }: Checkpoint) => curve[metric].points[place]!
    return {
      [title]: [
        ['Clean', 'share', `${metric}-clean`, (of) => estimate(point(of).clean)],
        ['Perturbed', 'share', `${metric}-perturbed`, (of) => estimate(point(of).perturbed)],
        ['Change', 'change', `${metric}-change`, (of) => estimate(point(of).change)],
        ['Drop rate', 'share', `${metric}-drop-rate`, (of) => estimate(point(of).dropRate)],
      ],
    }
  }),
  ...touchedMeasures<Checkpoint>(({ curve, place }) => curve.checkpoints[place]!.touched),
}
