import type { PublishedRow } from '../../reports/published/parse-published.js'
import type { Averaged, CellSet } from './_averaged.js'
import { findAveraged } from './_averaged.js'
import type { Check, Finding } from './finding.js'
import type { Sheet } from './sheet.js'
import { digitsOf, linesOf, nameLines, nameRow, slack } from './sheet.js'

/** A way to work out a standard deviation, and how far the rounding of its cells can have moved it. */
interface Convention {
  readonly name: string
  readonly set: CellSet
  readonly by: number
  readonly value: number
  readonly reach: number
}

/** Printed deviations over perturbations: which convention do they follow? */
export function checkDeviations(sheet: Sheet): Check {
  const printed = findAveraged(sheet).filter(({ row }) => row.deviation !== undefined)
  const followed = new Map<string, PublishedRow[]>()
  const [wrong, ambiguous]: [Finding[], Finding[]] = [[], []]
  for (const one of printed) {
    const { row, cells, sets } = one
    const conventions = sets.flatMap((set) => conventionsOf(set, sheet.unitOf(cells[0]!)))
    const tolerance = sheet.unitOf(row, 'deviation') / 2 + slack
    const by = conventions.filter(({ value }) => Math.abs(value - row.deviation!) <= tolerance)
    for (const { name } of by) {
      const rows = followed.get(name)
      if (rows === undefined) followed.set(name, [row])
      else rows.push(row)
    }
    if (by.length === 0) wrong.push(describeWrong(sheet, one, conventions, tolerance))
    if (by.length > 1) ambiguous.push(describeAmbiguous(sheet, row, by))
  }
  const told = [...followed].map(([name, rows]): Finding => {
    const count = `${String(rows.length)} of ${String(printed.length)} printed deviations ${rows.length === 1 ? 'is' : 'are'}`
    return { severity: 'note', lines: linesOf(rows), message: `${count} the ${name} (${nameLines(rows)}).` }
  })
  return {
    name: 'deviations',
    asks: 'is a printed deviation the standard deviation of its cells, by any convention?',
    checked: printed.length,
    held: printed.length - wrong.length,
    unchecked: sheet.of('average').filter(({ deviation }) => deviation !== undefined).length - printed.length,
    findings: [...wrong, ...told, ...ambiguous],
  }
}

/**
 * Both conventions over a set of cells that are printed to a unit. Rounding moves each by half a unit at most, and as a deviation is a norm it is moved by no more
 * than unit/2 · √(n/(n − ddof)).
 */
function conventionsOf(set: CellSet, unit: number): Convention[] {
  return (['population', 'sample'] as const).map((convention) => {
    const by = convention === 'population' ? set.count : set.count - 1
    return {
      name: `${convention} deviation (÷ ${String(by)}) of ${set.name}`,
      set,
      by,
      value: set[convention],
      reach: (unit / 2) * Math.sqrt(set.count / by),
    }
  })
}

/** Which of several conventions a deviation follows cannot be told from the figures. */
function describeAmbiguous(sheet: Sheet, row: PublishedRow, by: readonly Convention[]): Finding {
  const fits = by.map(({ name, value }) => `the ${name}, ${value.toFixed(3)}`).join(', and ')
  return {
    severity: 'note',
    lines: [row.line],
    message: `${row.table}: ${nameRow(row)} is printed with a deviation of ${printDeviation(sheet, row)}, which fits ${String(by.length)} conventions: ${fits}. Which of them was used cannot be told.`,
  }
}

function printDeviation(sheet: Sheet, row: PublishedRow): string {
  return row.deviation!.toFixed(digitsOf(sheet.unitOf(row, 'deviation')))
}

function describeWrong(
  sheet: Sheet,
  { row, cells, sets }: Averaged,
  conventions: readonly Convention[],
  tolerance: number,
): Finding {
  const describe = ({ value, by }: Convention): string => `${value.toFixed(3)} (÷ ${String(by)})`
  const figures = sets.map((set) => {
    const ofSet = conventions.filter((one) => one.set === set)
    return `${ofSet.map(describe).join(' or ')} over ${set.name}`
  })
  const within = conventions.filter(({ value, reach }) => Math.abs(value - row.deviation!) <= tolerance + reach)
  const excuse =
    within.length === 0
      ? ''
      : ` Cells that were all rounded the unluckiest way could just make it the ${within.map(({ name }) => name).join(' or the ')}.`
  return {
    severity: 'doubt',
    lines: linesOf([row], cells),
    message: `${row.table}: ${nameRow(row)} is printed with a deviation of ${printDeviation(sheet, row)}, which no convention gives: ${figures.join(', ')}.${excuse}`,
  }
}
