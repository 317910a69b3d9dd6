import type { Aggregate } from '../src/results/aggregate.js'
import type { FamilyProfile, FamilyRate, Paths, TouchedPart } from '../src/results/schema.js'
import { speaksOf, tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import { boundedCell, evidenceNotes, isBounded, touchedCells, touchedGroup } from './tables/evidence.js'
import { figure, nameRow, rowHeads } from './tables/rows.js'
import { describeTests, differenceNotes, testCells, testColumns } from './tables/tests.js'
import type { Cell, Column, ColumnGroup, Table } from '../src/tables/table.js'
import { listFirst } from '../src/tables/words.js'

/** Every family of perturbations against the clean twin, for each model, the most harmful first. */
export default defineTableReport({
  name: 'profile',
  summary: 'clean against perturbed success of each family, its worst draw beside clean repeats, by harm',
  source: 'Worst case with an equal number of clean repeats: this testbed, after HELM (arXiv 2211.09110)',
  tables: profileTables,
})

/** One table for each environment; none for a run without a clean twin. */
function profileTables(aggregate: Aggregate): Table[] {
  return [...familyTables(aggregate), ...partTables(aggregate)]
}

function familyTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const profiles = aggregate.profiles.filter((one) => one.environment === environment)
    const families = profiles.flatMap((profile) => profile.families)
    if (families.length === 0) return []
    const has = {
      draws: families.some(({ columns }) => columns.length > 1),
      worst: families.some(({ success }) => success.worst !== undefined),
      missing: isBounded(families.map(({ success }) => success)),
      paths: families.some(({ paths }) => paths !== undefined),
      beyond: families.some(({ paths }) => paths?.distance.beyond !== undefined),
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
        ...(has.paths ? describePaths(has) : []),
        ...(has.draws ? ['Lowest: the draw with the lowest mean change. It is chosen by its result.'] : []),
      ],
      heads: rowHeads(aggregate, 'pooled', true).map((head) => (head === 'Column' ? 'Family' : head)),
      groups: groupsOf(has),
      rows: profiles.flatMap(({ model, agent, families: ranked }) =>
        ranked.map((one) => ({
          ...nameRow(aggregate, 'pooled', {}, { model, agent, label: one.family }),
          cells: cellsOf(one, has),
        })),
      ),
    }
  })
}

/** Families by the part of the decision process that they change: surface beside meaning. */
function partTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const profiles = aggregate.profiles.filter((one) => one.environment === environment)
    if (profiles.every(({ parts = [] }) => parts.length === 0)) return []
    const sideColumns = (title: string, name: string): ColumnGroup => ({
      title,
      columns: [
        { title: 'Families', shows: 'count', metric: `${name}-families` },
        { title: 'Change', shows: 'change', metric: `${name}-success-change` },
        ...touchedGroup.columns.map((column) => ({
          ...column,
          title: `Touched ${column.title.toLowerCase()}`,
          metric: `${name}-${column.metric}`,
        })),
      ],
    })
    return {
      ...tableOn(aggregate, environment, 'parts', 'Surface and meaning'),
      notes: [
        'Part: what the families change of the decision process: what the agent reads (observation), what it can say (action), what actions do (transition), what is to be done (goal), which actions are listed (list). Stacks, controls and adversarial families are in none.',
        `Change of success in points, mean over the families of a side at their highest intensity. ${differenceNotes.interval} ${speaksOf.tasks}`,
        `${evidenceNotes.all} ${evidenceNotes.touched}`,
        'At equal dose: each family that changes the meaning less the condition of the same part that keeps it and has the nearest dose (between half and twice), mean over these pairs; in brackets behind a name its dose: action forms reworded, or else what was changed per step.',
      ],
      heads: rowHeads(aggregate, 'pooled', true).map((head) => (head === 'Column' ? 'Part' : head)),
      groups: [
        sideColumns('Meaning kept', 'kept'),
        sideColumns('Meaning changed', 'changed'),
        {
          title: 'At equal dose',
          columns: [
            { title: 'Difference', shows: 'change', metric: 'matched-success-change' },
            { title: 'Matched', shows: 'text', metric: 'matched' },
          ],
        },
      ],
      rows: profiles.flatMap(({ model, agent, parts = [] }) =>
        parts.map(({ touches, kept, changed, matched }) => ({
          ...nameRow(aggregate, 'pooled', {}, { model, agent, label: touches }),
          cells: [
            ...[kept, changed].flatMap((side) => [
              figure(side?.families.length),
              side ? changeOf(side.success) : {},
              ...touchedCells(side?.touched),
            ]),
            matched ? changeOf(matched.success) : {},
            matched ? { text: listFirst(matched.pairs.map(describePair), 3) } : {},
          ],
        })),
      ),
    }
  })
}

function describePair({ changed, kept, doses }: NonNullable<TouchedPart['matched']>['pairs'][number]): string {
  const [one, other] = doses.map((dose) => dose.toFixed(1))
  return `${changed} (${one!}) with ${kept} (${other!})`
}

interface Shown {
  readonly draws: boolean
  readonly worst: boolean
  readonly missing: boolean
  readonly paths: boolean
  /** Whether there are clean repeats to compare the actions with. */
  readonly beyond: boolean
}

/** What the columns of actions are, in sentences. */
function describePaths({ beyond }: Shown): string[] {
  return [
    `Actions: those of perturbed episodes against those of their clean twins, in the environment's wording. Differ at: the first step at which they differ, which is the one after the last for equal ones. Distance: the fewest insertions, deletions and replacements that make one the other, in percent of the longer one. ${beyond ? 'Of clean: the same between clean episodes and their clean repeats. Beyond: the first minus the second' : 'Both'} with the 95 % interval over tasks.`,
    ...(beyond
      ? [
          'Where twins share random numbers and clean repeats do not, a family without an effect differs later than clean repeats do.',
        ]
      : []),
  ]
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
    ...(has.paths
      ? [
          {
            title: 'Actions',
            columns: [
              column('Differ at', 'number', 'first-difference'),
              ...(has.beyond
                ? [
                    column('Of clean', 'number', 'first-difference-of-clean'),
                    column('Beyond', 'number', 'first-difference-change'),
                  ]
                : []),
              column('Distance', 'share', 'action-distance'),
              ...(has.beyond
                ? [
                    column('Of clean', 'share', 'action-distance-of-clean'),
                    column('Beyond', 'change', 'action-distance-change'),
                  ]
                : []),
            ],
          },
        ]
      : []),
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

function cellsOf(family: FamilyProfile, has: Shown): Cell[] {
  const { success, progress, paths, tests, columns, lowest, pairs: valid, planned } = family
  const { worst } = success
  return [
    figure(success.clean),
    figure(success.perturbed),
    changeOf(success),
    ...testCells(tests?.success),
    ...(has.missing ? [boundedCell(success)] : []),
    ...(has.worst ? [figure(worst?.ofDraws), figure(worst?.ofClean), worst ? changeOf(worst.difference) : {}] : []),
    changeOf(progress),
    ...(has.paths ? [...pathCells(paths?.divergence, has), ...pathCells(paths?.distance, has)] : []),
    ...(has.draws ? [figure(columns.length), lowest === undefined ? {} : { text: lowest }] : []),
    figure(success.tasks),
    { valid, planned },
    ...touchedCells(family.touched),
  ]
}

/** With clean repeats the interval is that of the difference from them. */
function pathCells(compared: Paths['distance'] | undefined, { beyond }: Shown): Cell[] {
  if (!beyond) return [compared ? changeOf(compared) : {}]
  return [figure(compared?.mean), figure(compared?.ofClean), compared?.beyond ? changeOf(compared.beyond) : {}]
}

function changeOf({ mean, interval }: Pick<FamilyRate, 'mean' | 'interval'>): Cell {
  return { ...figure(mean), ...interval }
}
