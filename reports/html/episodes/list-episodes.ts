import type { EpisodeRow, Outcome, Plan, StoredRun } from '../../../src/define.js'
import { isValid, pairsOf } from '../../../src/define.js'

/** An episode that the page lists. */
export type ListedEpisode = Pick<EpisodeRow, 'key' | 'outcome' | 'progress' | 'measures' | 'dose' | 'error'> & {
  readonly place: number
}

/** The episodes that the page lists, by ascending place. */
export interface EpisodeList {
  readonly episodes: readonly ListedEpisode[]
  /** How many episodes the run has. */
  readonly stored: number
  /** Only every nth task, seed and temperature with a changed episode is listed; absent if every episode is listed. */
  readonly everyNth?: number
}

/** The maximum number of episodes on the page. */
const maxListed = 100_000

/**
 * Lists a run's episodes. Of a run with more than `max`, only those that ended differently from their clean twin are
 * listed, and the twins; if even those are too many, only those of every second, third, … task, seed and temperature.
 */
export function listEpisodes(run: StoredRun, max = maxListed): EpisodeList {
  const places = placesOf(run.plan)
  if (places.count <= max) return gather(run, places, () => true)
  const ends = new Uint8Array(places.count)
  for (const row of run.rows) {
    const place = places.find(row)
    if (place !== undefined) ends[place] = endOf(row.outcome)
  }
  const stored = ends.reduce((count, end) => (end === missing ? count : count + 1), 0)
  if (stored <= max) return gather(run, places, () => true)
  const marked = markChanged(ends, places)
  const everyNth = thin(marked, places.perTask, max)
  return { ...gather(run, places, (place) => marked[place] === 1), stored, everyNth }
}

const missing = 0

/** How an episode ended: 1 broken, 2 failed, 3 solved. */
function endOf(outcome: Outcome): number {
  if (!isValid(outcome)) return 1
  return outcome === 'success' ? 3 : 2
}

/** 1 at the places of episodes that ended differently from their twin, and of those twins; of all without twins. */
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
 * Unmarks whole groups of `perTask` places until at most `max` marks are left.
 * @returns n, if every nth group with a mark was kept
 */
function thin(marked: Uint8Array, perTask: number, max: number): number {
  const counts: { readonly from: number; readonly marks: number }[] = []
  for (let from = 0; from < marked.length; from += perTask) {
    const marks = marked.subarray(from, from + perTask).reduce((sum, mark) => sum + mark, 0)
    if (marks > 0) counts.push({ from, marks })
  }
  const kept = (nth: number): number =>
    counts.reduce((sum, { marks }, index) => sum + (index % nth === 0 ? marks : 0), 0)
  let nth = Math.max(1, Math.ceil(kept(1) / max))
  while (nth < counts.length && kept(nth) > max) nth++
  counts.forEach(({ from }, index) => {
    if (index % nth !== 0) marked.fill(0, from, from + perTask)
  })
  return nth
}

function gather(run: StoredRun, places: Places, isListed: (place: number) => boolean): EpisodeList {
  const episodes: ListedEpisode[] = []
  for (const row of run.rows) {
    const place = places.find(row)
    if (place === undefined || !isListed(place)) continue
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

/**
 * The order of episodes on the page, which is the order of play: a task's perturbed episodes follow their clean twin.
 */
interface Places {
  /** How many episodes the plan has. */
  readonly count: number
  /** How many of them share a task, seed and temperature; their places are consecutive. */
  readonly perTask: number
  /** A row's place; undefined if the plan has no such episode. */
  find(row: EpisodeRow): number | undefined
  /** Whether the plan has a clean column. */
  readonly hasTwins: boolean
  /** The place of an episode's clean twin; its own place for a clean one, or without a clean column. */
  twin(place: number): number
}

/** The places of a plan's episodes; PackedIndex defines a place. */
function placesOf(plan: Plan): Places {
  const tasks = new Map<string, Map<string, number>>()
  let taskCount = 0
  for (const environment of plan.environments) {
    tasks.set(environment.name, new Map(environment.tasks.map(({ id }) => [id, taskCount++])))
  }
  const seeds = numbered(plan.seeds)
  const temperatures = numbered(plan.temperatures)
  const columns = numbered(plan.columns.map(({ label }) => label))
  const pairs = pairsOf(plan)
  const agents = new Map(plan.models.map(({ name }) => [name, new Map<string, number>()]))
  for (const [index, { model, agent }] of pairs.entries()) agents.get(model.name)!.set(agent.name, index)
  const clean = plan.columns.findIndex(({ perturbations }) => perturbations.length === 0)
  return {
    count: seeds.size * temperatures.size * taskCount * columns.size * pairs.length,
    perTask: columns.size * pairs.length,
    hasTwins: clean !== -1,
    find(row) {
      const digits = [
        [seeds.get(row.seed), seeds.size],
        [temperatures.get(row.temperature), temperatures.size],
        [tasks.get(row.environment)?.get(row.task), taskCount],
        [columns.get(row.column), columns.size],
        [agents.get(row.model)?.get(row.agent), pairs.length],
      ] as const
      let place = 0
      for (const [digit, base] of digits) {
        if (digit === undefined) return undefined
        place = place * base + digit
      }
      return place
    },
    twin(place) {
      if (clean === -1) return place
      const column = Math.floor(place / pairs.length) % columns.size
      return place + (clean - column) * pairs.length
    },
  }
}

function numbered<Value>(values: readonly Value[]): ReadonlyMap<Value, number> {
  return new Map(values.map((value, index) => [value, index]))
}
