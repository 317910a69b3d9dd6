import type { Aggregate } from './aggregate/aggregate.js'
import type { FamilyProfile, FamilyRate } from './aggregate/schema.js'
import { speaksOf, tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import { boundedCell, evidenceNotes, isBounded, touchedCells, touchedGroup } from './tables/evidence.js'
import { figure, nameRow, rowHeads } from './tables/rows.js'
import { describeTests, differenceNotes, testCells, testColumns } from './tables/tests.js'
import type { Cell, Column, ColumnGroup, Table } from '../src/tables/table.js'

/** Every family of perturbations against the clean twin, for each model, the most harmful first. */
export default defineTableReport({
  name: 'profile',
  summary: 'clean against perturbed success of each family, its worst draw beside clean repeats, by harm',
  source: 'Worst case with an equal number of clean repeats: this testbed, after HELM (arXiv 2211.09110)',
  tables: profileTables,
})

/** One table for each environment; none for a run without a clean twin. */
function profileTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment, tasks }) => {
    const profiles = aggregate.profiles.filter((one) => one.environment === environment)
    const families = profiles.flatMap((profile) => profile.families)
    if (families.length === 0) return []
    const has = {
      draws: families.some(({ columns }) => columns.length > 1),
      worst: families.some(({ success }) => success.worst !== undefined),
      missing: isBounded(families.map(({ success }) => success)),
    }
    return {
      ...tableOn(aggregate, environment, 'profile', 'Robustness profile'),
      notes: [
        'One row a family: the conditions that differ in draw and intensity only. Families are in the order of their harm, the largest drop of success first; controls are last.',
        ...describeFamilies(families),
        `Clean and perturbed success in percent over the same pairs of task, seed and temperature, the mean of the means at each temperature where there are several; Change: perturbed minus clean in points. ${differenceNotes.interval} ${speaksOf.tasks}${has.draws ? ' It applies to these draws.' : ''} It is over tasks; no standard deviation over runs is shown.`,
        ...describeTests(
          families.map(({ tests }) => tests?.success),
          'the families of all models, agents and environments',
        ),
        ...(has.worst
          ? [
              "Worst of draws: per task the lowest of its draws' means, then the mean over tasks; Of clean: the same for equally many draws of clean-repeats, the mean over all sets of them, since the lowest of several noisy scores is low by chance. Difference: the first minus the second, with its interval over tasks.",
            ]
          : []),
        `${evidenceNotes.all} ${evidenceNotes.touched}`,
        ...(has.missing ? [evidenceNotes.missing] : []),
        ...(has.draws ? ['Lowest: the draw with the lowest mean change. It is chosen by its result.'] : []),
      ],
      heads: rowHeads(aggregate, 'pooled', true).map((head) => (head === 'Column' ? 'Family' : head)),
      groups: groupsOf(has),
      rows: profiles.flatMap(({ model, agent, families: ranked }) =>
        ranked.map((one) => ({
          ...nameRow(aggregate, 'pooled', {}, { model, agent, label: one.family }),
          cells: cellsOf(one, has, tasks),
        })),
      ),
    }
  })
}

interface Shown {
  readonly draws: boolean
  readonly worst: boolean
  readonly missing: boolean
}

/** What is special of some families, in sentences. */
function describeFamilies(families: readonly FamilyProfile[]): string[] {
  const namesOf = (isMeant: (family: FamilyProfile) => boolean): string =>
    [...new Set(families.filter(isMeant).map(({ family, intensity }) => named(family, intensity)))].join(', ')
  const graded = namesOf(({ intensity }) => intensity !== undefined)
  const adversarial = [...new Set(families.filter((one) => one.adversarial).map(({ family }) => family))].join(', ')
  return [
    ...(graded === '' ? [] : [`At the highest intensity that was played: ${graded}.`]),
    ...(adversarial === '' ? [] : [`Adversarial, and in no average: ${adversarial}.`]),
  ]
}

function named(family: string, intensity: number | undefined): string {
  return intensity === undefined ? family : `${family} ${String(intensity)}`
}

function groupsOf(has: Shown): ColumnGroup[] {
  const column = (title: string, shows: Column['shows'], metric: string): Column => ({ title, shows, metric })
  return [
    {
      title: 'Success',
      columns: [
        column('Clean', 'percent', 'success-clean'),
        column('Perturbed', 'percent', 'success-perturbed'),
        column('Change', 'change', 'success-change'),
        ...testColumns('success-'),
        ...(has.missing ? [column('If missing', 'change', 'success-change-if-missing')] : []),
      ],
    },
    ...(has.worst
      ? [
          {
            title: 'Worst of draws',
            columns: [
              column('Draws', 'percent', 'success-worst-of-draws'),
              column('Of clean', 'percent', 'success-worst-of-clean'),
              column('Difference', 'change', 'success-worst-change'),
            ],
          },
        ]
      : []),
    { title: 'Progress', columns: [column('Change', 'change', 'progress-change')] },
    {
      title: 'Evidence',
      columns: [
        ...(has.draws ? [column('Draws', 'count', 'draws'), column('Lowest', 'text', 'lowest-draw')] : []),
        column('Tasks', 'count', 'paired-tasks'),
        column('Pairs', 'coverage', 'pairs'),
      ],
    },
    touchedGroup,
  ]
}

function cellsOf(family: FamilyProfile, has: Shown, tasks: number): Cell[] {
  const { success, progress, tests, columns, lowest, pairs: valid, planned } = family
  const { worst } = success
  return [
    figure(success.clean),
    figure(success.perturbed),
    changeOf(success),
    ...testCells(tests?.success),
    ...(has.missing ? [boundedCell(success)] : []),
    ...(has.worst ? [figure(worst?.ofDraws), figure(worst?.ofClean), worst ? changeOf(worst.difference) : {}] : []),
    changeOf(progress),
    ...(has.draws ? [figure(columns.length), lowest === undefined ? {} : { text: lowest }] : []),
    figure(success.tasks),
    { valid, planned },
    ...touchedCells(family.touched, tasks),
  ]
}

function changeOf({ mean, interval }: Pick<FamilyRate, 'mean' | 'interval'>): Cell {
  return { ...figure(mean), ...interval }
}
