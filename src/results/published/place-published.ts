import { type PublishedRow, canonicalJson } from '../../define.js'
import type { Cell, Row } from '../../tables/table.js'
import { listFirst } from '../../tables/words.js'
import { groupBy } from '../lists.js'
import { paperTasks } from './paper-tasks.js'

/**
 * Identifies the published number that belongs under a condition. The perturbation `average` is the printed average.
 */
export interface PublishedKey {
  readonly environment: string
  readonly metric: 'success' | 'progress'
  readonly perturbation: string
  /** Whether it is the printed standard deviation instead of the number. */
  readonly deviation?: true
}

/**
 * Makes rows of some published tables: one for each table, model and setting, with a cell for each key (empty for
 * `undefined`). `heads` is how many names a row has. Each row refers to a note with its source and setting. Rows
 * without a number are left out.
 */
export function placePublished(
  published: readonly PublishedRow[],
  tables: readonly string[],
  keys: readonly (PublishedKey | undefined)[],
  heads: number,
): { readonly rows: readonly Row[]; readonly notes: readonly string[] } {
  const placed = published.filter(({ table }) => tables.includes(table))
  const groups = groupBy(placed, (row) => canonicalJson([tables.indexOf(row.table), row.model, row.setting]))
  const references: string[] = []
  const remarks: string[] = []
  const rows = [...groups.values()].flatMap((group) => {
    const found = keys.map((key) => key && group.find((row) => matches(row, key)))
    const shown = found.filter((row) => row !== undefined)
    const first = shown[0]
    if (first === undefined) return []
    const reference = [first.table, ...describeSetting(first), first.source].filter((part) => part !== '').join(', ')
    if (!references.includes(reference)) references.push(reference)
    const name = `${first.model} [${String(references.indexOf(reference) + 1)}]`
    remarks.push(...describeRemarks(name, shown))
    return {
      heads: [name, ...Array.from({ length: heads - 1 }, () => '')],
      model: first.model,
      agent: '',
      published: reference,
      cells: found.map((row, index) => (row === undefined ? {} : cellOf(row, keys[index]!))),
    }
  })
  const notes = [
    'Rows with a number in brackets were published by others and not measured here; they enter no average, test or mark.',
    ...references.map((reference, index) => `[${String(index + 1)}] ${reference}.`),
    ...remarks,
  ]
  return { rows, notes: rows.length === 0 ? [] : notes }
}

/** The notes on numbers of a row, each once; with their places, unless a note is on all of them. */
function describeRemarks(name: string, shown: readonly PublishedRow[]): string[] {
  const notes = [...new Set(shown.map(({ note }) => note))].filter((note) => note !== undefined)
  return notes.map((note) => {
    const noted = shown.filter((row) => row.note === note)
    if (noted.length === shown.length) return `${name}: ${note}.`
    const places = noted.map(({ environment, perturbation, metric }) => `${environment} ${perturbation} ${metric}`)
    return `${name}, ${listFirst(places, 4)}: ${note}.`
  })
}

function matches(row: PublishedRow, { environment, metric, perturbation, deviation }: PublishedKey): boolean {
  if (row.metric !== metric || (deviation && row.deviation === undefined)) return false
  const isAverage = perturbation === 'average'
  if (isAverage ? !/\baverage\b/i.test(row.perturbation) : row.perturbation !== perturbation) return false
  const task = paperTasks.find(({ environments }) => environments.includes(environment))
  return row.environment === environment || row.environment === task?.name
}

function cellOf({ value, deviation, heldIn }: PublishedRow, key: PublishedKey): Cell {
  const main = key.deviation ? deviation! : value
  const spread = key.perturbation === 'average' ? undefined : deviation
  return {
    value: shareOf(main),
    ...(spread !== undefined && { deviation: shareOf(spread) }),
    decimals: Math.max(1, decimalsOf(main), spread === undefined ? 0 : decimalsOf(spread)),
    ...(heldIn && { heldIn }),
  }
}

function describeSetting({ setting }: PublishedRow): string[] {
  return Object.entries(setting).map(([name, value]) => (value === '' ? name : `${name} ${value}`))
}

/** A printed percentage as a share, without the rounding error of a division by 100. */
function shareOf(percent: number): number {
  return Number((percent / 100).toPrecision(12))
}

function decimalsOf(number: number): number {
  return String(number).split('.')[1]?.length ?? 0
}
