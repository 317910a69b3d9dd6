import type { Aggregate } from '../src/results/aggregate.js'
import type { Draws } from '../src/results/schema.js'
import { speaksOf, tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import { evidenceNotes, touchedCells, touchedGroup } from './tables/evidence.js'
import { figure, nameRow, rowHeads } from './tables/rows.js'
import type { Cell, Column, Table } from '../src/tables/table.js'
import { differenceNotes } from './tables/tests.js'

/** What several draws of one perturbation have in common, and how far they lie apart. */
export default defineTableReport({
  name: 'draws',
  summary: 'families with several draws: mean change, spread over draws, seeds and tasks, and the worst draw',
  source:
    'Spread beyond noise by the method of moments: Searle, Casella and McCulloch 1992, chapter 4; Hedges and Olkin 1985, chapter 9. Worst case: HELM (arXiv 2211.09110)',
  tables: drawTables,
  isInTerminal: ({ name }) => name === 'draws',
})

/** One table for each environment and metric; none for a run without a family of several draws. */
function drawTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const families = aggregate.draws.filter((one) => one.environment === environment)
    if (families.length === 0) return []
    return (['success', 'progress'] as const).map((metric) => tableOf(aggregate, environment, families, metric))
  })
}

function tableOf(
  aggregate: Aggregate,
  environment: string,
  families: readonly Draws[],
  metric: 'success' | 'progress',
): Table {
  const name = metric === 'success' ? 'draws' : 'draws-progress'
  const column = (title: string, shows: Column['shows'], suffix: string): Column => ({
    title,
    shows,
    metric: `${metric}-${suffix}`,
  })
  return {
    ...tableOn(aggregate, environment, name, `Draws of one perturbation: ${metric}`),
    notes: [
      'A row has the columns that differ in their draw alone, over all seeds and temperatures, on the tasks with a pair of every draw.',
      `Change: perturbed minus clean in percentage points, mean over the draws; below 0 is a drop. ${differenceNotes.interval} ${speaksOf.tasks} It applies to these draws, not to others.`,
      'Family: the same change with a 95 % interval over other draws of the family too (t over the draws, which it takes as normal, besides the interval over tasks).',
      'Draws: sample standard deviation (n−1) of the draws’ mean changes, in points. Beyond noise: that of their true changes, by the method of moments: the variance of the means less the sampling variance of one (the mean square that draws and tasks leave, over the number of tasks), 0 where it is below.',
      'Seeds: sample standard deviation (n−1) from seed to seed of one draw’s mean change, within a temperature, root mean square over the draws. Tasks: that of the tasks’ changes, each the mean over the draws.',
      `Worst case: each task under the draw that is worst on it, then the mean over tasks, in percent. Of clean: the same over equally many clean repeats, since the lowest of several noisy scores is low by chance; none where draws shared their random numbers (runs of earlier versions). Difference: the first minus the second, with the task as the cluster; harm of the worst wording is what lies below 0.`,
      'Lowest: the draw with the lowest mean.',
      evidenceNotes.touched,
    ],
    heads: rowHeads(aggregate, 'pooled', true),
    groups: [
      {
        title: 'All draws',
        columns: [
          column('Change', 'change', 'change'),
          column('Family', 'change', 'family-change'),
          column('Number', 'count', 'draws'),
        ],
      },
      {
        title: 'Standard deviation over',
        columns: [
          column('Draws', 'error', 'deviation-over-draws'),
          column('Beyond noise', 'error', 'deviation-beyond-noise'),
          column('Seeds', 'error', 'deviation-over-seeds'),
          column('Tasks', 'error', 'deviation-over-tasks'),
        ],
      },
      {
        title: 'Worst draw',
        columns: [
          column('Worst case', 'percent', 'worst-of-draws'),
          column('Of clean', 'percent', 'worst-of-clean-repeats'),
          column('Difference', 'change', 'worst-difference'),
          column('Lowest', 'count', 'lowest-draw'),
        ],
      },
      { title: 'Evidence', columns: [{ title: 'Tasks', shows: 'count', metric: 'paired-tasks' }] },
      touchedGroup,
    ],
    rows: families.map((family) => ({
      ...nameRow(aggregate, 'pooled', {}, { model: family.model, agent: family.agent, label: family.family }),
      cells: cellsOf(family, metric),
    })),
  }
}

function cellsOf({ columns, tasks, touched, ...family }: Draws, metric: 'success' | 'progress'): Cell[] {
  const { change, ofFamily, overDraws, overSeeds, overTasks, worst, worstOfRepeats } = family[metric]
  const difference = worstOfRepeats?.difference
  return [
    { ...figure(change.mean), ...change.interval },
    ofFamily ? { ...figure(change.mean), ...ofFamily } : {},
    figure(columns.length),
    figure(overDraws?.deviation),
    figure(overDraws?.beyondNoise),
    figure(overSeeds),
    figure(overTasks),
    figure(worst?.mean),
    figure(worstOfRepeats?.mean),
    { ...figure(difference?.mean), ...difference?.interval },
    figure(worst && Number(/:draw=(\d+)/.exec(worst.lowest)?.[1] ?? 1)),
    figure(tasks),
    ...touchedCells(touched),
  ]
}
