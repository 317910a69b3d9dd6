import type { Cell, Table } from '../tables/table.js'
import type { Check, CheckedCell } from './check.js'
import { describeRule, points } from './words.js'

/** A check as tables, one for each environment, which every format of a report can print. */
export function checkTables(check: Check): Table[] {
  const { rule, judged, cells, run, baseline } = check
  const environments = [...new Set(cells.map(({ environment }) => environment))]
  const metric = rule.metric === 'success' ? 'Success' : 'Progress'
  return environments.map((environment) => ({
    name: 'check',
    environment,
    title: `Check of ${environment} against its baseline`,
    notes: [
      ...describeRule(rule, judged),
      `Change in percentage points, in brackets its interval. Power at the spread of this run: the chance to pass if nothing changed, to fail at a true change of ${points(-2 * rule.margin)} points, and the smallest true drop that fails with a chance of 80 %.`,
      'Lost and gained: tasks solved in at least half of their pairs on one side alone. Flaky: tasks that were solved in some of their trials in the run, but not in all. Out: tasks in quarantine or that the column left unchanged, which do not enter the verdict.',
    ],
    origin: [
      `${run.source} (shaketable ${run.version}) against ${baseline.source} (shaketable ${baseline.version}: ${baseline.why}).`,
    ],
    heads: ['Model', 'Agent', 'Column'],
    groups: [
      {
        title: 'Gate',
        columns: [
          { title: 'Verdict', shows: 'text', metric: 'verdict' },
          { title: 'p worse', shows: 'p', metric: 'p-worse' },
        ],
      },
      {
        title: metric,
        columns: [
          { title: 'Baseline', shows: 'percent', metric: `baseline-${rule.metric}` },
          { title: 'Run', shows: 'percent', metric: `run-${rule.metric}` },
          { title: 'Change', shows: 'change', metric: `${rule.metric}-change` },
        ],
      },
      {
        title: 'Power',
        columns: [
          { title: 'Pass if equal', shows: 'percent', metric: 'power-pass' },
          { title: `Fail at ${points(-2 * rule.margin)}`, shows: 'percent', metric: 'power-fail' },
          { title: 'Detectable', shows: 'percent', metric: 'detectable-drop' },
        ],
      },
      {
        title: 'Tasks',
        columns: [
          { title: 'Pairs', shows: 'coverage', metric: 'pairs' },
          { title: 'Lost', shows: 'count', metric: 'lost-tasks' },
          { title: 'Gained', shows: 'count', metric: 'gained-tasks' },
          { title: 'Flaky', shows: 'count', metric: 'flaky-tasks' },
          { title: 'Out', shows: 'count', metric: 'tasks-out' },
        ],
      },
    ],
    rows: cells
      .filter((cell) => cell.environment === environment)
      .map((cell) => ({
        heads: [cell.model, cell.agent, cell.column],
        model: cell.model,
        agent: cell.agent,
        label: cell.column,
        cells: cellsOf(cell),
      })),
  }))
}

function cellsOf(cell: CheckedCell): Cell[] {
  const { verdict, cause, moved, difference, power, pairs, planned, counts, flaky, tasks } = cell
  const figure = (value: number | undefined): Cell => (value === undefined ? {} : { value })
  const count = (value: number): Cell => figure(tasks.length === 0 ? undefined : value)
  const words = cause ?? (moved === undefined ? undefined : moved)
  return [
    { text: words === undefined ? verdict : `${verdict} (${words})` },
    figure(difference?.adjusted.worse),
    figure(difference?.baseline),
    figure(difference?.run),
    difference === undefined ? {} : { value: difference.estimate, ...difference.interval },
    figure(power?.passIfEqual),
    figure(power?.failAtTwice),
    figure(power?.detectable),
    tasks.length === 0 ? { text: '–' } : { valid: pairs, planned },
    count(counts.lost),
    count(counts.gained),
    count(flaky.run),
    count(counts.quarantined + counts.unchanged),
  ]
}
