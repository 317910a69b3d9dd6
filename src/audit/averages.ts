import type { PublishedRow } from '../results/published/parse-published.js'
import { mean, standardDeviation } from '../statistics/dispersion.js'
import type { Check, Finding, Sheet } from './sheet.js'
import { clean, digitsOf, groupBy, keyOf, linesOf, nameLines, nameRow, settingKey, slack } from './sheet.js'

/** Cells that a printed average or deviation may be over, at least two, and their mean and deviations. */
interface CellSet {
  readonly name: string
  readonly count: number
  readonly mean: number
  readonly population: number
  readonly sample: number
}

/** A printed average with the cells of its model. */
interface Averaged {
  readonly row: PublishedRow
  readonly cells: readonly PublishedRow[]
  readonly sets: readonly CellSet[]
}

/** All cells of a model, the unperturbed one included. */
const withClean = 'all cells'
/** Without it. */
const withoutClean = 'the perturbed cells'

/**
 * Printed averages whose cells are in the file: at least two of the same table, model, setting, environment and metric.
 */
function findAveraged(sheet: Sheet): readonly Averaged[] {
  const cells = groupBy(sheet.of('cell'), familyOf)
  const sets = new Map<string, readonly CellSet[]>()
  return sheet.of('average').flatMap((row): Averaged[] => {
    const family = familyOf(row)
    const own = cells.get(family) ?? []
    const known = sets.get(family) ?? setsOf(own)
    sets.set(family, known)
    return known.length === 0 ? [] : [{ row, cells: own, sets: known }]
  })
}

function familyOf({ table, model, setting, environment, metric }: PublishedRow): string {
  return keyOf(table, model, settingKey(setting), environment, metric)
}

function setsOf(cells: readonly PublishedRow[]): CellSet[] {
  const perturbed = cells.filter(({ perturbation }) => perturbation !== clean)
  const sets = [
    { name: withClean, rows: perturbed.length < cells.length ? cells : [] },
    { name: withoutClean, rows: perturbed },
  ]
  return sets.flatMap(({ name, rows }) => {
    const values = rows.map(({ value }) => value)
    if (values.length < 2) return []
    return {
      name,
      count: values.length,
      mean: mean(values)!,
      population: standardDeviation(values, 'population')!,
      sample: standardDeviation(values)!,
    }
  })
}

/** Printed averages over perturbations: which cells reproduce them? */
export function checkAverages(sheet: Sheet): Check {
  const averaged = findAveraged(sheet)
  const isNear = ({ row, sets }: Averaged, reach: number, name?: string): boolean =>
    sets.some((set) => (name ?? set.name) === set.name && Math.abs(set.mean - row.value) <= reach + slack)
  const fits = (one: Averaged, name?: string): boolean => isNear(one, sheet.unitOf(one.row) / 2, name)
  // The mean of rounded cells may differ by half a unit from the mean before rounding.
  const wrong = averaged.filter((one) => !isNear(one, (sheet.unitOf(one.row) + sheet.unitOf(one.cells[0]!)) / 2))
  const right = new Map(averaged.filter((one) => !wrong.includes(one)).map((one) => [one.row, one]))
  const tables = groupBy(
    averaged.map(({ row }) => row),
    ({ table }) => table,
  )
  const notes = [...tables].flatMap(([table, rows]): Finding[] => {
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
    findings: [...wrong.map((one) => describeWrong(sheet, one)), ...notes],
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

/** A way to compute a standard deviation, and how far the rounding of its cells can have moved it. */
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
  const followed: { readonly name: string; readonly row: PublishedRow }[] = []
  const [wrong, ambiguous]: [Finding[], Finding[]] = [[], []]
  for (const one of printed) {
    const { row, cells, sets } = one
    const conventions = sets.flatMap((set) => conventionsOf(set, sheet.unitOf(cells[0]!)))
    const tolerance = sheet.unitOf(row, 'deviation') / 2 + slack
    const by = conventions.filter(({ value }) => Math.abs(value - row.deviation!) <= tolerance)
    followed.push(...by.map(({ name }) => ({ name, row })))
    if (by.length === 0) wrong.push(describeWrongDeviation(sheet, one, conventions, tolerance))
    if (by.length > 1) ambiguous.push(describeAmbiguous(sheet, row, by))
  }
  const notes = [...groupBy(followed, ({ name }) => name)].map(([name, same]): Finding => {
    const rows = same.map(({ row }) => row)
    const count = `${String(rows.length)} of ${String(printed.length)} printed deviations ${rows.length === 1 ? 'is' : 'are'}`
    return { severity: 'note', lines: linesOf(rows), message: `${count} the ${name} (${nameLines(rows)}).` }
  })
  return {
    name: 'deviations',
    asks: 'is a printed deviation the standard deviation of its cells, by any convention?',
    checked: printed.length,
    held: printed.length - wrong.length,
    unchecked: sheet.of('average').filter(({ deviation }) => deviation !== undefined).length - printed.length,
    findings: [...wrong, ...notes, ...ambiguous],
  }
}

/**
 * Both conventions over a set of cells that are printed to a unit. Rounding moves each cell by half a unit at most, so
 * it moves a deviation, which is a norm, by at most unit/2 · √(n/(n − ddof)).
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

/** A deviation that fits several conventions. */
function describeAmbiguous(sheet: Sheet, row: PublishedRow, by: readonly Convention[]): Finding {
  const fits = by.map(({ name, value }) => `the ${name}, ${value.toFixed(3)}`).join(', and ')
  return {
    severity: 'note',
    lines: [row.line],
    message: `${row.table}: ${nameRow(row)} is printed with a deviation of ${printDeviation(sheet, row)}, which fits ${String(by.length)} conventions: ${fits}. It is unknown which of them was used.`,
  }
}

function printDeviation(sheet: Sheet, row: PublishedRow): string {
  return row.deviation!.toFixed(digitsOf(sheet.unitOf(row, 'deviation')))
}

function describeWrongDeviation(
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
      : ` With the worst rounding of all cells it could be the ${within.map(({ name }) => name).join(' or the ')}.`
  return {
    severity: 'doubt',
    lines: linesOf([row], cells),
    message: `${row.table}: ${nameRow(row)} is printed with a deviation of ${printDeviation(sheet, row)}, which no convention gives: ${figures.join(', ')}.${excuse}`,
  }
}
