import { describeTests, differenceNotes, speaksOf } from '../../src/results/statements.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { describeAdversarial } from '../../src/results/conditions.js'
import type { FamilyProfile, TouchedPart, Draws } from '../../src/results/schema.js'
import { type Table, figure } from '../../src/tables/table.js'
import type { Measures } from './measured.js'
import { estimate, evidenceNotes, ifMissing, measuredTables, perMetric } from './measured.js'
import { testMeasures, touchedMeasures, touchedTasks } from './measured.js'

/** Every family of perturbations against the clean twin, for each model, the most harmful first. */
export function familyTables(aggregate: Aggregate): Table[] {
  return measuredTables(aggregate, {
    ...{ name: 'changes', by: 'family', title: 'Change by family', head: 'Family', measures },
    notesOf: (families) => notesOf(aggregate, families),
    rows: aggregate.profiles.flatMap((subject) => subject.families.map((of) => ({ subject, label: of.family, of }))),
  })
}

const measures: Measures<FamilyProfile> = {
  Success: [
    ['Clean', 'percent', 'success-clean', ({ success }) => success.clean],
    ['Perturbed', 'percent', 'success-perturbed', ({ success }) => success.perturbed],
    ['Change', 'change', 'success-change', ({ success }) => estimate(success)],
    ...testMeasures<FamilyProfile>('success-', ({ tests }) => tests?.success),
    ['If missing', 'change', 'success-change-if-missing', ({ success }) => ifMissing(success)],
  ],
  'Worst of draws': [
    ['Draws', 'percent', 'success-worst-of-draws', ({ success }) => success.worst?.ofDraws],
    ['Of clean', 'percent', 'success-worst-of-clean', ({ success }) => success.worst?.ofClean],
    ['Difference', 'change', 'success-worst-change', ({ success }) => estimate(success.worst?.difference)],
  ],
  Progress: [['Change', 'change', 'progress-change', ({ progress }) => estimate(progress)]],
  Actions: [
    ...pathMeasures('Differ at', 'first-difference', 'divergence', 'number', 'number'),
    ...pathMeasures('Distance', 'action-distance', 'distance', 'share', 'change'),
  ],
  Evidence: [
    ['Draws', 'count', 'draws', ({ conditions: { length } }) => (length > 1 ? length : undefined)],
    ['Lowest', 'text', 'lowest-draw', ({ lowest }) => (lowest === undefined ? {} : { text: lowest })],
    ['Tasks', 'count', 'paired-tasks', ({ success }) => success.tasks],
    ['Pairs', 'coverage', 'pairs', ({ pairs: valid, planned }) => ({ valid, planned })],
  ],
  ...touchedMeasures<FamilyProfile>(({ touched }) => touched),
}

/** What twins did; where there are clean repeats, the interval is that of the difference from them. */
function pathMeasures(
  title: string,
  metric: string,
  part: 'divergence' | 'distance',
  shows: 'number' | 'share',
  showsBeyond: 'number' | 'change',
): Measures<FamilyProfile>[string] {
  return [
    [
      ...([title, shows, metric] as const),
      ({ paths }) => (paths?.[part].beyond === undefined ? estimate(paths?.[part]) : paths[part].mean),
    ],
    [`${title}: of clean`, shows, `${metric}-of-clean`, ({ paths }) => paths?.[part].ofClean],
    [`${title}: beyond`, showsBeyond, `${metric}-change`, ({ paths }) => estimate(paths?.[part].beyond)],
  ]
}

function notesOf({ conditions }: Aggregate, families: readonly FamilyProfile[]): (string | false)[] {
  const graded = families.flatMap(({ family, intensity }) =>
    intensity === undefined ? [] : `${family} ${String(intensity)}`,
  )
  const areDrawn = families.some(({ conditions }) => conditions.length > 1)
  return [
    'One row a family: the conditions that differ in draw and intensity only. Families are in the order of their harm, the largest drop of success first; controls are last.',
    graded.length > 0 && `At the highest intensity that was played: ${[...new Set(graded)].join(', ')}.`,
    ...describeAdversarial(conditions),
    `Clean and perturbed success in percent over the same pairs of task, seed and temperature, the mean of the means at each temperature where there are several; Change: perturbed minus clean in points. ${differenceNotes.interval} ${speaksOf.tasks}${areDrawn ? ' It applies to these draws.' : ''} It is over tasks; no standard deviation over runs is shown.`,
    ...describeTests(
      families.map(({ tests }) => tests?.success),
      'the families of all models, agents and environments',
    ),
    "Worst of draws: per task the lowest of its draws' means, then the mean over tasks; Of clean: the same for equally many draws of clean-repeats, the mean over all sets of them, since the lowest of several noisy scores is low by chance. Difference: the first minus the second, with its interval over tasks.",
    `${evidenceNotes.all} ${evidenceNotes.touched}`,
    evidenceNotes.missing,
    `Actions: those of perturbed episodes against those of their clean twins, in the environment's wording. Differ at: the first step at which they differ, which is the one after the last for equal ones. Distance: the fewest insertions, deletions and replacements that make one the other, in percent of the longer one. The 95 % interval is over tasks.`,
    families.some(({ paths }) => paths?.divergence.ofClean !== undefined) &&
      'Differ at and Distance of clean are between clean episodes and their clean repeats; beyond is the first minus the second, with the interval. Where twins share random numbers and clean repeats do not, a family without an effect differs later than clean repeats do.',
    'Lowest: the draw with the lowest mean change. It is chosen by its result.',
  ]
}

/** Families by the part of the decision process that they change: surface beside meaning. */
export function partTables(aggregate: Aggregate): Table[] {
  const sideMeasures = (side: 'kept' | 'changed'): Measures<TouchedPart>[string] => [
    ['Families', 'count', `${side}-families`, (part) => part[side]?.families.length],
    ['Change', 'change', `${side}-success-change`, (part) => estimate(part[side]?.success)],
    ['Touched tasks', 'share', `${side}-touched-tasks`, (part) => touchedTasks(part[side]?.touched)],
    ['Touched steps', 'share', `${side}-touched-steps`, (part) => part[side]?.touched?.steps],
  ]
  return measuredTables(aggregate, {
    ...{ name: 'changes', by: 'part', title: 'Change by part: surface and meaning', head: 'Part' },
    rows: aggregate.profiles.flatMap((subject) =>
      (subject.parts ?? []).map((of) => ({ subject, label: of.touches, of })),
    ),
    measures: { 'Meaning kept': sideMeasures('kept'), 'Meaning changed': sideMeasures('changed') },
    notesOf: () => [
      'Part: what the families change of the decision process: what the agent reads (observation), what it can say (action), what actions do (transition), what is to be done (goal), which actions are listed (list). Stacks, controls and adversarial families are in none.',
      `Change of success in points, mean over the families of a side at their highest intensity. ${differenceNotes.interval} ${speaksOf.tasks} There is no standard deviation over runs.`,
      `${evidenceNotes.all} ${evidenceNotes.touched}`,
    ],
  })
}

/** What several draws of one perturbation have in common, and how far they lie apart. */
export function drawTables(aggregate: Aggregate): Table[] {
  return measuredTables<Draws>(aggregate, {
    ...{ name: 'changes', by: 'draws', title: 'Change by draws of one perturbation', head: 'Condition' },
    rows: aggregate.draws.map((of) => ({ subject: of, label: of.family, of })),
    measures: drawMeasures,
    notesOf: () => [
      'A row has the conditions that differ in their draw alone, over all seeds and temperatures, on the tasks with a pair of every draw.',
      `Change: perturbed minus clean in percentage points, mean over the draws; below 0 is a drop. ${differenceNotes.interval} ${speaksOf.tasks} It applies to these draws, not to others.`,
      'Family: the same change with a 95 % interval over other draws of the family too (t over the draws, which it takes as normal, besides the interval over tasks).',
      'Draws: sample standard deviation (n−1) of the draws’ mean changes, in points. Beyond noise: that of their true changes, by the method of moments: the variance of the means less the sampling variance of one (the mean square that draws and tasks leave, over the number of tasks), 0 where it is below.',
      evidenceNotes.touched,
    ],
  })
}

const drawMeasures: Measures<Draws> = {
  ...perMetric<Draws>((metric, title) => ({
    [title]: [
      ['Change', 'change', `${metric}-change`, (draws) => estimate(draws[metric].change)],
      [
        ...(['Family', 'change', `${metric}-family-change`] as const),
        ({ [metric]: { change, ofFamily } }) => (ofFamily ? { ...figure(change.mean), ...ofFamily } : {}),
      ],
    ],
    [`${title}: standard deviation over`]: [
      ['Draws', 'error', `${metric}-deviation-over-draws`, (draws) => draws[metric].overDraws?.deviation],
      ['Beyond noise', 'error', `${metric}-deviation-beyond-noise`, (draws) => draws[metric].overDraws?.beyondNoise],
    ],
  })),
  Evidence: [
    ['Draws', 'count', 'draws', ({ conditions }) => conditions.length],
    ['Tasks', 'count', 'paired-tasks', ({ tasks }) => tasks],
  ],
  ...touchedMeasures<Draws>(({ touched }) => touched),
}
