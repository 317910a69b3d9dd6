import type { PublishedRow } from '../../reports/published/parse-published.js'
import type { Check, Finding } from './finding.js'
import type { Sheet } from './sheet.js'
import { groupRows, keyOf, linesOf, nameRow, settingKey, slack } from './sheet.js'

/** More figures of one cell, and more places of one figure, are only counted. */
const [mostFigures, mostSources] = [6, 8]

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
    const unit = largest(rows.map((row) => sheet.unitOf(row)))
    const isRounding = largest(numbers) + largest(numbers.map((number) => -number)) <= unit + slack
    const sources = nameSources(rows)
    const list = values.slice(0, mostFigures).map((same) => `${sheet.print(same[0]!)} in ${sources(same)}`)
    const more = values.length - list.length
    return [
      {
        severity: isRounding ? 'note' : 'contradiction',
        lines: linesOf(...values.slice(0, mostFigures).reverse()),
        message: `${nameRow(rows[0]!)} is printed as ${list.join('; as ')}${more > 0 ? `; and as ${String(more)} more` : ''}.${isRounding ? '' : describeSlip(values, sheet)}`,
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

/** Names where the first few rows stand; their source too, where one table has the cell twice. */
function nameSources(all: readonly PublishedRow[]): (some: readonly PublishedRow[]) => string {
  const tables = groupRows(all, ({ table }) => table)
  const name = ({ table, source, line }: PublishedRow): string => {
    const isTwice = tables.get(table)!.length > 1
    return `${table}${isTwice && source !== '' ? `, ${source}` : ''} (line ${String(line)})`
  }
  return (some) => {
    const more = some.length - mostSources
    return `${some.slice(0, mostSources).map(name).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`
  }
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number))
}

/** What slip of the pen would make one of two figures the other. */
function describeSlip(values: readonly (readonly PublishedRow[])[], sheet: Sheet): string {
  if (values.length !== 2) return ''
  const [one, other] = values.map(([row]) => [...sheet.print(row!)]) as [string[], string[]]
  if (one.length !== other.length) return ''
  if ([...one].sort().join('') === [...other].sort().join('')) return ' They have the same digits in another order.'
  return one.filter((digit, place) => digit !== other[place]).length === 1 ? ' They differ in one digit.' : ''
}
