import type { PublishedRow } from '../../reports/published/parse-published.js'
import type { Check, Finding } from './finding.js'
import type { Sheet } from './sheet.js'
import { digitsOf, nameRow, slack, wholeNumber } from './sheet.js'

/** Metrics that count tasks: so many of all were solved, or answered exactly. */
const counted: readonly string[] = ['success', 'em', 'exact match', 'accuracy']

/** Whether a row's metric counts tasks. */
export function isCounted({ metric }: PublishedRow): boolean {
  return counted.includes(metric.toLowerCase())
}

/** Rates that count tasks: is there a whole number of tasks that, rounded or cut, is printed so? */
export function checkCounts(sheet: Sheet): Check {
  const rates = sheet.of('cell').filter(isCounted)
  const findings: Finding[] = []
  let [checked, onlyCut, onlyRounded] = [0, 0, 0]
  for (const row of rates) {
    const trials = trialsOf(sheet, row)
    if (trials === undefined) continue
    checked++
    const fit = fitCount(row.value, trials, sheet.full, sheet.unitOf(row))
    if (fit.cut && !fit.rounded) onlyCut++
    if (fit.rounded && !fit.cut) onlyRounded++
    if (!fit.cut && !fit.rounded) {
      findings.push({
        severity: 'contradiction',
        lines: [row.line],
        message: `${row.table}: ${nameRow(row)} is printed as ${sheet.print(row)}, which is no whole number of ${String(trials)}: ${describeNeighbours(row, trials, sheet)}.`,
      })
    }
  }
  if (onlyCut > 0 && onlyRounded > 0)
    findings.push({
      severity: 'note',
      lines: [],
      message: `Some rates are rounded and some are cut: ${String(onlyRounded)} fit a whole number of tasks only when rounded, ${String(onlyCut)} only when the last digit is cut off.`,
    })
  return {
    name: 'counts',
    asks: 'is a success rate a whole number of tasks?',
    checked,
    held: checked - findings.filter(({ severity }) => severity === 'contradiction').length,
    unchecked: rates.length - checked,
    findings,
  }
}

/** What a rate is over: the tasks, once for each seed that it is the mean of. */
export function trialsOf(sheet: Sheet, row: PublishedRow): number | undefined {
  const tasks = sheet.tasksOf(row)
  return tasks === undefined ? undefined : tasks * (wholeNumber(row.setting['seeds']) ?? 1)
}

/** Whether a whole number of trials is printed as this rate, when it is rounded to the unit and when it is cut to it. `full` is what all of them come to. */
export function fitCount(
  rate: number,
  trials: number,
  full: number,
  unit: number,
): { readonly rounded: boolean; readonly cut: boolean } {
  const hasCount = (low: number, high: number): boolean => {
    const first = Math.max(0, Math.ceil(((rate + low) * trials) / full - slack))
    return first <= trials && (first * full) / trials <= rate + high + slack
  }
  return { rounded: hasCount(-unit / 2, unit / 2), cut: hasCount(0, unit - 2 * slack) }
}

function describeNeighbours(row: PublishedRow, trials: number, { full, unitOf }: Sheet): string {
  const below = Math.floor((row.value * trials) / full)
  const digits = digitsOf(unitOf(row)) + 1
  return [below, below + 1]
    .filter((count) => count >= 0 && count <= trials)
    .map((count) => `${String(count)} would be ${((count * full) / trials).toFixed(digits)}`)
    .join(', ')
}
