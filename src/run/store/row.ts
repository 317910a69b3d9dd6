import type { EpisodeRow } from '../../results/episode-row.js'
import { hashOf, isValid, outcomes } from '../../core/episode.js'
import { parseJson } from '../../files/json.js'
import { readLines } from '../../files/lines.js'
import { grouped } from '../../tables/words.js'
import { countCells, placesOf } from '../cells.js'
import type { Plan } from '../plan.js'

/**
 * Whether a value is an episode's row, as far as every reader relies on it; checked before writing and after reading.
 */
export function isRow(value: unknown): value is EpisodeRow {
  const { key, outcome, progress, measures } = (value ?? {}) as Partial<EpisodeRow>
  const isShare = typeof progress === 'number' && progress >= 0 && progress <= 1
  const isPlayed = outcomes.some((one) => one === outcome) && isShare
  return isPlayed && typeof key === 'string' && counts.every((name) => Number.isInteger(measures?.[name]))
}

/** What every episode counts. */
const counts = [
  ...(['steps', 'understood', 'formatErrors', 'repeats', 'memorised'] as const),
  ...(['modelCalls', 'promptTokens', 'completionTokens'] as const),
]

/** Reads a line of outcomes.jsonl; undefined if it is not an episode's row. */
export function readRow(line: string): EpisodeRow | undefined {
  const value = parseJson(line)
  return isRow(value) ? value : undefined
}

/** The consequence of an unusable row. */
export const leftOut = 'LEFT OUT; `shaketable run` with the same experiment plays that episode again.'

/**
 * Reads the episodes of a plan from files of rows in their order, so that memory holds those alone that ended in an
 * error. A missing file has no rows. What is beside the rows is known once all of them are read.
 * @throws ShaketableError `store` if a file cannot be read
 */
export function readRows(plan: Plan, paths: readonly string[]) {
  const places = placesOf(plan)
  /** By file: numbers of the lines that are not rows, the number of rows of no episode, and whether the end is torn. */
  const leftOut = paths.map(() => ({ unreadable: [] as number[], strangers: 0, isTorn: false }))
  /** By place in the plan. */
  const isDone = new Uint8Array(countCells(plan))
  /** If there are several files, by key: the place among them of the row that counts, and its result if it is valid. */
  const owners = new Map<string, { readonly file: number; readonly result?: string }>()
  /** Valid rows of which an earlier file has another result, with the places of both files. */
  const contradictions: { readonly row: EpisodeRow; readonly files: readonly [number, number] }[] = []
  const broken = new Map<number, EpisodeRow>()
  function* read(): Generator<EpisodeRow, void, undefined> {
    for (const [number, path] of paths.entries()) {
      const left = leftOut[number]!
      for (const line of readLines(path)) {
        const row = line.ended ? readRow(line.text) : undefined
        const place = row && places.get(row.key)
        if (!line.ended) left.isTorn = true
        else if (row === undefined) left.unreadable.push(line.number)
        else if (place === undefined) left.strangers++
        else if (isDone[place] === 1) {
          const { file, result } = owners.get(row.key) ?? { file: number }
          if (isValid(row.outcome) && file !== number && result !== resultOf(row))
            contradictions.push({ row, files: [file, number] })
        } else {
          const isSettled = isValid(row.outcome)
          if (paths.length > 1) owners.set(row.key, { file: number, ...(isSettled && { result: resultOf(row) }) })
          if (!isSettled) {
            broken.set(place, row)
            continue
          }
          isDone[place] = 1
          broken.delete(place)
          yield row
        }
      }
    }
    yield* broken.values()
  }
  return {
    /** One row an episode: the first valid one as it comes, and at the end the last of each episode without one. */
    rows: read(),
    leftOut,
    contradictions,
    /** The place among the files of the row that counts of an episode. */
    ownerOf: (key: string): number | undefined => (paths.length > 1 ? owners.get(key)?.file : 0),
  }
}

/** Identifies the result of a row. The date, the names in replies and the number of attempts are not part of it. */
function resultOf(row: EpisodeRow): string {
  return hashOf({ ...row, date: null, servedBy: null, measures: { ...row.measures, attempts: null } }, 20)
}

/** The most unreadable lines that are named one by one. */
const maxNamed = 10

/** The note on each line of a file that cannot be read: the first ten by number, the others as a count. */
export function noteUnreadable(file: string, numbers: readonly number[], what: string): string[] {
  const more = numbers.length - maxNamed
  return [
    ...numbers.slice(0, maxNamed).map((number) => `${file}:${String(number)}: ${what}`),
    ...(more > 0
      ? [`${file}: LEFT OUT ${grouped(more)} more ${more === 1 ? 'line' : 'lines'} that cannot be read.`]
      : []),
  ]
}
