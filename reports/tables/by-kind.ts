import { figure } from '../../src/tables/table.js'
import { differenceNotes, speaksOf } from '../../src/results/statements.js'
import { pairsOf } from '../../src/define.js'
import { findGroup } from '../../src/results/find.js'
import type { Aggregate, Group } from '../../src/results/aggregate.js'
import type { KindScore } from '../../src/results/schema.js'
import { tableOn } from './captions.js'
import { defineTableReport } from './define-report.js'
import type { Measures } from './measured.js'
import { estimate, measuredTables } from './measured.js'
import { cleanLabel, describeScope, groupsOn, nameRow, rowHeads } from './rows.js'
import type { Cell, Column, ColumnGroup, Table } from '../../src/tables/table.js'
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
  // More than ten kinds do not fit a screen. One row is over all kinds.
  inTerminal: ({ by, rows }) => by === 'kind' && new Set(rows.map(({ kind }) => kind)).size - 1 <= 10,
})

/** One table for each environment whose tasks are of two kinds or more. */
function kindTables(aggregate: Aggregate): Table[] {
  const clean = cleanLabel(aggregate)
  const labels = aggregate.conditions.map(({ label }) => label)
  const changed = labels.filter((label) => clean !== undefined && label !== clean)
  return aggregate.environments.flatMap(({ name: environment }) => {
    const groups = groupsOn(aggregate, environment).filter(({ kinds }) => kinds !== undefined)
    const names = groups[0]?.kinds?.map(({ kind }) => kind) ?? []
    if (names.length === 0) return []
    return {
      ...tableOn(aggregate, environment, 'by-kind', 'Kinds of tasks', 'kind'),
      notes: [
        `Success rate in percent in each of the ${String(names.length)} kinds of tasks; all: over all tasks, whatever their kind.`,
        ...(changed.length === 0
          ? []
          : [
              'Change: perturbed minus clean success in percentage points over pairs of the same task, seed and temperature; every task enters.',
              `${differenceNotes.interval} ${speaksOf.tasks} It is not corrected for the number of kinds.`,
            ]),
        ...describeScope(aggregate, 'pooled'),
      ],
      heads: [...rowHeads(aggregate, 'pooled', false), 'Kind'],
      groups: [
        columnsFor('Success rate', labels, 'percent', 'success'),
        columnsFor('Change', changed, 'change', 'success-change'),
        { title: 'Evidence', columns: [{ title: 'Tasks', shows: 'count' as const, metric: 'tasks' }] },
      ].filter(({ columns }) => columns.length > 0),
      rows: pairsOf(aggregate).flatMap(({ model: { name: model }, agent: { name: agent } }) =>
        // The last row is over all kinds.
        [...names.keys(), undefined].map((place) => {
          const row = nameRow(aggregate, 'pooled', {}, { model, agent })
          const kind = place === undefined ? 'all' : names[place] || 'no kind'
          const cellsOf = (some: readonly string[], cellOf: (score: Score) => Cell): Cell[] =>
            some.map((label) => {
              const group = findGroup(aggregate, environment, model, agent, label)
              return group === undefined ? {} : cellOf(scoreOf(group, place))
            })
          return {
            ...row,
            heads: [...row.heads, kind],
            kind,
            cells: [
              ...cellsOf(labels, ({ coverage, success }) => ({ ...coverage, ...figure(success) })),
              ...cellsOf(changed, ({ difference }) => estimate(difference?.success)),
              figure(scoreOf(groups[0]!, place).tasks),
            ],
          }
        }),
      ),
    }
  })
}

function columnsFor(title: string, labels: readonly string[], shows: Column['shows'], metric: string): ColumnGroup {
  return { title, columns: labels.map((label) => ({ title: label, label, shows, metric })) }
}

interface Score {
  readonly coverage: KindScore['coverage']
  readonly tasks: number
  readonly success?: number | undefined
  readonly difference?: { readonly success: Parameters<typeof estimate>[0] } | undefined
}

/** A group's scores on a kind of tasks, on all of them without a place. */
function scoreOf({ kinds, pooled, tasks }: Group, place: number | undefined): Score {
  if (place !== undefined) return kinds![place]!
  const { coverage, success, difference } = pooled
  return { coverage, success: success.mean, tasks: tasks.valid.length, difference }
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
    return {
      heads: rowHeads(aggregate, 'pooled', true),
      rows: (known === 0 ? [] : groupsOn(aggregate, environment)).map((group) => ({
        row: nameRow(aggregate, 'pooled', {}, { model: group.model, agent: group.agent, label: group.condition }),
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
