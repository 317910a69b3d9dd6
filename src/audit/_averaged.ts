import type { PublishedRow } from '../../reports/published/parse-published.js'
import { mean, standardDeviation } from '../statistics/dispersion.js'
import type { Sheet } from './sheet.js'
import { clean, groupRows, keyOf, settingKey } from './sheet.js'

/** Cells that a printed average or deviation may be over, two at least, and what they come to. */
export interface CellSet {
  readonly name: string
  readonly count: number
  readonly mean: number
  readonly population: number
  readonly sample: number
}

/** A printed average with the cells of its model. */
export interface Averaged {
  readonly row: PublishedRow
  readonly cells: readonly PublishedRow[]
  readonly sets: readonly CellSet[]
}

/** All cells of a model, the unperturbed one included. */
export const withClean = 'all cells'
/** Without it. */
export const withoutClean = 'the perturbed cells'

/** Printed averages whose cells are in the file: at least two of the same table, model, setting, environment and metric. */
export function findAveraged(sheet: Sheet): readonly Averaged[] {
  const cells = groupRows(sheet.of('cell'), familyOf)
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
