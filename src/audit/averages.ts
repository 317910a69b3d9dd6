import type { PublishedRow } from '../../reports/published/parse-published.js'
import { mean, standardDeviation } from '../statistics/dispersion.js'
import type { Check, Finding } from './finding.js'
import type { Sheet } from './sheet.js'
import { clean, digitsOf, groupRows, keyOf, nameLines, nameRow, settingKey, slack } from './sheet.js'

/** The cells that a printed average or deviation may be over. */
interface CellSet {
  readonly name: string
  readonly values: readonly number[]
}

/** A printed average with the cells of its model, and what they come to. */
interface Averaged {
  readonly row: PublishedRow
  readonly cells: readonly PublishedRow[]
  readonly sets: readonly CellSet[]
}

const withClean = 'all cells'
const withoutClean = 'the perturbed cells'

/** Printed averages over perturbations: over which cells do they reproduce? */
export function checkAverages(sheet: Sheet): Check {
  const { averaged, unchecked } = findAveraged(sheet)
  const matches = averaged.map((one) => ({
    ...one,
    by: one.sets.filter(({ values }) => Math.abs(mean(values)! - one.row.value) <= sheet.unitOf(one.row) / 2 + slack),
  }))
  const wrong = matches
    .filter(({ by }) => by.length === 0)
    .map(({ row, cells, sets }): Finding => {
      const means = sets.map(({ name, values }) => `${mean(values)!.toFixed(3)} over ${name}`).join(', ')
      return {
        severity: 'contradiction',
        lines: [row.line, ...cells.map(({ line }) => line)],
        message: `${row.table}: ${nameRow(row)} is printed as ${sheet.print(row)}, but the mean is ${means}.`,
      }
    })
  const tables = groupRows(
    matches.map(({ row }) => row),
    ({ table }) => table,
  )
  const told = [...tables].flatMap(([table, rows]): Finding[] => {
    const fits = matches.filter(({ row, by }) => row.table === table && by.length > 0)
    const countOf = (name: string): string =>
      String(fits.filter(({ by }) => by.some((set) => set.name === name)).length)
    if (fits.length === 0) return []
    return [
      {
        severity: 'note',
        lines: rows.map(({ line }) => line),
        message:
          `${table}: ${String(fits.length)} of ${String(rows.length)} printed averages reproduce: ${countOf(withClean)} as the mean of all cells, the unperturbed one ` +
          `included, ${countOf(withoutClean)} as the mean of the perturbed cells.`,
      },
    ]
  })
  return {
    name: 'averages',
    asks: 'is a printed average the mean of its cells?',
    checked: averaged.length,
    held: averaged.length - wrong.length,
    unchecked,
    findings: [...wrong, ...told],
  }
}

/** Printed deviations over perturbations: which convention do they follow? */
export function checkDeviations(sheet: Sheet): Check {
  const { averaged } = findAveraged(sheet)
  const printed = averaged.filter(({ row }) => row.deviation !== undefined)
  const followed = new Map<string, PublishedRow[]>()
  const wrong: Finding[] = []
  for (const one of printed) {
    const { row, cells, sets } = one
    const unit = sheet.unitOf(row, 'deviation')
    const conventions = sets.flatMap((set) => conventionsOf(set, sheet.unitOf(cells[0]!)))
    const distance = ({ value }: Convention): number => Math.abs(value - row.deviation!)
    const by = conventions.filter((convention) => distance(convention) <= unit / 2 + slack)
    for (const { name } of by) followed.set(name, [...(followed.get(name) ?? []), row])
    if (by.length > 0) continue
    const within = conventions.filter((convention) => distance(convention) <= unit / 2 + convention.reach)
    wrong.push({
      severity: 'doubt',
      lines: [row.line, ...cells.map(({ line }) => line)],
      message:
        `${row.table}: ${nameRow(row)} is printed with a deviation of ${row.deviation!.toFixed(digitsOf(unit))}, which no convention gives: ` +
        `${describeConventions(sets, conventions)}.` +
        (within.length === 0
          ? ''
          : ` Cells that were all rounded the unluckiest way could just make it the ${within.map(({ name }) => name).join(' or the ')}.`),
    })
  }
  const told = [...followed].map(([name, rows]): Finding => {
    const count = `${String(rows.length)} of ${String(printed.length)} printed deviations ${rows.length === 1 ? 'is' : 'are'}`
    return {
      severity: 'note',
      lines: rows.map(({ line }) => line),
      message: `${count} the ${name} (${nameLines(rows)}).`,
    }
  })
  return {
    name: 'deviations',
    asks: 'is a printed deviation the standard deviation of its cells, by any convention?',
    checked: printed.length,
    held: printed.length - wrong.length,
    unchecked: sheet.of('average').filter(({ deviation }) => deviation !== undefined).length - printed.length,
    findings: [...wrong, ...told],
  }
}

/** A way to work out a standard deviation, and how far the rounding of its cells can have moved it. */
interface Convention {
  readonly name: string
  readonly set: CellSet
  readonly by: number
  readonly value: number
  readonly reach: number
}

/**
 * Both conventions over a set of cells that are printed to a unit. Rounding moves each by half a unit at most, and as a deviation is a norm it is moved by no more
 * than unit/2 · √(n/(n − ddof)).
 */
function conventionsOf(set: CellSet, unit: number): Convention[] {
  const count = set.values.length
  return (['population', 'sample'] as const).map((convention) => {
    const by = convention === 'population' ? count : count - 1
    return {
      name: `${convention} deviation (÷ ${String(by)}) of ${set.name}`,
      set,
      by,
      value: standardDeviation(set.values, convention)!,
      reach: (unit / 2) * Math.sqrt(count / by),
    }
  })
}

/** `2.570 (÷ 6) or 2.815 (÷ 5) over all cells, 2.771 (÷ 5) or 3.098 (÷ 4) over the perturbed cells`. */
function describeConventions(sets: readonly CellSet[], conventions: readonly Convention[]): string {
  const describe = ({ value, by }: Convention): string => `${value.toFixed(3)} (÷ ${String(by)})`
  return sets
    .map(
      (set) =>
        `${conventions
          .filter((one) => one.set === set)
          .map(describe)
          .join(' or ')} over ${set.name}`,
    )
    .join(', ')
}

/** Printed averages whose cells are in the file: at least two of the same table, model, setting, environment and metric. */
function findAveraged(sheet: Sheet): { readonly averaged: readonly Averaged[]; readonly unchecked: number } {
  const family = ({ table, model, setting, environment, metric }: PublishedRow): string =>
    keyOf(table, model, settingKey(setting), environment, metric)
  const cells = groupRows(sheet.of('cell'), family)
  const averaged = sheet.of('average').flatMap((row): Averaged[] => {
    const own = cells.get(family(row)) ?? []
    const perturbed = own.filter(({ perturbation }) => perturbation !== clean)
    const sets = [
      { name: withClean, rows: perturbed.length < own.length ? own : [] },
      { name: withoutClean, rows: perturbed },
    ]
      .filter(({ rows }) => rows.length > 1)
      .map(({ name, rows }) => ({ name, values: rows.map(({ value }) => value) }))
    return sets.length === 0 ? [] : [{ row, cells: own, sets }]
  })
  return { averaged, unchecked: sheet.of('average').length - averaged.length }
}
