import { nameCell as nameComparedCell, printP } from '../compare/verdict.js'
import type { Interval } from '../../statistics/intervals.js'
import { cellText } from '../../tables/table.js'
import { count } from '../../tables/words.js'
import type { Cause, CellDifference, CheckedCell, Rule, Verdict } from './check.js'

/** A difference of shares in percentage points: `-3.2`, `+0.7`. */
export function points(share: number): string {
  const text = cellText({ value: share }, { shows: 'change', title: '', metric: '' })
  return share > 0 && !/^0\.0$/.test(text) ? `+${text}` : text
}

/** A share in percent: `93.1 %`. */
export function percent(share: number): string {
  return `${cellText({ value: share }, { shows: 'percent', title: '', metric: '' })} %`
}

/** `-3.2 to +0.7`. */
function range({ low, high }: Interval): string {
  return `${points(low)} to ${points(high)}`
}

/** `household · reader · act · none`, with the baseline's names where they differ. */
export function nameCell({
  environment,
  model,
  agent,
  condition,
  was = { model, agent },
}: Pick<CheckedCell, 'environment' | 'model' | 'agent' | 'condition' | 'was'>): string {
  return nameComparedCell({
    environment,
    model: { first: was.model, second: model },
    agent: { first: was.agent, second: agent },
    condition,
  })
}

/** Verdicts as headings. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  pass: 'PASS',
  fail: 'REGRESSION',
  inconclusive: 'INCONCLUSIVE',
  broken: 'BROKEN',
}

/** The confidence of the intervals of a check: `90 %`. */
export function confidenceOf({ alpha }: Pick<Rule, 'alpha'>): string {
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

/** Why a cell has its verdict, in a sentence or two. */
export function describeCell(cell: Omit<CheckedCell, 'reason'>, rule: Rule): string {
  const { cause, difference } = cell
  if (cause !== undefined) return describeCause(cause, cell, rule)
  return difference === undefined ? 'There is nothing to judge.' : describeDifference(cell, difference, rule)
}

function describeCause(
  cause: Cause,
  { planned, coverage, errors }: Omit<CheckedCell, 'reason'>,
  { minCoverage }: Rule,
): string {
  switch (cause) {
    case 'missing':
      return 'It is in the baseline, but not in the run.'
    case 'new':
      return 'The baseline does not have it yet; update the baseline to gate on it.'
    case 'changed':
      return 'Its perturbations are not those of the baseline; update the baseline.'
    case 'unpaired':
      return planned === 0
        ? 'No temperature and seed is on both sides.'
        : `None of its ${count(planned, 'pair')} is measured on both sides.`
    case 'coverage':
      return `Of its planned episodes ${percent(coverage.baseline)} are measured in the baseline and ${percent(coverage.run)} in the run; each side needs ${percent(minCoverage)}. ${count(errors, 'episode')} of the run ended in an error.`
    case 'unchanged':
      return 'Its perturbations changed nothing on any task.'
    case 'errors':
      return `All ${count(errors, 'episode')} that were played ended in an error.`
    case 'partial':
      return 'The run is not whole.'
  }
}

/** With fewer effective tasks a reader should look at them one by one. */
const fewCarrying = 7

function describeDifference(
  { verdict, moved }: Omit<CheckedCell, 'reason'>,
  { estimate, interval, worstCase, tasks, carrying, adjusted, p }: CellDifference,
  { margin, alpha }: Rule,
): string {
  const change = `${points(estimate)} points (${confidenceOf({ alpha })} interval ${range(interval)})`
  const worse = `worse: ${change}, p ${printP(adjusted.worse)}`
  const missing =
    worstCase === undefined ? '' : ` Counting the missing pairs at their worst and best: ${range(worstCase)}.`
  const carriers = Math.max(1, Math.round(carrying))
  const few =
    carrying > 0 && carrying < fewCarrying && carrying < tasks
      ? ` About ${count(carriers, 'task')} ${carriers === 1 ? 'carries' : 'carry'} it.`
      : ''
  switch (verdict) {
    case 'pass':
      if (moved === 'worse') return `Significantly ${worse}; but by less than the margin.${missing}`
      return moved === 'better'
        ? `Better: ${change}, p ${printP(adjusted.better)}.${missing}`
        : `A drop of the margin is ruled out: ${change}.${missing}`
    case 'fail':
      return `Got ${worse}.${few}${missing}`
    default:
      if (moved === 'worse')
        return `Significantly ${worse}; whether by the margin of ${points(-margin)} is unclear.${few}${missing}`
      if (interval.low > -margin && p.noninferior >= alpha)
        return `${change}: the measured pairs rule out a drop of the margin, but the missing ones do not.${missing}`
      if (interval.high < 0 && estimate <= -margin)
        return `Looks worse: ${change}; but with this number of cells, or with so few tasks, that may be chance (p ${printP(adjusted.worse)}).${few}${missing}`
      return `${change}: a drop of the margin can neither be ruled out nor shown.${few}${missing}`
  }
}
