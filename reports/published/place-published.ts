import type { PublishedRow } from 'shaketable'
import { canonicalJson } from 'shaketable'
import type { Cell, Row } from '../../src/tables/table.js'
import { listFirst } from '../../src/tables/words.js'
import { paperTasks } from './paper-tasks.js'

/** What published number belongs under a column of ours; `average` is the printed one, over whatever it is over. */
export interface Wish {
  readonly environment: string
  readonly metric: 'success' | 'progress'
  readonly perturbation: string
  /** The printed standard deviation in place of the number. */
  readonly deviation?: true
}

/** Published numbers as rows of a table of ours, and what its caption says of them. */
export interface Placed {
  readonly rows: readonly Row[]
  readonly notes: readonly string[]
}

/**
 * Makes rows of what was published in some tables, one for each table, model and setting, with a cell for each wish
 * (none where nothing is wished for); `heads` is how many names a row has. Each row refers to a note that says where it
 * is from and how it was made. Rows without a number are left out.
 */
export function placePublished(
  published: readonly PublishedRow[],
  tables: readonly string[],
  wishes: readonly (Wish | undefined)[],
  heads: number,
): Placed {
  const groups = new Map<string, PublishedRow[]>()
  for (const row of published.filter(({ table }) => tables.includes(table))) {
    const key = canonicalJson([tables.indexOf(row.table), row.model, row.setting])
    const group = groups.get(key) ?? []
    group.push(row)
    groups.set(key, group)
  }
  const references: string[] = []
  const oddities: string[] = []
  const rows = [...groups.values()].flatMap((group) => {
    const found = wishes.map((wish) => wish && group.find((row) => fits(row, wish)))
    const shown = found.filter((row) => row !== undefined)
    const first = shown[0]
    if (first === undefined) return []
    const reference = [first.table, ...describeSetting(first), first.source].filter((part) => part !== '').join(', ')
    if (!references.includes(reference)) references.push(reference)
    const name = `${first.model} [${String(references.indexOf(reference) + 1)}]`
    oddities.push(...describeOddities(name, shown))
    return {
      heads: [name, ...Array.from({ length: heads - 1 }, () => '')],
      model: first.model,
      agent: '',
      published: reference,
      cells: found.map((row, index) => (row === undefined ? {} : cellOf(row, wishes[index]!))),
    }
  })
  if (rows.length === 0) return { rows, notes: [] }
  return {
    rows,
    notes: [
      'Rows with a number in brackets were published by others and not measured here; they enter no average, test or mark of ours.',
      ...references.map((reference, index) => `[${String(index + 1)}] ${reference}.`),
      ...oddities,
    ],
  }
}

/** What is odd about numbers of a row, each thing once and with its places, unless it is said of all of them. */
function describeOddities(name: string, shown: readonly PublishedRow[]): string[] {
  const notes = [...new Set(shown.map(({ note }) => note))].filter((note) => note !== undefined)
  return notes.map((note) => {
    const odd = shown.filter((row) => row.note === note)
    if (odd.length === shown.length) return `${name}: ${note}.`
    const places = odd.map(({ environment, perturbation, metric }) => `${environment} ${perturbation} ${metric}`)
    return `${name}, ${listFirst(places, 4)}: ${note}.`
  })
}

function fits(row: PublishedRow, { environment, metric, perturbation, deviation }: Wish): boolean {
  if (row.metric !== metric || (deviation && row.deviation === undefined)) return false
  const isIt = perturbation === 'average' ? /\baverage\b/i.test(row.perturbation) : row.perturbation === perturbation
  if (!isIt) return false
  const task = paperTasks.find(({ environments }) => environments.includes(environment))
  return row.environment === environment || row.environment === task?.name
}

function cellOf({ value, deviation, heldIn }: PublishedRow, wish: Wish): Cell {
  const main = wish.deviation ? deviation! : value
  const spread = wish.perturbation === 'average' ? undefined : deviation
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

/** A printed percentage as a share, without what a division by 100 adds in the last digits. */
function shareOf(percent: number): number {
  return Number((percent / 100).toPrecision(12))
}

function decimalsOf(number: number): number {
  return String(number).split('.')[1]?.length ?? 0
}
