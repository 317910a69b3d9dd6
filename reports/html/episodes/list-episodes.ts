import type { EpisodeRow, Outcome, StoredRun } from 'shaketable'
import { isValid } from 'shaketable'
import type { Places } from './places.js'
import { placesOf } from './places.js'

/** An episode that the page lists. */
export type ListedEpisode = Pick<EpisodeRow, 'key' | 'outcome' | 'progress' | 'measures' | 'dose' | 'error'> & {
  readonly place: number
}

/** The episodes that the page lists, by ascending place. */
export interface EpisodeList {
  readonly episodes: readonly ListedEpisode[]
  /** How many the run has. */
  readonly stored: number
  /**
   * Every so manieth task, seed and temperature on which something changed is listed; absent where every episode is.
   */
  readonly everyNth?: number
}

/** The page lists no more episodes than this. */
export const maxListed = 100_000

/**
 * Lists a run's episodes. Of a run with more than `most` only those that ended otherwise than their clean twin are
 * listed, and the twins; where even they are too many, all those of every second, third, … task, seed and temperature.
 */
export function listEpisodes(run: StoredRun, most = maxListed): EpisodeList {
  const places = placesOf(run.plan)
  if (places.count <= most) return gather(run, places, () => true)
  const ends = new Uint8Array(places.count)
  for (const row of run.rows) {
    const place = places.find(row)
    if (place !== undefined) ends[place] = endOf(row.outcome)
  }
  const stored = ends.reduce((count, end) => (end === missing ? count : count + 1), 0)
  if (stored <= most) return gather(run, places, () => true)
  const marked = markChanged(ends, places)
  const everyNth = thin(marked, places.perTask, most)
  return { ...gather(run, places, (place) => marked[place] === 1), stored, everyNth }
}

const missing = 0

/** How an episode ended, as far as it can differ from its twin. */
function endOf(outcome: Outcome): number {
  if (!isValid(outcome)) return 1
  return outcome === 'success' ? 3 : 2
}

/**
 * 1 at the places of episodes that ended otherwise than their twin, and of those twins; of every episode where there
 * are no twins.
 */
function markChanged(ends: Uint8Array, places: Places): Uint8Array {
  const marked = new Uint8Array(ends.length)
  ends.forEach((end, place) => {
    if (end === missing) return
    const twin = places.twin(place)
    if (places.hasTwins && (ends[twin] === missing || ends[twin] === end)) return
    marked[place] = 1
    marked[twin] = 1
  })
  return marked
}

/**
 * Unmarks whole groups of `perTask` places until at most so many marks are left; every how manieth group with a mark
 * was kept.
 */
function thin(marked: Uint8Array, perTask: number, most: number): number {
  const counts: { readonly from: number; readonly marks: number }[] = []
  for (let from = 0; from < marked.length; from += perTask) {
    const marks = marked.subarray(from, from + perTask).reduce((sum, mark) => sum + mark, 0)
    if (marks > 0) counts.push({ from, marks })
  }
  const kept = (nth: number): number =>
    counts.reduce((sum, { marks }, index) => sum + (index % nth === 0 ? marks : 0), 0)
  let nth = Math.max(1, Math.ceil(kept(1) / most))
  while (nth < counts.length && kept(nth) > most) nth++
  counts.forEach(({ from }, index) => {
    if (index % nth !== 0) marked.fill(0, from, from + perTask)
  })
  return nth
}

function gather(run: StoredRun, places: Places, wanted: (place: number) => boolean): EpisodeList {
  const episodes: ListedEpisode[] = []
  for (const row of run.rows) {
    const place = places.find(row)
    if (place === undefined || !wanted(place)) continue
    const { key, outcome, progress, measures, dose, error } = row
    episodes.push({
      place,
      key,
      outcome,
      progress,
      measures,
      ...(dose !== undefined && { dose }),
      ...(error !== undefined && { error }),
    })
  }
  episodes.sort((one, other) => one.place - other.place)
  return { episodes, stored: episodes.length }
}
