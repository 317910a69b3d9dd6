import type { Aggregate, Scope } from '../src/results/aggregate.js'
import type { Rate, Spread } from '../src/results/schema.js'
import { speaksOf, tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import type { Detail } from './tables/rows.js'
import { describeScope, figure, groupRows, groupsOn, rowHeads, scopesOf } from './tables/rows.js'
import type { Cell, ColumnGroup, Table } from '../src/tables/table.js'

/** The standard error of each score if the seeds, the tasks, or both were drawn again. */
export default defineTableReport({
  name: 'uncertainty',
  summary: 'standard errors of each score (runs, tasks, both), deviations over runs, and what episodes vary by',
  source: 'Two-way analysis of variance over tasks and seeds; ICC(1): tau-bench (arXiv 2406.12045)',
  tables: (aggregate, detail) => [...uncertaintyTables(aggregate, detail), ...varianceTables(aggregate)],
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
        'SD within T: sample standard deviation (n−1) over the seeds, within a temperature; SD of runs: over all runs, every seed at every temperature; SD between T: of the means at each temperature. All in points.',
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
        ...spreadCells(success, spread?.success),
        ...spreadCells(progress, spread?.progress),
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
      { title: 'SD within T', shows: 'error', metric: `${metric}-deviation-within-temperature` },
      { title: 'SD of runs', shows: 'error', metric: `${metric}-deviation-of-runs` },
      { title: 'SD between T', shows: 'error', metric: `${metric}-deviation-between-temperatures` },
    ],
  }
}

function spreadCells(rate: Rate, spread: Spread | undefined): Cell[] {
  const error = (of: 'overSeeds' | 'overTasks' | 'both'): Cell =>
    spread?.atMost?.includes(of) ? { high: spread[of] } : figure(spread?.[of])
  return [
    figure(rate.mean),
    error('overSeeds'),
    error('overTasks'),
    error('both'),
    figure(spread?.icc),
    figure(rate.deviation),
    figure(rate.deviationOfRuns),
    figure(rate.betweenTemperatures),
  ]
}

/** What single episodes vary by: one table for each environment; none where nothing varies. */
function varianceTables(aggregate: Aggregate): Table[] {
  return aggregate.variances.map(({ environment, success = [], progress = [] }) => {
    const sources = success.length > 0 ? success : progress
    const cells = (shares: typeof success, name: string): Cell[] => {
      const found = shares.find((one) => one.name === name)
      return [figure(found?.deviation), found ? { value: found.share, ...found.interval } : {}]
    }
    return {
      ...tableOn(aggregate, environment, 'variance', 'What episodes vary by'),
      notes: [
        'The variance of single episodes by the main effect of each source; all interactions and chance are the rest. Seeds are within a temperature, draws within a condition. Columns that promise identity and adversarial ones do not enter.',
        'SD: root of the variance component, in points (below 0 counts as 0). Share: of the sum of all components, in percent; that of the tasks with its 95 % interval by the F distribution. Other sources have none: their levels are few, and where shares are small such intervals seldom hold them.',
        `These are components of variance; there is no standard deviation over runs. ${speaksOf.tasks}`,
      ],
      heads: ['Source'],
      groups: [
        { title: 'Number', columns: [{ title: 'Levels', shows: 'count', metric: 'levels' }] },
        varianceColumns('Success', 'success'),
        varianceColumns('Progress', 'progress'),
      ],
      rows: sources.map(({ name, levels }) => ({
        heads: [name],
        model: '',
        agent: '',
        label: name,
        cells: [figure(levels), ...cells(success, name), ...cells(progress, name)],
      })),
    }
  })
}

function varianceColumns(title: string, metric: string): ColumnGroup {
  return {
    title,
    columns: [
      { title: 'SD', shows: 'error', metric: `${metric}-component` },
      { title: 'Share', shows: 'share', metric: `${metric}-variance-share` },
    ],
  }
}

/** What a bound in place of an error means, where there is one. */
function describeBounds(scopes: readonly Scope[]): string[] {
  if (!scopes.some(({ spread }) => spread?.success.atMost ?? spread?.progress.atMost)) return []
  return [
    '<: no outcome differed, which does not prove that none would; the error is below this with 95 % confidence (exact binomial bound on the share of tasks, or for Seeds of episodes, that would differ).',
  ]
}
