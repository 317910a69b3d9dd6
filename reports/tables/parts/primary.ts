import { figure } from '../../../src/tables/table.js'
import { describeTests, differenceNotes, speaksOf } from '../../../src/results/statements.js'
import { labelWithout } from '../../../src/define.js'
import type { Aggregate } from '../../../src/results/aggregate.js'
import type { Primary } from '../../../src/results/schema.js'
import { describePrimary } from '../../../src/results/summary/primary-headline.js'
import type { Table } from '../../../src/tables/table.js'
import { count, listWords } from '../../../src/tables/words.js'
import { tableOn } from '../captions.js'
import { boundedCell, changeCell, evidenceNotes, testMeasures, touchedMeasures } from '../evidence.js'
import { measure, measuredTables } from '../measured.js'
import { nameRow, rowHeads } from '../rows.js'

type Comparison = Primary['comparisons'][number]

/**
 * The primary endpoint of a run, for each environment. Every other p has a family of its own: some are small by chance.
 */
export function primaryTables(aggregate: Aggregate): Table[] {
  const { primary, environments } = aggregate
  if (primary === undefined) return []
  const { metric, conditions, named, comparisons } = primary
  const isDrawn = conditions.some((label) => labelWithout(label, 'draw') !== label)
  const group = metric === 'success' ? 'Success' : 'Progress'
  return environments.flatMap(({ name: environment }) =>
    measuredTables<Comparison>(
      {
        ...tableOn(aggregate, environment, 'changes', 'Primary endpoint', 'primary'),
        heads: rowHeads(aggregate, 'pooled', false),
      },
      comparisons
        .filter((one) => one.environment === environment)
        .map((of) => ({
          row: {
            ...nameRow(aggregate, 'pooled', {}, { model: of.model, agent: of.agent }),
            label: conditions.join(' '),
          },
          of,
        })),
      [
        measure(group, 'Change', 'change', `${metric}-change`, ({ difference }) => changeCell(difference)),
        ...testMeasures<Comparison>(group, `${metric}-`, (test) => test),
        measure(group, 'If missing', 'change', `${metric}-change-if-missing`, ({ difference }) =>
          boundedCell(difference),
        ),
        measure('Evidence', 'Tasks', 'count', 'paired-tasks', ({ difference }) => figure(difference.tasks)),
        ...touchedMeasures<Comparison>(({ touched }) => touched),
      ],
      [
        `${describePrimary(primary)}, ${named ? 'as the experiment names it' : 'the default where the experiment names none'}. A task's change is its mean over ${listWords(conditions)}, the same tasks and conditions for every model, over every seed and temperature${isDrawn ? '; the draws of one perturbation count as one, their mean, and the interval applies to these draws' : ''}.`,
        `Perturbed minus clean in percentage points; below 0 is a drop. ${differenceNotes.interval} ${speaksOf.tasks} It is over tasks; no standard deviation over runs is shown.`,
        `${evidenceNotes.all} ${evidenceNotes.touched}`,
        [`${metric}-change-if-missing`, evidenceNotes.missing],
        ...describeTests(
          comparisons,
          `${count(comparisons.length, 'comparison')} (each model${aggregate.agents.length > 1 ? ' and agent' : ''} in each environment)`,
        ),
        'Every other table of this run is exploratory.',
      ],
    ),
  )
}
