import type { Averaged } from './_averaged.js'
import { findAveraged, withClean, withoutClean } from './_averaged.js'
import type { Check, Finding } from './finding.js'
import type { Sheet } from './sheet.js'
import { groupRows, linesOf, nameRow, slack } from './sheet.js'

/** Printed averages over perturbations: over which cells do they reproduce? */
export function checkAverages(sheet: Sheet): Check {
  const averaged = findAveraged(sheet)
  const fits = (one: Averaged, name?: string): boolean =>
    one.sets.some(
      (set) =>
        (name === undefined || set.name === name) &&
        Math.abs(set.mean - one.row.value) <= sheet.unitOf(one.row) / 2 + slack,
    )
  const wrong = averaged.filter((one) => !fits(one))
  const right = new Map(averaged.filter((one) => fits(one)).map((one) => [one.row, one]))
  const tables = groupRows(
    averaged.map(({ row }) => row),
    ({ table }) => table,
  )
  const told = [...tables].flatMap(([table, rows]): Finding[] => {
    const found = rows.map((row) => right.get(row)).filter((one) => one !== undefined)
    if (found.length === 0) return []
    const countOf = (name: string): string => String(found.filter((one) => fits(one, name)).length)
    return [
      {
        severity: 'note',
        lines: linesOf(rows),
        message:
          `${table}: ${String(found.length)} of ${String(rows.length)} printed averages reproduce: ${countOf(withClean)} as the mean of all cells, the unperturbed one ` +
          `included, ${countOf(withoutClean)} as the mean of the perturbed cells.`,
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
