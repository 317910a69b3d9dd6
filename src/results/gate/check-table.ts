import type { CellColumns } from '../compare/cell-tables.js'
import { cellTables } from '../compare/cell-tables.js'
import type { Table } from '../../tables/table.js'
import type { Check, CheckedCell, Rule } from './check.js'
import { confidenceOf, describeRule } from './words.js'

/** A check as tables, one for each environment, which every format of a report can print. */
export function checkTables({ rule, judged, cells, run, baseline }: Check): Table[] {
  const describe = (environment: string) => ({
    name: 'check',
    title: `Check of ${environment} against its baseline`,
    notes: [
      ...describeRule(rule, judged),
      `Change in percentage points, in brackets its ${confidenceOf(rule)} interval. Power: the probability to pass if nothing changed (at the spread of repeats), and the smallest true drop that fails with a probability of 80 %.`,
      'Lost and gained: tasks solved in at least half of their pairs on one side alone. Flaky: tasks that were solved in some of their trials in the run, but not in all. Over several temperatures a figure is the mean of the means at each.',
    ],
    origin: [
      `${run.source} (shaketable ${run.version}) against ${baseline.source} (shaketable ${baseline.version}: ${baseline.why}).`,
    ],
  })
  return cellTables(cells, columnsFor(rule), describe, true)
}

function columnsFor({ metric }: Rule): CellColumns<CheckedCell> {
  const verdict = ({ verdict, cause, moved }: CheckedCell) => {
    const detail = cause ?? moved
    return { text: detail === undefined ? verdict : `${verdict} (${detail})` }
  }
  const change = ({ difference }: CheckedCell) => difference && { value: difference.estimate, ...difference.interval }
  const pairs = ({ tasks, pairs, planned }: CheckedCell) =>
    tasks.length === 0 ? { text: '–' } : { valid: pairs, planned }
  /** A number of tasks; a dash for a cell that one side does not have. */
  const number = (count: (cell: CheckedCell) => number) => (cell: CheckedCell) =>
    cell.tasks.length === 0 ? undefined : count(cell)
  return {
    Gate: [
      { title: 'Verdict', shows: 'text', metric: 'verdict', of: verdict },
      { title: 'p worse', shows: 'p', metric: 'p-worse', of: ({ difference }) => difference?.adjusted.worse },
    ],
    [metric === 'success' ? 'Success' : 'Progress']: [
      { title: 'Baseline', shows: 'percent', metric: `baseline-${metric}`, of: (cell) => cell.difference?.baseline },
      { title: 'Run', shows: 'percent', metric: `run-${metric}`, of: (cell) => cell.difference?.run },
      { title: 'Change', shows: 'change', metric: `${metric}-change`, of: change },
    ],
    Power: [
      {
        title: 'Pass if unchanged',
        shows: 'percent',
        metric: 'pass-unchanged',
        of: ({ power }) => power?.passUnchanged,
      },
      { title: 'Detectable', shows: 'percent', metric: 'detectable-drop', of: ({ power }) => power?.detectable },
    ],
    Tasks: [
      { title: 'Pairs', shows: 'coverage', metric: 'pairs', of: pairs },
      { title: 'Lost', shows: 'count', metric: 'lost-tasks', of: number(({ counts }) => counts.lost) },
      { title: 'Gained', shows: 'count', metric: 'gained-tasks', of: number(({ counts }) => counts.gained) },
      { title: 'Flaky', shows: 'count', metric: 'flaky-tasks', of: number(({ flaky }) => flaky.run) },
    ],
  }
}
