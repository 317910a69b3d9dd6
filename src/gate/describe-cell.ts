import { count } from '../../reports/words.js'
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
  { passes, pairs, planned, errors }: Omit<CheckedCell, 'reason'>,
  { minCoverage }: Rule,
): string {
  switch (cause) {
    case 'missing':
      return 'The baseline has it, the run has not.'
    case 'new':
      return 'The baseline does not have it yet; update the baseline to gate on it.'
    case 'changed':
      return 'Its perturbations are not those that the baseline was played with; update the baseline.'
    case 'unpaired':
      return passes === 0
        ? 'No seed and temperature is on both sides.'
        : `None of its ${count(planned, 'pair')} is measured on both sides.`
    case 'coverage':
      return `Only ${percent(pairs / planned)} of its ${count(planned, 'pair')} are measured, less than the ${percent(minCoverage)} asked for; ${count(errors, 'episode')} ended in an error.`
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
  { estimate, interval, adjusted }: CellDifference,
  { margin, strict }: Rule,
): string {
  const change = `${points(estimate)} points (${range(interval)})`
  const worse = `worse: ${change}, p ${chance(adjusted.worse)}`
  switch (verdict) {
    case 'pass':
      if (moved === 'worse') return `Surely ${worse}; but surely by less than the margin.`
      return moved === 'better'
        ? `Better: ${change}, p ${chance(adjusted.better)}.`
        : `No drop of the margin: ${change}.`
    case 'fail':
      return `Got ${worse}${strict ? `, below the margin with p ${chance(adjusted.beyond)}` : ''}.`
    default:
      if (moved === 'worse') return `Surely ${worse}; whether by the margin of ${points(-margin)} cannot be told.`
      if (interval.high < 0 && estimate <= -margin)
        return `Looks worse: ${change}; but among so many cells, or so few tasks that moved, that may be chance (p ${chance(adjusted.worse)}).`
      return `${change}: a drop of the margin can neither be ruled out nor shown.`
  }
}
