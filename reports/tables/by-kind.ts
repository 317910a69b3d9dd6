import { type Cell, type Table, figure } from '../../src/tables/table.js'
import { differenceNotes, speaksOf } from '../../src/results/statements.js'
import { pairsOf } from '../../src/define.js'
import { findGroup } from '../../src/results/find.js'
import { defined } from '../../src/results/lists.js'
import type { Aggregate, Group } from '../../src/results/aggregate.js'
import type { KindScore } from '../../src/results/schema.js'
import { defineTableReport } from './define-report.js'
import { type Measures, estimate, measuredTables } from './measured.js'
import { cleanLabel, describeScope, groupsOn } from './rows.js'
import { scoresOn } from '../../src/results/combined-scores.js'
import { count } from '../../src/tables/words.js'

/** What a perturbation does to each kind of task, which a mean over all tasks hides. */
export default defineTableReport({
  name: 'by-kind',
  summary:
    'success in each kind of task under each condition, with the change against the clean twin; on easy and on hard tasks',
  source:
    "ALFWorld's (arXiv 2010.03768) tables by kind of task; the cluster of an interval: Miller 2024 (arXiv 2411.00640)",
  tables: (aggregate) => [...kindTables(aggregate), ...difficultyTables(aggregate)],
})

/** One table for each environment whose tasks are of two kinds or more. */
function kindTables(aggregate: Aggregate): Table[] {
  const clean = cleanLabel(aggregate)
  const labels = aggregate.conditions.map(({ label }) => label)
  const changed = labels.filter((label) => clean !== undefined && label !== clean)
  return measuredTables<KindRow>(aggregate, {
    ...{ name: 'by-kind', by: 'kind', title: 'Kinds of tasks', head: 'Kind' },
    rows: aggregate.environments.flatMap(({ name }) => kindRows(aggregate, name)),
    measures: {
      'Success rate': labels.map((label) => [label, 'percent', 'success', (of) => rateOf(of.under(label)), { label }]),
      Change: changed.map((label) => [
        ...([label, 'change', 'success-change'] as const),
        (of) => estimate(of.under(label)?.difference?.success),
        { label },
      ]),
      Evidence: [['Tasks', 'count', 'tasks', ({ tasks }) => tasks]],
    },
    notesOf: ([row]) => [
      `Success rate in percent in each of the ${String(row?.kinds)} kinds of tasks; all: over all tasks, whatever their kind.`,
      changed.length > 0 &&
        'Change: perturbed minus clean success in percentage points over pairs of the same task, seed and temperature; every task enters.',
      changed.length > 0 &&
        `${differenceNotes.interval} ${speaksOf.tasks} It is not corrected for the number of kinds.`,
      ...describeScope(aggregate, 'pooled'),
    ],
  })
}

/** A kind of tasks, of so many kinds, with its number of tasks and its score under a condition, by its label. */
interface KindRow {
  readonly kinds: number
  readonly tasks: number | undefined
  under(label: string): Score | undefined
}

type Score = Pick<KindScore, 'coverage' | 'tasks' | 'success' | 'difference'>

/** A row for each kind of tasks of an environment, and a last one over all; none where there is one kind. */
function kindRows(aggregate: Aggregate, environment: string) {
  const first = groupsOn(aggregate, environment).find(({ kinds }) => kinds !== undefined)
  const kinds = first?.kinds?.map(({ kind }) => kind || 'no kind') ?? []
  return (kinds.length === 0 ? [] : pairsOf(aggregate)).flatMap(({ model: { name: model }, agent: { name: agent } }) =>
    [...kinds, 'all'].map((kind, place) => {
      const under = (label: string): Score | undefined => {
        const group = findGroup(aggregate, environment, model, agent, label)
        return group && scoreOf(group, place)
      }
      const of = { kinds: kinds.length, tasks: under(first!.condition)?.tasks, under }
      return { subject: { environment, model, agent }, kind, of }
    }),
  )
}

/** A group's scores on the kind of tasks at a place, on all of them behind the last. */
function scoreOf({ kinds, pooled, tasks }: Group, place: number): Score {
  const { coverage, success, difference } = pooled
  const all = { success: success.mean, difference }
  return kinds![place] ?? { coverage, tasks: tasks.valid.length, ...defined(all) }
}

function rateOf(score: Score | undefined): Cell {
  return { ...score?.coverage, ...figure(score?.success) }
}

const difficulties = ['easy', 'hard'] as const
type Difficulty = (typeof difficulties)[number]
type Split = Readonly<Record<Difficulty, ReturnType<typeof scoresOn>>>

/** Success and progress on easy and on hard tasks, as AgentBoard (arXiv 2401.13178) splits its results. */
function difficultyTables(aggregate: Aggregate): Table[] {
  const tasksOf = (environment: string) => aggregate.environments.find(({ name }) => name === environment)!.panel.tasks
  const placesOf = (environment: string, wanted: Difficulty): number[] =>
    tasksOf(environment).flatMap(({ difficulty }, place) => (difficulty === wanted ? [place] : []))
  const measuresOf = (difficulty: Difficulty): Measures<Split>[string] => [
    ['Success', 'share', `success-${difficulty}`, (of) => of[difficulty].rates[0]],
    ['Progress', 'share', `progress-${difficulty}`, (of) => of[difficulty].rates[1]],
    ['Coverage', 'coverage', `coverage-${difficulty}`, ({ [difficulty]: { valid, planned } }) => ({ valid, planned })],
  ]
  return measuredTables<Split>(aggregate, {
    ...{ name: 'by-kind', by: 'difficulty', title: 'Easy and hard tasks', head: 'Condition' },
    rows: aggregate.groups.flatMap((subject) => {
      const [easy, hard] = difficulties.map((wanted) => placesOf(subject.environment, wanted)) as [number[], number[]]
      const of = { easy: scoresOn(subject, easy), hard: scoresOn(subject, hard) }
      return easy.length + hard.length === 0 ? [] : { subject, label: subject.condition, of }
    }),
    measures: { Easy: measuresOf('easy'), Hard: measuresOf('hard') },
    notesOf: (_, environment) => {
      const [easy, hard] = difficulties.map((wanted) => placesOf(environment, wanted).length) as [number, number]
      const unknown = tasksOf(environment).length - easy - hard
      return [
        `Success and progress rate in percent on ${count(easy, 'easy task')} and ${count(hard, 'hard task')}.`,
        "A rate is the mean over tasks of each task's mean over its measurements, in brackets its 95 % interval over tasks; there is no standard deviation over runs.",
        unknown > 0 && `${count(unknown, 'task')} of unknown difficulty left out.`,
        ...describeScope(aggregate, 'pooled'),
      ]
    },
  })
}
