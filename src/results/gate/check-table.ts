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
      ['Verdict', 'text', 'verdict', verdict],
      ['p worse', 'p', 'p-worse', ({ difference }) => difference?.adjusted.worse],
    ],
    [metric === 'success' ? 'Success' : 'Progress']: [
      ['Baseline', 'percent', `baseline-${metric}`, ({ difference }) => difference?.baseline],
      ['Run', 'percent', `run-${metric}`, ({ difference }) => difference?.run],
      ['Change', 'change', `${metric}-change`, change],
    ],
    Power: [
      ['Pass if unchanged', 'percent', 'pass-unchanged', ({ power }) => power?.passUnchanged],
      ['Detectable', 'percent', 'detectable-drop', ({ power }) => power?.detectable],
    ],
    Tasks: [
      ['Pairs', 'coverage', 'pairs', pairs],
      ['Lost', 'count', 'lost-tasks', number(({ counts }) => counts.lost)],
      ['Gained', 'count', 'gained-tasks', number(({ counts }) => counts.gained)],
      ['Flaky', 'count', 'flaky-tasks', number(({ flaky }) => flaky.run)],
    ],
  }
}
