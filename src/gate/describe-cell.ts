import { count } from '../tables/words.js'
import type { Cause, CellDifference, CellVerdict, CheckedCell, Rule } from './check.js'
import { chance, percent, points, range } from './words.js'

/** Says in a sentence or two why a cell has its verdict. */
export function describeCell(cell: Omit<CheckedCell, 'reason'>, rule: Rule): string {
  const { verdict, cause, moved, difference } = cell
  if (cause !== undefined) return describeCause(cause, cell, rule)
  return difference === undefined ? 'There is nothing to judge.' : describeDifference(verdict, moved, difference, rule)
}

function describeCause(
  cause: Cause,
  { passes, byTask, planned, coverage, errors }: Omit<CheckedCell, 'reason'>,
  { minCoverage }: Rule,
): string {
  const asked = count(planned, byTask === undefined ? 'pair' : 'episode')
  switch (cause) {
    case 'missing':
      return 'The baseline has it, the run has not.'
    case 'new':
      return 'The baseline does not have it yet; update the baseline to gate on it.'
    case 'changed':
      return 'Its perturbations are not those that the baseline was played with; update the baseline.'
    case 'unpaired':
      return passes === 0 ? 'No temperature is on both sides.' : `None of its ${asked} is measured on both sides.`
    case 'coverage':
      return `Of its planned episodes ${percent(coverage.baseline)} are measured in the baseline and ${percent(coverage.run)} in the run; each side needs ${percent(minCoverage)}. ${count(errors, 'episode')} of the run ended in an error.`
    case 'unchanged':
      return 'Its perturbations changed nothing on any task.'
    case 'quarantined':
      return 'Every task that it could be judged by is in quarantine.'
    case 'errors':
      return `All ${count(errors, 'episode')} that were played ended in an error.`
    case 'partial':
      return 'The run is not whole.'
  }
}

function describeDifference(
  verdict: CellVerdict,
  moved: CheckedCell['moved'],
  { estimate, interval, worstCase, tasks, carrying, adjusted, p }: CellDifference,
  { margin, alpha, strict }: Rule,
): string {
  const change = `${points(estimate)} points (${range(interval)})`
  const worse = `worse: ${change}, p ${chance(adjusted.worse)}`
  const missing =
    worstCase === undefined ? '' : ` Counting the missing pairs at their worst and best: ${range(worstCase)}.`
  const few = carrying > 0 && carrying < fewCarrying && carrying < tasks ? ` About ${carriers(carrying)} it.` : ''
  switch (verdict) {
    case 'pass':
      if (moved === 'worse') return `Significantly ${worse}; but by less than the margin.${missing}`
      return moved === 'better'
        ? `Better: ${change}, p ${chance(adjusted.better)}.${missing}`
        : `A drop of the margin is ruled out: ${change}.${missing}`
    case 'fail':
      return `Got ${worse}${strict ? `, below the margin with p ${chance(adjusted.beyond)}` : ''}.${few}${missing}`
    default:
      if (moved === 'worse')
        return `Significantly ${worse}; whether by the margin of ${points(-margin)} cannot be told.${few}${missing}`
      if (interval.low > -margin && p.noninferior >= alpha)
        return `${change}: the measured pairs rule a drop of the margin out, but it could hide in the missing ones.${missing}`
      if (interval.high < 0 && estimate <= -margin)
        return `Looks worse: ${change}; but with so many cells, or so few tasks, that may be chance (p ${chance(adjusted.worse)}).${few}${missing}`
      return `${change}: a drop of the margin can neither be ruled out nor shown.${few}${missing}`
  }
}

/** Below so many effective tasks a reader should look at them one by one. */
const fewCarrying = 7

function carriers(carrying: number): string {
  const tasks = Math.max(1, Math.round(carrying))
  return tasks === 1 ? '1 task carries' : `${String(tasks)} tasks carry`
}
