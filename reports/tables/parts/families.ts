import type { Aggregate } from '../../../src/results/aggregate.js'
import type { FamilyProfile, Paths } from '../../../src/results/schema.js'
import type { Cell, Table } from '../../../src/tables/table.js'
import { speaksOf, tableOn } from '../captions.js'
import { boundedCell, changeCell, evidenceNotes, touchedMeasures } from '../evidence.js'
import type { Measure, Note } from '../measured.js'
import { measure, measuredTables } from '../measured.js'
import { figure, nameRow, rowHeads } from '../rows.js'
import { describeTests, differenceNotes, testMeasures } from '../tests.js'

/** Every family of perturbations against the clean twin, for each model, the most harmful first. */
export function familyTables(aggregate: Aggregate): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const profiles = aggregate.profiles.filter((one) => one.environment === environment)
    return measuredTables(
      {
        ...tableOn(aggregate, environment, 'changes', 'Change by family', 'family'),
        heads: rowHeads(aggregate, 'pooled', true).map((head) => (head === 'Column' ? 'Family' : head)),
      },
      profiles.flatMap(({ model, agent, families }) =>
        families.map((of) => ({ row: nameRow(aggregate, 'pooled', {}, { model, agent, label: of.family }), of })),
      ),
      measures,
      notesOf(profiles.flatMap(({ families }) => families)),
    )
  })
}

const measures: readonly Measure<FamilyProfile>[] = [
  measure('Success', 'Clean', 'percent', 'success-clean', ({ success }) => figure(success.clean)),
  measure('Success', 'Perturbed', 'percent', 'success-perturbed', ({ success }) => figure(success.perturbed)),
  measure('Success', 'Change', 'change', 'success-change', ({ success }) => changeCell(success)),
  ...testMeasures<FamilyProfile>('Success', 'success-', ({ tests }) => tests?.success),
  measure('Success', 'If missing', 'change', 'success-change-if-missing', ({ success }) => boundedCell(success)),
  measure('Worst of draws', 'Draws', 'percent', 'success-worst-of-draws', ({ success }) =>
    figure(success.worst?.ofDraws),
  ),
  measure('Worst of draws', 'Of clean', 'percent', 'success-worst-of-clean', ({ success }) =>
    figure(success.worst?.ofClean),
  ),
  measure('Worst of draws', 'Difference', 'change', 'success-worst-change', ({ success }) =>
    changeCell(success.worst?.difference),
  ),
  measure('Progress', 'Change', 'change', 'progress-change', ({ progress }) => changeCell(progress)),
  ...(
    [
      ['Differ at', 'first-difference', 'divergence', 'number', 'number'],
      ['Distance', 'action-distance', 'distance', 'share', 'change'],
    ] as const
  ).flatMap(([title, metric, part, shows, showsBeyond]) => [
    measure<FamilyProfile>('Actions', title, shows, metric, ({ paths }) => pathCell(paths?.[part])),
    measure<FamilyProfile>('Actions', `${title}: of clean`, shows, `${metric}-of-clean`, ({ paths }) =>
      figure(paths?.[part].ofClean),
    ),
    measure<FamilyProfile>('Actions', `${title}: beyond`, showsBeyond, `${metric}-change`, ({ paths }) =>
      changeCell(paths?.[part].beyond),
    ),
  ]),
  measure('Evidence', 'Draws', 'count', 'draws', ({ columns }) =>
    figure(columns.length > 1 ? columns.length : undefined),
  ),
  measure('Evidence', 'Lowest', 'text', 'lowest-draw', ({ lowest }) => (lowest === undefined ? {} : { text: lowest })),
  measure('Evidence', 'Tasks', 'count', 'paired-tasks', ({ success }) => figure(success.tasks)),
  measure('Evidence', 'Pairs', 'coverage', 'pairs', ({ pairs: valid, planned }) => ({ valid, planned })),
  ...touchedMeasures<FamilyProfile>(({ touched }) => touched),
]

/** Where there are clean repeats, the interval is that of the difference from them. */
function pathCell(compared: Paths['distance'] | undefined): Cell {
  return compared?.beyond === undefined ? changeCell(compared) : figure(compared.mean)
}

function notesOf(families: readonly FamilyProfile[]): Note[] {
  const namesOf = (isMeant: (family: FamilyProfile) => boolean): string =>
    [
      ...new Set(families.filter(isMeant).map(({ family, intensity = '' }) => `${family} ${String(intensity)}`.trim())),
    ].join(', ')
  const graded = namesOf(({ intensity }) => intensity !== undefined)
  const adversarial = [...new Set(families.filter((one) => one.adversarial).map(({ family }) => family))].join(', ')
  const areDrawn = families.some(({ columns }) => columns.length > 1)
  return [
    'One row a family: the conditions that differ in draw and intensity only. Families are in the order of their harm, the largest drop of success first; controls are last.',
    ...(graded === '' ? [] : [`At the highest intensity that was played: ${graded}.`]),
    ...(adversarial === '' ? [] : [`Adversarial, and in no average: ${adversarial}.`]),
    `Clean and perturbed success in percent over the same pairs of task, seed and temperature, the mean of the means at each temperature where there are several; Change: perturbed minus clean in points. ${differenceNotes.interval} ${speaksOf.tasks}${areDrawn ? ' It applies to these draws.' : ''} It is over tasks; no standard deviation over runs is shown.`,
    ...describeTests(
      families.map(({ tests }) => tests?.success),
      'the families of all models, agents and environments',
    ),
    [
      'success-worst-of-draws',
      "Worst of draws: per task the lowest of its draws' means, then the mean over tasks; Of clean: the same for equally many draws of clean-repeats, the mean over all sets of them, since the lowest of several noisy scores is low by chance. Difference: the first minus the second, with its interval over tasks.",
    ],
    `${evidenceNotes.all} ${evidenceNotes.touched}`,
    ['success-change-if-missing', evidenceNotes.missing],
    [
      'first-difference',
      `Actions: those of perturbed episodes against those of their clean twins, in the environment's wording. Differ at: the first step at which they differ, which is the one after the last for equal ones. Distance: the fewest insertions, deletions and replacements that make one the other, in percent of the longer one. The 95 % interval is over tasks.`,
    ],
    [
      'first-difference-of-clean',
      'Of clean: the same between clean episodes and their clean repeats. Beyond: the first minus the second, with the interval. Where twins share random numbers and clean repeats do not, a family without an effect differs later than clean repeats do.',
    ],
    ['lowest-draw', 'Lowest: the draw with the lowest mean change. It is chosen by its result.'],
  ]
}
