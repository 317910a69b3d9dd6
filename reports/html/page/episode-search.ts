import type { EpisodeChunks } from './chunks.js'
import type { EpisodeIndex } from './episode-index.js'
import type { ChunkText, FoundLine, TextQuery } from './episode-text.js'
import { chunkTextOf, readQuery, searchChunk } from './episode-text.js'

/** How far a search is: numbers of episodes. */
export interface SearchProgress {
  readonly searched: number
  /** Those of `searched` without a trajectory. */
  readonly untold: number
  readonly of: number
  readonly isRunning: boolean
  /** Why some could not be searched. */
  readonly failure?: unknown
}

/** A search for a text in the episodes of the page. */
export interface EpisodeSearch {
  /**
   * Searches the episodes of some rows, ascending, in place of any earlier search. An episode that was searched for the
   * same text before is not searched again.
   * @returns whether the text is long enough to be searched for
   */
  start(text: string, rows: Uint32Array): boolean
  stop(): void
  /** The first line found in a row's episode. */
  found(row: number): FoundLine | undefined
  progress(): SearchProgress
}

/** Texts of chunks that stay in memory, in characters. */
const maxCached = 64_000_000
/** States of an episode other than 0, not searched. */
const searched = 1
const searchedWithoutText = 2
/** Milliseconds between two reports of progress. */
const reportEvery = 200

/**
 * Creates a search that reads chunks one at a time.
 * @param report is called with the first results and with all, and between them a few times a second
 */
export function createSearch(index: EpisodeIndex, chunks: EpisodeChunks, report: () => void): EpisodeSearch {
  const cached = new Map<number, ChunkText>()
  let cachedCharacters = 0
  let key = ''
  let states = new Uint8Array(index.count)
  let lines = new Map<number, FoundLine>()
  let progress: SearchProgress = { searched: 0, untold: 0, of: 0, isRunning: false }
  /** Changes whenever a search begins or is stopped. */
  let turn = 0

  const textOf = async (chunk: number): Promise<ChunkText> => {
    const text = chunkTextOf(await chunks.read(chunk))
    cached.set(chunk, text)
    cachedCharacters += text.characters
    for (const [oldest, { characters }] of cached) {
      if (cachedCharacters <= maxCached || oldest === chunk) break
      cached.delete(oldest)
      cachedCharacters -= characters
    }
    return text
  }
  const searchIn = (query: TextQuery, chunk: number, text: ChunkText, rows: readonly number[]): void => {
    const first = chunks.firsts[chunk]!
    const episodes = rows.map((row) => row - first)
    searchChunk(text, query, episodes, (episode, line) => lines.set(first + episode, line))
    for (const row of rows) states[row] = text.isSaid[row - first] === true ? searched : searchedWithoutText
    count(rows)
  }
  const count = (rows: readonly number[]): void => {
    const untold = rows.filter((row) => states[row] === searchedWithoutText).length
    progress = { ...progress, searched: progress.searched + rows.length, untold: progress.untold + untold }
  }
  const run = async (query: TextQuery, groups: ReadonlyMap<number, readonly number[]>): Promise<void> => {
    const own = ++turn
    let reported = performance.now()
    for (const [chunk, all] of groups) {
      const rows = all.filter((row) => states[row] === 0)
      if (rows.length < all.length) count(all.filter((row) => states[row] !== 0))
      if (rows.length === 0) continue
      try {
        // Without waiting where the text is there: a search of cached texts answers at once.
        const text = cached.get(chunk) ?? (await textOf(chunk))
        if (own !== turn) return
        searchIn(query, chunk, text, rows)
      } catch (failure) {
        if (own !== turn) return
        progress = { ...progress, failure }
      }
      if (performance.now() - reported < reportEvery) continue
      report()
      await new Promise((resolve) => setTimeout(resolve))
      if (own !== turn) return
      reported = performance.now()
    }
    progress = { ...progress, isRunning: false }
    report()
  }
  return {
    start(text, rows) {
      const query = readQuery(text)
      const newKey = JSON.stringify(query) ?? ''
      if (newKey !== key) {
        key = newKey
        states = new Uint8Array(index.count)
        lines = new Map()
      }
      turn++
      progress = { searched: 0, untold: 0, of: rows.length, isRunning: query !== undefined }
      if (query !== undefined) void run(query, groupByChunk(rows, chunks.firsts))
      return query !== undefined
    },
    stop() {
      turn++
      progress = { ...progress, isRunning: false }
      report()
    },
    found: (row) => lines.get(row),
    progress: () => progress,
  }
}

/** Ascending rows by their chunk. */
function groupByChunk(rows: Uint32Array, firsts: readonly number[]): Map<number, number[]> {
  const groups = new Map<number, number[]>()
  let chunk = 0
  let group: number[] = []
  for (const row of rows) {
    while (chunk + 1 < firsts.length && firsts[chunk + 1]! <= row) chunk++
    if (!groups.has(chunk)) groups.set(chunk, (group = []))
    group.push(row)
  }
  return groups
}
