import { figure } from '../../../src/tables/table.js'
import { differenceNotes, speaksOf } from '../../../src/results/statements.js'
import type { Aggregate } from '../../../src/results/aggregate.js'
import type { Draws } from '../../../src/results/schema.js'
import type { Table } from '../../../src/tables/table.js'
import { tableOn } from '../captions.js'
import { changeCell, evidenceNotes, touchedMeasures } from '../evidence.js'
import type { Measure } from '../measured.js'
import { measure, measuredTables } from '../measured.js'
import { nameRow, rowHeads } from '../rows.js'

/** What several draws of one perturbation have in common, and how far they lie apart. */
export function drawTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) =>
    measuredTables(
      {
        ...tableOn(aggregate, environment, 'changes', 'Change by draws of one perturbation', 'draws'),
        heads: rowHeads(aggregate, 'pooled', true),
      },
      aggregate.draws
        .filter((one) => one.environment === environment)
        .map((of) => ({
          row: nameRow(aggregate, 'pooled', {}, { model: of.model, agent: of.agent, label: of.family }),
          of,
        })),
      measures,
      [
        'A row has the columns that differ in their draw alone, over all seeds and temperatures, on the tasks with a pair of every draw.',
        `Change: perturbed minus clean in percentage points, mean over the draws; below 0 is a drop. ${differenceNotes.interval} ${speaksOf.tasks} It applies to these draws, not to others.`,
        'Family: the same change with a 95 % interval over other draws of the family too (t over the draws, which it takes as normal, besides the interval over tasks).',
        'Draws: sample standard deviation (n−1) of the draws’ mean changes, in points. Beyond noise: that of their true changes, by the method of moments: the variance of the means less the sampling variance of one (the mean square that draws and tasks leave, over the number of tasks), 0 where it is below.',
        'Seeds: sample standard deviation (n−1) from seed to seed of one draw’s mean change, within a temperature, root mean square over the draws. Tasks: that of the tasks’ changes, each the mean over the draws.',
        evidenceNotes.touched,
      ],
    ),
  )
}

const measures: readonly Measure<Draws>[] = [
  ...(['success', 'progress'] as const).flatMap((metric): Measure<Draws>[] => {
    const title = metric === 'success' ? 'Success' : 'Progress'
    const spread = `${title}: standard deviation over`
    return [
      measure(title, 'Change', 'change', `${metric}-change`, (draws) => changeCell(draws[metric].change)),
      measure(title, 'Family', 'change', `${metric}-family-change`, (draws) => {
        const { change, ofFamily } = draws[metric]
        return ofFamily ? { ...figure(change.mean), ...ofFamily } : {}
      }),
      measure(spread, 'Draws', 'error', `${metric}-deviation-over-draws`, (draws) =>
        figure(draws[metric].overDraws?.deviation),
      ),
      measure(spread, 'Beyond noise', 'error', `${metric}-deviation-beyond-noise`, (draws) =>
        figure(draws[metric].overDraws?.beyondNoise),
      ),
      measure(spread, 'Seeds', 'error', `${metric}-deviation-over-seeds`, (draws) => figure(draws[metric].overSeeds)),
      measure(spread, 'Tasks', 'error', `${metric}-deviation-over-tasks`, (draws) => figure(draws[metric].overTasks)),
    ]
  }),
  measure('Evidence', 'Draws', 'count', 'draws', ({ columns }) => figure(columns.length)),
  measure('Evidence', 'Tasks', 'count', 'paired-tasks', ({ tasks }) => figure(tasks)),
  ...touchedMeasures<Draws>(({ touched }) => touched),
]
