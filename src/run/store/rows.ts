import { basename } from 'node:path'
import type { EpisodeRow } from '../../results/episode-row.js'
import { hashOf, isValid, outcomes } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import { parseJson } from '../../files/json.js'
import { readLines } from '../../files/lines.js'
import { count, grouped } from '../../tables/words.js'
import { createNumbering } from '../cells.js'
import type { Plan } from '../plan.js'

/**
 * Whether a value is an episode's row, as far as every reader relies on it; checked before writing and after reading.
 */
export function isRow(value: unknown): value is EpisodeRow {
  const { key, outcome, progress, measures } = (value ?? {}) as Partial<EpisodeRow>
  const isShare = typeof progress === 'number' && progress >= 0 && progress <= 1
  const isPlayed = outcomes.some((known) => known === outcome) && isShare
  return isPlayed && typeof key === 'string' && counts.every((name) => Number.isInteger(measures?.[name]))
}

/** What every episode counts, also where its environment cannot tell what it understands. */
const counts = ['steps', 'formatErrors', 'repeats', 'modelCalls', 'promptTokens', 'completionTokens'] as const

/** Reads a line of outcomes.jsonl; undefined if it is not an episode's row. */
export function readRow(line: string): EpisodeRow | undefined {
  const value = parseJson(line)
  return isRow(value) ? value : undefined
}

/** A run folder whose rows are read, and the file that they are in. */
interface RowFolder {
  readonly folder: string
  readonly outcomes: string
  /** The unfinished last line of a folder that is being written is not named. */
  readonly isWriting?: boolean
}

/** What is known of rows once all of them were read. */
export interface Known {
  readonly stored: number
  /** Number of episodes that have a valid row. */
  readonly valid: number
  readonly unreadable: number
  /** Sentences on lines that are not rows, or not of the plan. */
  readonly notes: readonly string[]
  /** The place among the folders of the row that counts of an episode. */
  ownerOf(key: string): number | undefined
}

/**
 * The rows of a plan in one folder or in several, one an episode: the first valid one as it comes, and at the end the
 * last of each episode without one. They are read anew at each use, so that memory holds those alone that ended in an
 * error. A missing file has no rows.
 * @throws ShaketableError `store` while they are read, if a file cannot be read or two folders contradict each other
 */
export function openRows(plan: Plan, folders: readonly RowFolder[]) {
  let known: Known | undefined
  return {
    *[Symbol.iterator](): Generator<EpisodeRow, void, undefined> {
      known = yield* readRows(plan, folders)
    },
    /** Reads all rows unless that was done. */
    known(): Known {
      for (const rows = this[Symbol.iterator](); known === undefined;) rows.next()
      return known
    },
  }
}

function* readRows(plan: Plan, folders: readonly RowFolder[]): Generator<EpisodeRow, Known, undefined> {
  const { size, numberOf } = createNumbering(plan)
  const isOne = folders.length === 1
  /** By the number of the episode. */
  const isDone = new Uint8Array(size)
  const broken = new Map<number, EpisodeRow>()
  /** Of several folders, by key: the place of the one whose row counts, and its result if it is valid. */
  const owners = new Map<string, { readonly place: number; readonly result?: string }>()
  const contradictions: string[] = []
  const notes: string[] = []
  let [valid, allUnreadable] = [0, 0]
  for (const [number, { folder, outcomes, isWriting }] of folders.entries()) {
    const unreadable: number[] = []
    let [strangers, isTorn] = [0, false]
    for (const line of readLines(outcomes)) {
      const row = line.ended ? readRow(line.text) : undefined
      const place = row && numberOf(row)
      if (!line.ended) isTorn = true
      else if (row === undefined) unreadable.push(line.number)
      else if (place === undefined) strangers++
      else if (isDone[place] === 1) {
        const owner = owners.get(row.key)
        if (owner !== undefined && isValid(row.outcome) && owner.place !== number && owner.result !== resultOf(row))
          contradictions.push(`  ${nameRow(row)}: ${folders[owner.place]!.folder} and ${folder}`)
      } else {
        const isMeasured = isValid(row.outcome)
        if (!isOne) owners.set(row.key, { place: number, ...(isMeasured && { result: resultOf(row) }) })
        if (!isMeasured) {
          broken.set(place, row)
          continue
        }
        isDone[place] = 1
        valid++
        broken.delete(place)
        yield row
      }
    }
    allUnreadable += unreadable.length
    const found = describeLeftOut(basename(outcomes), { unreadable, strangers, isTorn: isTorn && isWriting !== true })
    notes.push(...found.map((note) => (isOne ? note : `${folder}: ${note}`)))
  }
  yield* broken.values()
  refuseContradictions(contradictions)
  const ownerOf = (key: string): number | undefined => (isOne ? 0 : owners.get(key)?.place)
  return { stored: valid + broken.size, valid, unreadable: allUnreadable, notes, ownerOf }
}

/** Identifies the result of a row. The date, the names in replies and the number of attempts are not part of it. */
function resultOf(row: EpisodeRow): string {
  return hashOf({ ...row, date: null, servedBy: null, measures: { ...row.measures, attempts: null } }, 20)
}

/** The most lines and contradictions that are named one by one. */
const maxNamed = 10

function describeLeftOut(
  file: string,
  left: { readonly unreadable: readonly number[]; readonly strangers: number; readonly isTorn: boolean },
): string[] {
  const { unreadable, strangers, isTorn } = left
  const more = unreadable.length - maxNamed
  const what = `expected an episode's row, got something unreadable: LEFT OUT; \`shaketable run\` with the same experiment plays that episode again.`
  return [
    ...unreadable.slice(0, maxNamed).map((number) => `${file}:${String(number)}: ${what}`),
    more > 0 && `${file}: LEFT OUT ${grouped(more)} more ${more === 1 ? 'line' : 'lines'} that cannot be read.`,
    isTorn && `${file}: the last line is unfinished and left out.`,
    strangers > 0 && `${file}: left out ${count(strangers, 'row')} with a key that no episode of the plan has.`,
  ].filter((note) => note !== false)
}

/** @throws ShaketableError `store` if any episode has valid rows with different results */
function refuseContradictions(named: readonly string[]): void {
  if (named.length === 0) return
  const more = named.length > maxNamed ? `\n  … and ${grouped(named.length - maxNamed)} more` : ''
  throw new ShaketableError(
    'store',
    `Expected one result of each episode, got different ones of ${count(named.length, 'episode')}:\n${named.slice(0, maxNamed).join('\n')}${more}\nLeave one of the runs out.`,
  )
}

function nameRow({ environment, task, condition, model, agent, temperature, seed }: EpisodeRow): string {
  return `${environment}, ${task}, ${condition}, ${model}, ${agent}, temperature ${String(temperature)}, seed ${String(seed)}`
}
