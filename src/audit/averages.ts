import type { Averaged } from './_averaged.js'
import { findAveraged, withClean, withoutClean } from './_averaged.js'
import type { Check, Finding } from './finding.js'
import type { Sheet } from './sheet.js'
import { groupRows, linesOf, nameRow, slack } from './sheet.js'

/** Printed averages over perturbations: over which cells do they reproduce? */
export function checkAverages(sheet: Sheet): Check {
  const averaged = findAveraged(sheet)
  const isNear = ({ row, sets }: Averaged, reach: number, name?: string): boolean =>
    sets.some((set) => (name ?? set.name) === set.name && Math.abs(set.mean - row.value) <= reach + slack)
  const fits = (one: Averaged, name?: string): boolean => isNear(one, sheet.unitOf(one.row) / 2, name)
  // The mean of cells that were rounded may lie half a unit off the mean that was rounded.
  const wrong = averaged.filter((one) => !isNear(one, (sheet.unitOf(one.row) + sheet.unitOf(one.cells[0]!)) / 2))
  const right = new Map(averaged.filter((one) => !wrong.includes(one)).map((one) => [one.row, one]))
  const tables = groupRows(
    averaged.map(({ row }) => row),
    ({ table }) => table,
  )
  const told = [...tables].flatMap(([table, rows]): Finding[] => {
    const found = rows.map((row) => right.get(row)).filter((one) => one !== undefined)
    if (found.length === 0) return []
    const countOf = (name: string): string => String(found.filter((one) => fits(one, name)).length)
    const near = found.filter((one) => !fits(one)).length
    return [
      {
        severity: 'note',
        lines: linesOf(rows),
        message:
          `${table}: ${String(found.length)} of ${String(rows.length)} printed averages reproduce: ${countOf(withClean)} as the mean of all cells, the unperturbed one ` +
          `included, ${countOf(withoutClean)} as the mean of the perturbed cells${near === 0 ? '' : `, ${String(near)} only before the cells were rounded`}.`,
      },
    ]
  })
  return {
    name: 'averages',
    asks: 'is a printed average the mean of its cells?',
    checked: averaged.length,
    held: averaged.length - wrong.length,
    unchecked: sheet.of('average').length - averaged.length,
    findings: [...wrong.map((one) => describeWrong(sheet, one)), ...told],
  }
}

function describeWrong(sheet: Sheet, { row, cells, sets }: Averaged): Finding {
  const means = sets.map(({ name, mean }) => `${mean.toFixed(3)} over ${name}`).join(', ')
  return {
    severity: 'contradiction',
    lines: linesOf([row], cells),
    message: `${row.table}: ${nameRow(row)} is printed as ${sheet.print(row)}, but the mean is ${means}.`,
  }
}
