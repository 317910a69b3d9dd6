import { findGroup } from '../../../src/results/find.js'
import { figure } from '../../../src/tables/table.js'
import { describeTests, differenceNotes, speaksOf } from '../../../src/results/statements.js'
import type { Aggregate } from '../../../src/results/aggregate.js'
import { flippedShares } from '../../../src/results/differences.js'
import type { Difference } from '../../../src/results/schema.js'
import type { Table } from '../../../src/tables/table.js'
import { tableOn } from '../captions.js'
import { boundedCell, changeCell, evidenceNotes, testMeasures, touchedMeasures } from '../evidence.js'
import type { Measure } from '../measured.js'
import { measure, measuredTables, perMetric, ratioCell } from '../measured.js'
import type { Detail } from '../rows.js'
import { cleanLabel, comparedGroups, describeScope, nameRow, rowHeads, scopesOf } from '../rows.js'

/** A condition against its clean twin, at one temperature or over all. */
type Compared = ReturnType<typeof flippedShares> & { readonly difference: Difference }

const metrics = ['success', 'progress'] as const

/** The change under each condition against the clean twin, with the tasks lost and gained, which a mean hides. */
export function conditionTables(aggregate: Aggregate, detail: Detail): Table[] {
  const clean = cleanLabel(aggregate)
  return aggregate.environments.flatMap(({ name: environment }) => {
    const compared = comparedGroups(aggregate, environment)
    const tests = compared.flatMap(({ pooled, temperatures }) =>
      [pooled, ...temperatures].flatMap(({ difference }) => metrics.map((metric) => difference?.tests?.[metric])),
    )
    return measuredTables(
      {
        ...tableOn(aggregate, environment, 'changes', 'Change by condition, against the clean twin', 'condition'),
        heads: rowHeads(aggregate, detail, true),
      },
      compared.flatMap((group) => {
        const twin = findGroup(aggregate, environment, group.model, group.agent, clean!)
        return scopesOf(aggregate, detail).map((named) => ({
          row: nameRow(aggregate, detail, named, { model: group.model, agent: group.agent, label: group.condition }),
          of: { difference: named.of(group).difference!, ...flippedShares(group, twin, named.temperature) },
        }))
      }),
      measures,
      [
        'Perturbed minus clean in percentage points; below 0 is a drop.',
        `Pairs are of the same task, seed and temperature. ${differenceNotes.interval}`,
        ...describeTests(tests, 'the conditions of one model and agent (each at 5 %)'),
        'Drop rate: 1 − perturbed/clean in percent, the share of the clean score that is lost, with its 95 % interval: the rates that the same test does not reject. None where the clean score is 0, and no interval where 0 is not ruled out.',
        `Intervals are over tasks; no standard deviation over runs is shown. ${speaksOf.tasks}`,
        `${evidenceNotes.all} ${evidenceNotes.touched}`,
        ['success-change-if-missing', evidenceNotes.missing],
        'Pairs by their outcomes. Lost: success in the clean twin only; Gained: under the perturbation only; Both, Neither: in both, in neither. ' +
          'Flipped: lost and gained, in percent of all pairs, over several temperatures the mean of the shares at each.',
        [
          'flipped-clean-repeats',
          'Clean repeats: the same for pairs of clean runs at two seeds, which is how many flip without a perturbation. A condition that promises identity does not measure that where a server repeats its replies to a seed.',
        ],
        ...describeScope(aggregate, detail),
      ],
    )
  })
}

const measures: readonly Measure<Compared>[] = [
  ...perMetric<Compared>((metric, title) => [
    measure(title, 'Change', 'change', `${metric}-change`, ({ difference }) => ({
      valid: difference.pairs,
      planned: difference.planned,
      ...changeCell(difference[metric]),
    })),
    ...testMeasures<Compared>(title, `${metric}-`, ({ difference }) => difference.tests?.[metric]),
    measure(title, 'Drop rate', 'share', `${metric}-drop-rate`, ({ difference }) =>
      ratioCell(difference.dropRate[metric]),
    ),
    measure(title, 'If missing', 'change', `${metric}-change-if-missing`, ({ difference }) =>
      boundedCell(difference[metric]),
    ),
  ]),
  ...(['Lost', 'Gained', 'Both', 'Neither'] as const).map((title) => {
    const outcome = title.toLowerCase() as Lowercase<typeof title>
    return measure<Compared>('Flips', title, 'count', outcome, ({ difference }) => figure(difference.flips[outcome]))
  }),
  measure('Flips', 'Flipped', 'share', 'flipped', ({ flipped }) => figure(flipped)),
  measure('Flips', 'Clean repeats', 'share', 'flipped-clean-repeats', ({ flippedOfClean }) => figure(flippedOfClean)),
  measure('Evidence', 'Tasks', 'count', 'paired-tasks', ({ difference }) => figure(difference.success.tasks)),
  measure('Evidence', 'Pairs', 'coverage', 'pairs', ({ difference }) => ({
    valid: difference.pairs,
    planned: difference.planned,
  })),
  ...touchedMeasures<Compared>(({ difference }) => difference.touched),
]
