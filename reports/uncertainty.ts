import type { Aggregate, Scope } from './aggregate/aggregate.js'
import type { Spread } from './aggregate/schema.js'
import { tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import type { Detail } from './tables/rows.js'
import { describeScope, figure, groupRows, groupsOn, rowHeads, scopesOf } from './tables/rows.js'
import type { Cell, ColumnGroup, Table } from '../src/tables/table.js'

/** The standard error of each score if the seeds, the tasks, or both were drawn again. */
export default defineTableReport({
  name: 'uncertainty',
  summary: 'standard errors of each score: from run to run, over tasks, and both',
  source: 'Two-way analysis of variance over tasks and seeds; ICC(1): tau-bench (arXiv 2406.12045)',
  tables: uncertaintyTables,
  isInTerminal: () => false,
})

/** One table for each environment; none where no group was played with two seeds and two tasks. */
function uncertaintyTables(aggregate: Aggregate, detail: Detail): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const groups = groupsOn(aggregate, environment)
    const scopes = groups.flatMap((group) => scopesOf(aggregate, detail).map((named) => named.of(group)))
    if (scopes.every(({ spread }) => spread === undefined)) return []
    return {
      ...tableOn(aggregate, environment, 'uncertainty', 'Uncertainty'),
      notes: [
        'Mean in percent and its standard error in percentage points, from a two-way analysis of variance over tasks and seeds (components below 0 count as 0).',
        'Seeds: the error for other runs on the same tasks; Tasks: for other tasks of these kinds; Both: for both at once, the error to use for a claim about other tasks of these kinds. None of them applies to other kinds of tasks.',
        'A standard deviation over seeds alone, as in the robustness table, covers only the first of these.',
        'ICC: share of the variance between episodes that lies between tasks, 0 to 1. There is no figure with fewer than two seeds or tasks.',
        ...describeBounds(scopes),
        ...describeScope(aggregate, detail),
      ],
      heads: rowHeads(aggregate, detail, true),
      groups: [
        spreadColumns('Success', 'success'),
        spreadColumns('Progress', 'progress'),
        { title: 'Evidence', columns: [{ title: 'Coverage', shows: 'coverage', metric: 'coverage' }] },
      ],
      rows: groupRows(aggregate, detail, groups, ({ success, progress, spread, coverage }) => [
        ...spreadCells(success.mean, spread?.success),
        ...spreadCells(progress.mean, spread?.progress),
        coverage,
      ]),
    }
  })
}

function spreadColumns(title: string, metric: string): ColumnGroup {
  return {
    title,
    columns: [
      { title: 'Mean', shows: 'share', metric },
      { title: 'Seeds', shows: 'error', metric: `${metric}-error-over-seeds` },
      { title: 'Tasks', shows: 'error', metric: `${metric}-error-over-tasks` },
      { title: 'Both', shows: 'error', metric: `${metric}-error-over-both` },
      { title: 'ICC', shows: 'ratio', metric: `${metric}-icc` },
    ],
  }
}

function spreadCells(mean: number | undefined, spread: Spread | undefined): Cell[] {
  const error = (of: 'overSeeds' | 'overTasks' | 'both'): Cell =>
    spread?.atMost?.includes(of) ? { high: spread[of] } : figure(spread?.[of])
  return [figure(mean), error('overSeeds'), error('overTasks'), error('both'), figure(spread?.icc)]
}

/** What a bound in place of an error means, where there is one. */
function describeBounds(scopes: readonly Scope[]): string[] {
  if (!scopes.some(({ spread }) => spread?.success.atMost ?? spread?.progress.atMost)) return []
  return [
    '<: no outcome differed, which does not prove that none would; the error is below this with 95 % confidence (exact binomial bound on the share of tasks, or for Seeds of episodes, that would differ).',
  ]
}
