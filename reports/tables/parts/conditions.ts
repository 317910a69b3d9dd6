import type { Aggregate, Group } from '../../../src/results/aggregate.js'
import type { Difference } from '../../../src/results/schema.js'
import { mean } from '../../../src/statistics/index.js'
import type { Table } from '../../../src/tables/table.js'
import { speaksOf, tableOn } from '../captions.js'
import { boundedCell, changeCell, evidenceNotes, touchedMeasures } from '../evidence.js'
import type { Measure } from '../measured.js'
import { measure, measuredTables } from '../measured.js'
import type { Detail } from '../rows.js'
import { cleanLabel, comparedGroups, describeScope, figure, findGroup, nameRow, rowHeads, scopesOf } from '../rows.js'
import { describeTests, differenceNotes, testMeasures } from '../tests.js'

/** A condition against its clean twin, at one temperature or over all. */
interface Compared {
  readonly difference: Difference
  readonly flipped?: number
  readonly flippedOfClean?: number
}

const metrics = ['success', 'progress'] as const

/** The change under each condition against the clean twin, with the tasks lost and gained, which a mean hides. */
export function conditionTables(aggregate: Aggregate, detail: Detail): Table[] {
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
      compared.flatMap((group) =>
        scopesOf(aggregate, detail).map((named) => ({
          row: nameRow(aggregate, detail, named, { model: group.model, agent: group.agent, label: group.column }),
          of: { difference: named.of(group).difference!, ...flipsOf(aggregate, group, named.temperature) },
        })),
      ),
      measures,
      [
        'Perturbed minus clean in percentage points; below 0 is a drop.',
        `Pairs are of the same task, seed and temperature. ${differenceNotes.interval}`,
        ...describeTests(tests, 'the columns of one model and agent (each at 5 %)'),
        'Drop rate: 1 − perturbed/clean in percent, the share of the clean score that is lost, with its 95 % interval: the rates that the same test does not reject. None where the clean score is 0, and no interval where 0 is not ruled out.',
        `Intervals are over tasks; no standard deviation over runs is shown. ${speaksOf.tasks}`,
        `${evidenceNotes.all} ${evidenceNotes.touched}`,
        ['success-change-if-missing', evidenceNotes.missing],
        'Pairs by their outcomes. Lost: success in the clean twin only; Gained: under the perturbation only; Both, Neither: in both, in neither. ' +
          'Flipped: lost and gained, in percent of all pairs, over several temperatures the mean of the shares at each.',
        [
          'flipped-clean-repeats',
          'Clean repeats: the same for pairs of clean runs at two seeds, which is how many flip without a perturbation. A column that promises identity does not measure that where a server repeats its replies to a seed.',
        ],
        ...describeScope(aggregate, detail),
      ],
    )
  })
}

const measures: readonly Measure<Compared>[] = [
  ...metrics.flatMap((metric) => {
    const title = metric === 'success' ? 'Success' : 'Progress'
    return [
      measure<Compared>(title, 'Change', 'change', `${metric}-change`, ({ difference }) => ({
        valid: difference.pairs,
        planned: difference.planned,
        ...changeCell(difference[metric]),
      })),
      ...testMeasures<Compared>(title, `${metric}-`, ({ difference }) => difference.tests?.[metric]),
      measure<Compared>(title, 'Drop rate', 'share', `${metric}-drop-rate`, ({ difference: { dropRate } }) => ({
        ...figure(dropRate[metric]?.value),
        ...dropRate[metric]?.interval,
      })),
      measure<Compared>(title, 'If missing', 'change', `${metric}-change-if-missing`, ({ difference }) =>
        boundedCell(difference[metric]),
      ),
    ]
  }),
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

/**
 * The share of pairs that flipped, and of two clean tries at a task of which exactly one succeeds: pass@2 − pass^2.
 * Temperatures weigh the same.
 */
function flipsOf(
  aggregate: Aggregate,
  group: Group,
  temperature: number | undefined,
): Pick<Compared, 'flipped' | 'flippedOfClean'> {
  const isMeant = (one: { readonly temperature: number }): boolean => [undefined, one.temperature].includes(temperature)
  const flipped = mean(
    group.temperatures.filter(isMeant).flatMap(({ difference }) => {
      const { flips, pairs } = difference!
      return pairs === 0 ? [] : [(flips.lost + flips.gained) / pairs]
    }),
  )
  const clean = cleanLabel(aggregate)
  const twin =
    clean === undefined ? undefined : findGroup(aggregate, group.environment, group.model, group.agent, clean)
  const flippedOfClean = mean(
    (twin?.temperatures.filter(isMeant) ?? []).map(({ trials }) =>
      trials?.passAt[2] === undefined ? NaN : trials.passAt[2] - trials.passHat[2]!,
    ),
  )
  return {
    ...(flipped !== undefined && { flipped }),
    ...(flippedOfClean !== undefined && { flippedOfClean }),
  }
}
