import { figure } from '../../../src/tables/table.js'
import { describeTests, differenceNotes, speaksOf } from '../../../src/results/statements.js'
import type { Aggregate } from '../../../src/results/aggregate.js'
import type { FamilyProfile, Paths, TouchedPart, Draws } from '../../../src/results/schema.js'
import type { Cell, Table } from '../../../src/tables/table.js'
import { boundedCell, changeCell, evidenceNotes, testMeasures, touchedMeasures, touchedTasks } from '../evidence.js'
import type { Measure, Note } from '../measured.js'
import { labelledTables, measure, perMetric } from '../measured.js'

/** Every family of perturbations against the clean twin, for each model, the most harmful first. */
export function familyTables(aggregate: Aggregate): Table[] {
  return labelledTables(
    aggregate,
    { name: 'changes', by: 'family', title: 'Change by family', head: 'Family' },
    aggregate.profiles.flatMap((subject) => subject.families.map((of) => ({ subject, label: of.family, of }))),
    measures,
    notesOf,
  )
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
  measure('Evidence', 'Draws', 'count', 'draws', ({ conditions }) =>
    figure(conditions.length > 1 ? conditions.length : undefined),
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
  const areDrawn = families.some(({ conditions }) => conditions.length > 1)
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

/** Families by the part of the decision process that they change: surface beside meaning. */
export function partTables(aggregate: Aggregate): Table[] {
  return labelledTables(
    aggregate,
    { name: 'changes', by: 'part', title: 'Change by part: surface and meaning', head: 'Part' },
    aggregate.profiles.flatMap((subject) => (subject.parts ?? []).map((of) => ({ subject, label: of.touches, of }))),
    partMeasures,
    () => [
      'Part: what the families change of the decision process: what the agent reads (observation), what it can say (action), what actions do (transition), what is to be done (goal), which actions are listed (list). Stacks, controls and adversarial families are in none.',
      `Change of success in points, mean over the families of a side at their highest intensity. ${differenceNotes.interval} ${speaksOf.tasks} There is no standard deviation over runs.`,
      `${evidenceNotes.all} ${evidenceNotes.touched}`,
    ],
  )
}

const partMeasures: readonly Measure<TouchedPart>[] = [
  ...sideMeasures('Meaning kept', 'kept'),
  ...sideMeasures('Meaning changed', 'changed'),
]

function sideMeasures(group: string, side: 'kept' | 'changed'): Measure<TouchedPart>[] {
  return [
    measure(group, 'Families', 'count', `${side}-families`, (part) => figure(part[side]?.families.length)),
    measure(group, 'Change', 'change', `${side}-success-change`, (part) => changeCell(part[side]?.success)),
    measure(group, 'Touched tasks', 'share', `${side}-touched-tasks`, (part) => touchedTasks(part[side]?.touched)),
    measure(group, 'Touched steps', 'share', `${side}-touched-steps`, (part) => figure(part[side]?.touched?.steps)),
  ]
}

/** What several draws of one perturbation have in common, and how far they lie apart. */
export function drawTables(aggregate: Aggregate): Table[] {
  return labelledTables<Draws>(
    aggregate,
    { name: 'changes', by: 'draws', title: 'Change by draws of one perturbation', head: 'Condition' },
    aggregate.draws.map((of) => ({ subject: of, label: of.family, of })),
    drawMeasures,
    () => [
      'A row has the conditions that differ in their draw alone, over all seeds and temperatures, on the tasks with a pair of every draw.',
      `Change: perturbed minus clean in percentage points, mean over the draws; below 0 is a drop. ${differenceNotes.interval} ${speaksOf.tasks} It applies to these draws, not to others.`,
      'Family: the same change with a 95 % interval over other draws of the family too (t over the draws, which it takes as normal, besides the interval over tasks).',
      'Draws: sample standard deviation (n−1) of the draws’ mean changes, in points. Beyond noise: that of their true changes, by the method of moments: the variance of the means less the sampling variance of one (the mean square that draws and tasks leave, over the number of tasks), 0 where it is below.',
      'Seeds: sample standard deviation (n−1) from seed to seed of one draw’s mean change, within a temperature, root mean square over the draws. Tasks: that of the tasks’ changes, each the mean over the draws.',
      evidenceNotes.touched,
    ],
  )
}

const drawMeasures: readonly Measure<Draws>[] = [
  ...perMetric<Draws>((metric, title) => {
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
  measure('Evidence', 'Draws', 'count', 'draws', ({ conditions }) => figure(conditions.length)),
  measure('Evidence', 'Tasks', 'count', 'paired-tasks', ({ tasks }) => figure(tasks)),
  ...touchedMeasures<Draws>(({ touched }) => touched),
]
