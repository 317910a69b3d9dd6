import type { Aggregate, Scope } from '../src/results/aggregate.js'
import type { Trials } from '../src/results/schema.js'
import type { Tries } from '../src/results/trials.js'
import { tries } from '../src/results/trials.js'
import { tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import { figure, groupsOn, nameRow, rowHeads } from './tables/rows.js'
import type { Cell, Column, Table } from '../src/tables/table.js'
import { count } from '../src/tables/words.js'

/**
 * Several tries at a task: the best of all seeds (AgentRefine's best of N), and the probability that one or all of k
 * tries succeed. Temperatures are never pooled.
 */
export default defineTableReport({
  name: 'best-of-n',
  summary: 'best of the seeds at each temperature, pass@k and pass^k',
  source: 'AgentRefine (arXiv 2501.01702), best of N; pass@k: arXiv 2107.03374; pass^k: tau-bench (arXiv 2406.12045)',
  tables: bestOfNTables,
  isInTerminal: () => false,
})

/** One table for each environment; none where no task has two tries: one seed, or seeds that are copies. */
function bestOfNTables(aggregate: Aggregate): Table[] {
  const n = aggregate.seeds.length
  if (n < 2) return []
  const known = tries.filter((k) => k <= n)
  const hasTries = (environment: string): boolean =>
    groupsOn(aggregate, environment).some(({ temperatures }) => temperatures.some(({ trials }) => trials !== undefined))
  const environments = aggregate.environments.filter(({ name }) => hasTries(name))
  return environments.map(({ name: environment }) => ({
    ...tableOn(aggregate, environment, 'best-of-n', `Best of ${String(n)}, pass@k and pass^k`),
    notes: [
      `Shares in percent, for each temperature alone; its ${count(n, 'seed')} are the tries at a task.`,
      `Best of ${String(n)}: per task the best of its measurements, success and progress each, then the mean over tasks; a task with none is left out.`,
      'pass@k: probability that at least one of k tries succeeds, 1 − C(n−c, k)/C(n, k); pass^k: that all k do, C(c, k)/C(n, k); n measurements of a task, c ' +
        'successes; means over tasks.',
      'The seeds serve as tries, so there is no standard deviation over them.',
      'k is at most the number under Tries: the fewest measurements of any task.',
      ...(aggregate.temperatures.includes(0)
        ? [
            'At temperature 0 tries may be copies of one play; copies count once, and there is no figure where all are copies.',
          ]
        : []),
    ],
    heads: rowHeads(aggregate, 'each-temperature', true),
    groups: [
      {
        title: `Best of ${String(n)}`,
        columns: [percent('Success', 'best-success'), percent('Progress', 'best-progress')],
      },
      { title: 'Some of k', columns: known.map((k) => percent(`pass@${String(k)}`, `pass-at-${String(k)}`)) },
      { title: 'All of k', columns: known.map((k) => percent(`pass^${String(k)}`, `pass-hat-${String(k)}`)) },
      {
        title: 'Evidence',
        columns: [
          { title: 'Tries', shows: 'count', metric: 'fewest-tries' },
          { title: 'Coverage', shows: 'coverage', metric: 'coverage' },
        ],
      },
    ],
    rows: groupsOn(aggregate, environment).flatMap(({ model, agent, column: label, temperatures }) =>
      temperatures.map(({ temperature, coverage, trials }) => ({
        ...nameRow(aggregate, 'each-temperature', { temperature }, { model, agent, label }),
        cells: [
          bestCell(trials, 'success', coverage),
          bestCell(trials, 'progress', coverage),
          ...known.map((k) => shareCell(trials?.passAt, k, coverage)),
          ...known.map((k) => shareCell(trials?.passHat, k, coverage)),
          figure(trials?.fewest),
          coverage,
        ],
      })),
    ),
  }))
}

type Coverage = Scope['coverage']

function percent(title: string, metric: string): Column {
  return { title, shows: 'percent', metric }
}

function bestCell(trials: Trials | undefined, metric: 'success' | 'progress', coverage: Coverage): Cell {
  if (trials === undefined) return coverage
  const { mean, overTasks } = trials.best[metric]
  return { ...coverage, value: mean, ...overTasks }
}

function shareCell(shares: Trials['passAt'] | undefined, k: Tries, coverage: Coverage): Cell {
  return { ...coverage, ...figure(shares?.[k]) }
}
