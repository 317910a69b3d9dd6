import { figure } from '../../src/tables/table.js'
import { differenceNotes, speaksOf } from '../../src/results/statements.js'
import { pairsOf } from '../../src/define.js'
import { findGroup } from '../../src/results/find.js'
import type { Aggregate, Group } from '../../src/results/aggregate.js'
import type { KindScore } from '../../src/results/schema.js'
import { defineTableReport } from './define-report.js'
import type { Measures } from './measured.js'
import { estimate, measuredTables } from './measured.js'
import { cleanLabel, describeScope, groupsOn } from './rows.js'
import type { Cell, Table } from '../../src/tables/table.js'
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
  return measuredTables<KindRow>(aggregate, { name: 'by-kind', by: 'kind', title: 'Kinds of tasks' }, (environment) => {
    const groups = groupsOn(aggregate, environment).filter(({ kinds }) => kinds !== undefined)
    const kinds = groups[0]?.kinds?.map(({ kind }) => kind || 'no kind') ?? []
    return {
      head: 'Kind',
      rows: (kinds.length === 0 ? [] : pairsOf(aggregate)).flatMap(
        ({ model: { name: model }, agent: { name: agent } }) =>
          // The last row is over all kinds.
          [...kinds, 'all'].map((kind, place) => ({
            ...{ model, agent, kind },
            of: (label: string) => {
              const group = findGroup(aggregate, environment, model, agent, label)
              return group && scoreOf(group, place)
            },
          })),
      ),
      measures: {
        'Success rate': labels.map((label) => [label, 'percent', 'success', (of) => rateOf(of(label)), { label }]),
        Change: changed.map((label) => [
          ...([label, 'change', 'success-change'] as const),
          (of) => estimate(of(label)?.difference?.success),
          { label },
        ]),
        Evidence: [['Tasks', 'count', 'tasks', (of) => of(groups[0]!.condition)?.tasks]],
      },
      notes: [
        `Success rate in percent in each of the ${String(kinds.length)} kinds of tasks; all: over all tasks, whatever their kind.`,
        ...(changed.length === 0
          ? []
          : [
              'Change: perturbed minus clean success in percentage points over pairs of the same task, seed and temperature; every task enters.',
              `${differenceNotes.interval} ${speaksOf.tasks} It is not corrected for the number of kinds.`,
            ]),
        ...describeScope(aggregate, 'pooled'),
      ],
    }
  })
}

/** The score of a kind of tasks under a condition, by its label. */
type KindRow = (label: string) => Score | undefined

interface Score {
  readonly coverage: KindScore['coverage']
  readonly tasks: number
  readonly success?: number | undefined
  readonly difference?: { readonly success: Parameters<typeof estimate>[0] } | undefined
}

/** A group's scores on the kind of tasks at a place, on all of them behind the last. */
function scoreOf({ kinds, pooled, tasks }: Group, place: number): Score {
  const { coverage, success, difference } = pooled
  return kinds![place] ?? { coverage, success: success.mean, tasks: tasks.valid.length, difference }
}

function rateOf(score: Score | undefined): Cell {
  return { ...score?.coverage, ...figure(score?.success) }
}

const difficulties = ['easy', 'hard'] as const
type Difficulty = (typeof difficulties)[number]

/** Success and progress on easy and on hard tasks, as AgentBoard (arXiv 2401.13178) splits its results. */
function difficultyTables(aggregate: Aggregate): Table[] {
  const measuresOf = (difficulty: Difficulty): Measures<Split>[string] => [
    ['Success', 'share', `success-${difficulty}`, (of) => of[difficulty].rates[0]],
    ['Progress', 'share', `progress-${difficulty}`, (of) => of[difficulty].rates[1]],
    ['Coverage', 'coverage', `coverage-${difficulty}`, ({ [difficulty]: { valid, planned } }) => ({ valid, planned })],
  ]
  const names = { name: 'by-kind', by: 'difficulty', title: 'Easy and hard tasks' }
  return measuredTables<Split>(aggregate, names, (environment) => {
    const { tasks } = aggregate.environments.find(({ name }) => name === environment)!.panel
    const placesOf = (wanted: Difficulty): number[] =>
      tasks.flatMap(({ difficulty }, place) => (difficulty === wanted ? [place] : []))
    const [easy, hard] = difficulties.map(placesOf) as [number[], number[]]
    const known = easy.length + hard.length
    const groups = known === 0 ? [] : groupsOn(aggregate, environment)
    return {
      head: 'Condition',
      rows: groups.map((group) => ({
        ...{ model: group.model, agent: group.agent, label: group.condition },
        of: { easy: scoresOn(group, easy), hard: scoresOn(group, hard) },
      })),
      measures: { Easy: measuresOf('easy'), Hard: measuresOf('hard') },
      notes: [
        `Success and progress rate in percent on ${count(easy.length, 'easy task')} and ${count(hard.length, 'hard task')}.`,
        "A rate is the mean over tasks of each task's mean over its measurements, in brackets its 95 % interval over tasks; there is no standard deviation over runs.",
        ...(known === tasks.length ? [] : [`${count(tasks.length - known, 'task')} of unknown difficulty left out.`]),
        ...describeScope(aggregate, 'pooled'),
      ],
    }
  })
}

type Split = Readonly<Record<Difficulty, ReturnType<typeof scoresOn>>>
