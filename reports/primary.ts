import { labelWithout } from '../src/define.js'
import type { Aggregate } from '../src/results/aggregate.js'
import { describePrimary } from '../src/results/summary/primary-headline.js'
import { speaksOf, tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import { boundedCell, evidenceNotes, isBounded, touchedCells, touchedGroup } from './tables/evidence.js'
import { figure, nameRow, rowHeads } from './tables/rows.js'
import type { Table } from '../src/tables/table.js'
import { describeTests, differenceNotes, testCells, testColumns } from './tables/tests.js'
import { count, listWords } from '../src/tables/words.js'

/** The primary endpoint of a run. Every other p has a family of its own, so some are small by chance. */
export default defineTableReport({
  name: 'primary',
  summary: 'the primary endpoint: the change against the clean twin over all conditions, for each model',
  source:
    'One primary endpoint, the rest exploratory: ICH E9, Statistical Principles for Clinical Trials (1998), section 2.2.2',
  tables: primaryTables,
})

/** One table for each environment; none for a run without a primary endpoint. */
function primaryTables(aggregate: Aggregate): Table[] {
  const { primary, environments } = aggregate
  if (primary === undefined) return []
  const { metric, columns, named, comparisons } = primary
  const hasMissing = isBounded(comparisons.map(({ difference }) => difference))
  return environments.map(({ name: environment }) => ({
    ...tableOn(aggregate, environment, 'primary', 'Primary endpoint'),
    notes: [
      `${describePrimary(primary)}, ${named ? 'as the experiment names it' : 'the default where the experiment names none'}. A task's change is its mean over ${listWords(columns)}, the same tasks and conditions for every model, over every seed and temperature${columns.some((label) => labelWithout(label, 'draw') !== label) ? '; the draws of one perturbation count as one, their mean, and the interval applies to these draws' : ''}.`,
      `Perturbed minus clean in percentage points; below 0 is a drop. ${differenceNotes.interval} ${speaksOf.tasks} It is over tasks; no standard deviation over runs is shown.`,
      `${evidenceNotes.all} ${evidenceNotes.touched}`,
      ...(hasMissing ? [evidenceNotes.missing] : []),
      ...describeTests(
        comparisons,
        `${count(comparisons.length, 'comparison')} (each model${aggregate.agents.length > 1 ? ' and agent' : ''} in each environment)`,
      ),
      'Every other table of this run is exploratory.',
    ],
    heads: rowHeads(aggregate, 'pooled', false),
    groups: [
      {
        title: metric === 'success' ? 'Success' : 'Progress',
        columns: [
          { title: 'Change', shows: 'change', metric: `${metric}-change` },
          ...testColumns(`${metric}-`),
          ...(hasMissing
            ? [{ title: 'If missing', shows: 'change', metric: `${metric}-change-if-missing` } as const]
            : []),
        ],
      },
      { title: 'Evidence', columns: [{ title: 'Tasks', shows: 'count', metric: 'paired-tasks' }] },
      touchedGroup,
    ],
    rows: comparisons
      .filter((one) => one.environment === environment)
      .map(({ model, agent, touched, difference, ...test }) => ({
        ...nameRow(aggregate, 'pooled', {}, { model, agent }),
        label: columns.join(' '),
        cells: [
          { ...figure(difference.mean), ...difference.interval },
          ...testCells(test),
          ...(hasMissing ? [boundedCell(difference)] : []),
          figure(difference.tasks),
          ...touchedCells(touched),
        ],
      })),
  }))
}
