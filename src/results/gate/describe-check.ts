import { type CellColumns, cellTables, nameCell } from '../compare/cell-tables.js'
import { describePassUnchanged } from '../compare/pass-unchanged.js'
import { percent, points, pValue } from '../summary/figures.js'
import type { Interval } from '../../statistics/intervals.js'
import type { Table } from '../../tables/table.js'
import { count } from '../../tables/words.js'
import type { CellDifference, Check, CheckedCell, Rule, Verdict } from './check.js'

/** Verdicts as headings. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  pass: 'PASS',
  fail: 'REGRESSION',
  inconclusive: 'INCONCLUSIVE',
  broken: 'BROKEN',
}

/** A cell with its names on both sides. */
function withNames<Cell extends Pick<CheckedCell, 'model' | 'agent' | 'was'>>(cell: Cell) {
  const { model, agent, was = { model, agent } } = cell
  return { ...cell, model: { first: was.model, second: model }, agent: { first: was.agent, second: agent } }
}

/** `household · reader → parrot · act · none`: with the baseline's names where they differ. */
export function nameCheckedCell(
  cell: Pick<CheckedCell, 'environment' | 'model' | 'agent' | 'condition' | 'was'>,
): string {
  return nameCell(withNames(cell))
}

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
  return cellTables(cells.map(withNames), columnsFor(rule), describe, true)
}

type Shown = ReturnType<typeof withNames<CheckedCell>>

function columnsFor({ metric }: Rule): CellColumns<Shown> {
  const verdict = ({ verdict, cause, moved }: Shown) => {
    const detail = cause ?? moved
    return { text: detail === undefined ? verdict : `${verdict} (${detail})` }
  }
  const change = ({ difference }: Shown) => difference && { value: difference.estimate, ...difference.interval }
  const pairs = ({ tasks, pairs, planned }: Shown) => (tasks.length === 0 ? { text: '–' } : { valid: pairs, planned })
  /** A number of tasks; a dash for a cell that one side does not have. */
  const number = (isCounted: (task: CheckedCell['tasks'][number]) => boolean) => (cell: Shown) =>
    cell.tasks.length === 0 ? undefined : cell.tasks.filter(isCounted).length
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
      ['Lost', 'count', 'lost-tasks', number(({ state }) => state === 'lost')],
      ['Gained', 'count', 'gained-tasks', number(({ state }) => state === 'gained')],
      ['Flaky', 'count', 'flaky-tasks', number(({ run }) => run.successes > 0 && run.successes < run.measured)],
    ],
  }
}

/** The confidence of the intervals of a check: `90 %`. */
function confidenceOf({ alpha }: Pick<Rule, 'alpha'>): string {
  return `${String(Number((100 * (1 - 2 * alpha)).toFixed(2)))} %`
}

/** The rule in sentences. */
export function describeRule({ metric, margin, alpha, minCoverage }: Rule, judged: number): string[] {
  const corrected = judged > 1 ? `, Holm-corrected for ${count(judged, 'cell')}` : ''
  return [
    `A cell is an environment, model, agent and condition over all tasks and temperatures that both sides have; ${metric} is paired by task, temperature and seed; the task is the cluster.`,
    `Pass: the lower end of the ${confidenceOf({ alpha })} interval of the change is above ${points(-margin)} points. ` +
      `Regression: significantly below 0 and ${points(-margin)} points or worse (one-sided p at most ${String(Number(alpha.toPrecision(3)))}${corrected}). ` +
      `Otherwise it is inconclusive. A verdict holds whatever the outcomes of missing episodes; at least ${percent(minCoverage)} of a cell's episodes have to be measured on each side.`,
  ]
}

/** The result in sentences, the verdict last. */
export function describeResult(check: Check): string[] {
  const { judged, rule, run, baseline } = check
  return [
    ...(judged === 0 ? [] : [describePassUnchanged(check.passUnchanged, judged, rule.margin)]),
    ...describeAge(baseline.played, run.played),
    ...(run.took === undefined ? [] : [`The run took ${run.took}.`]),
    `${verdictWords[check.verdict]} (exit code ${String(check.code)}): ${check.reasons.join(' ')}`,
  ]
}

/** How old the baseline is, where models behind servers played both; control models play alike on any day. */
function describeAge(before: string | undefined, after: string | undefined): string[] {
  if (before === undefined || after === undefined) return []
  const days = Math.round((Date.parse(after) - Date.parse(before)) / 86_400_000)
  const age = days === 0 ? 'the same day' : `${count(Math.abs(days), 'day')} ${days > 0 ? 'before' : 'after'} the run`
  return [`The baseline was played on ${before}, ${age}.`]
}

const maxTasks = 10

/** Cells that did not pass or moved, with their verdict, its reason, and the tasks that they lost, a line each. */
export function describeCells({ cells }: Check): string[] {
  return cells
    .filter(({ verdict, moved }) => verdict !== 'pass' || moved !== undefined)
    .flatMap((cell) => {
      const { tasks, verdict, reason } = cell
      const states = verdict === 'fail' ? ['lost', 'broken'] : ['broken']
      const matching = tasks.filter(({ state }) => states.includes(state))
      const shown = matching.slice(0, maxTasks).map(({ id, state, baseline, run }) => {
        const [before, after] = [baseline, run].map((side) => `${String(side.successes)}/${String(side.measured)}`)
        return `  ${state} ${id}: ${before!} → ${after!}`
      })
      const left = matching.length - shown.length
      const more = left > 0 ? [`  … and ${String(left)} more`] : []
      return [`${nameCheckedCell(cell)}: ${verdict}. ${reason}`, ...shown, ...more]
    })
}

type Judged = Omit<CheckedCell, 'reason' | 'power'>

/** Why a cell has its verdict, in a sentence or two. */
export function explainCell(cell: Judged, rule: Rule): string {
  const { cause, planned, coverage, errors } = cell
  if (cause === undefined) return explainDifference(cell, cell.difference!, rule)
  const noPair = 'No temperature and seed is on both sides.'
  const sentences: Readonly<Record<typeof cause, string>> = {
    missing: 'It is in the baseline, but not in the run.',
    new: 'The baseline does not have it yet; update the baseline to gate on it.',
    changed: 'Its perturbations are not those of the baseline; update the baseline.',
    unpaired: planned === 0 ? noPair : `None of its ${count(planned, 'pair')} is measured on both sides.`,
    coverage: `Of its planned episodes ${percent(coverage.baseline)} are measured in the baseline and ${percent(coverage.run)} in the run; each side needs ${percent(rule.minCoverage)}. ${count(errors, 'episode')} of the run ended in an error.`,
    unchanged: 'Its perturbations changed nothing on any task.',
    errors: `All ${count(errors, 'episode')} that were played ended in an error.`,
  }
  return sentences[cause]
}

function explainDifference(
  { verdict, moved }: Judged,
  { estimate, interval, worstCase, adjusted, p }: CellDifference,
  { margin, alpha }: Rule,
): string {
  const range = ({ low, high }: Interval): string => `${points(low)} to ${points(high)}`
  const change = `${points(estimate)} points (${confidenceOf({ alpha })} interval ${range(interval)})`
  const worse = `worse: ${change}, ${pValue(adjusted.worse)}`
  const sentence = (): string => {
    if (verdict === 'fail') return `Got ${worse}.`
    if (verdict === 'pass') {
      if (moved === 'worse') return `Significantly ${worse}; but by less than the margin.`
      if (moved === 'better') return `Better: ${change}, ${pValue(adjusted.better)}.`
      return `A drop of the margin is ruled out: ${change}.`
    }
    if (moved === 'worse') return `Significantly ${worse}; whether by the margin of ${points(-margin)} is unclear.`
    if (interval.low > -margin && p.noninferior >= alpha)
      return `${change}: the measured pairs rule out a drop of the margin, but the missing ones do not.`
    if (interval.high < 0 && estimate <= -margin)
      return `Looks worse: ${change}; but with this number of cells, or with so few tasks, that may be chance (${pValue(adjusted.worse)}).`
    return `${change}: a drop of the margin can neither be ruled out nor shown.`
  }
  const missing = worstCase && ` Counting the missing pairs at their worst and best: ${range(worstCase)}.`
  return `${sentence()}${missing ?? ''}`
}
