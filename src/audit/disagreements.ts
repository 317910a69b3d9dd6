import type { PublishedRow } from '../../reports/published/parse-published.js'
import type { Check, Finding } from './finding.js'
import type { Sheet } from './sheet.js'
import { groupRows, keyOf, nameRow, settingKey, slack } from './sheet.js'

/** Cells that are printed more than once: same model, setting, environment, perturbation and metric, whatever the table. Is it the same figure each time? */
export function checkDisagreements(sheet: Sheet): Check {
  const groups = groupRows(
    [...sheet.of('cell'), ...sheet.of('weighted')],
    ({ model, setting, environment, perturbation, metric }) =>
      keyOf(model, settingKey(setting), environment, perturbation, metric),
  )
  const repeated = [...groups.values()].filter((rows) => rows.length > 1)
  const findings = repeated.flatMap((rows): Finding[] => {
    const values = [...groupRows(rows, (row) => sheet.print(row)).values()].sort((a, b) => b.length - a.length)
    if (values.length === 1) return []
    const numbers = values.map(([row]) => row!.value)
    const unit = Math.max(...rows.map((row) => sheet.unitOf(row)))
    const isRounding = Math.max(...numbers) - Math.min(...numbers) <= unit + slack
    const list = values.map((same) => `${sheet.print(same[0]!)} in ${same.map(nameSource(rows)).join(', ')}`)
    return [
      {
        severity: isRounding ? 'note' : 'contradiction',
        lines: [...values].reverse().flatMap((same) => same.map(({ line }) => line)),
        message: `${nameRow(rows[0]!)} is printed as ${list.join('; as ')}.${isRounding ? '' : describeSlip(values, sheet)}`,
      },
    ]
  })
  return {
    name: 'repeated cells',
    asks: 'does a cell that is printed in several places have the same figure?',
    checked: repeated.length,
    held: repeated.length - findings.length,
    unchecked: 0,
    findings,
  }
}

/** Where a row stands; its source too, where one table has the cell twice. */
function nameSource(rows: readonly PublishedRow[]): (row: PublishedRow) => string {
  return (row) => {
    const isTwice = rows.filter(({ table }) => table === row.table).length > 1
    return `${row.table}${isTwice && row.source !== '' ? `, ${row.source}` : ''} (line ${String(row.line)})`
  }
}

/** What slip of the pen would make one of two figures the other. */
function describeSlip(values: readonly (readonly PublishedRow[])[], sheet: Sheet): string {
  if (values.length !== 2) return ''
  const [one, other] = values.map(([row]) => [...sheet.print(row!)]) as [string[], string[]]
  if (one.length !== other.length) return ''
  if ([...one].sort().join('') === [...other].sort().join('')) return ' They have the same digits in another order.'
  return one.filter((digit, place) => digit !== other[place]).length === 1 ? ' They differ in one digit.' : ''
}
