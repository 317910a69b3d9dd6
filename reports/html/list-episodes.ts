import type { EpisodeRow, Outcome, Plan, StoredRun } from '../../src/define.js'
import { isValid, pairsOf } from '../../src/define.js'

/** An episode that the page lists, with the indexes of what identifies it. */
export type ListedEpisode = Pick<EpisodeRow, 'key' | 'outcome' | 'progress' | 'measures' | 'dose' | 'error'> & {
  readonly at: Readonly<Record<Axis, number>>
}

type PlacedEpisode = ListedEpisode & { readonly place: number }

/**
 * What identifies an episode, as indexes: of the tasks of all environments, of the plan's columns, seeds and
 * temperatures, and of its models each with its agents.
 */
const axes = ['seed', 'temperature', 'task', 'column', 'pair'] as const
type Axis = (typeof axes)[number]

/**
 * The episodes that the page lists: a task's perturbed episodes follow their clean twin, which is the order of play.
 */
export interface EpisodeList {
  readonly episodes: readonly ListedEpisode[]
  /** How many episodes the run has. */
  readonly stored: number
}

/** The maximum number of episodes on the page. */
const maxListed = 20_000

/**
 * Lists a run's episodes. Of a run with more than `max`, only those that ended differently from their clean twin are
 * listed, and the twins, as many as there is room for.
 */
export function listEpisodes(run: StoredRun, max = maxListed): EpisodeList {
  const places = placesOf(run.plan)
  const ends = new Uint8Array(places.count)
  for (const row of run.rows) {
    const found = places.find(row)
    if (found !== undefined) ends[found.place] = endOf(row.outcome)
  }
  const stored = ends.reduce((count, end) => (end === missing ? count : count + 1), 0)
  const isListed = stored <= max ? () => true : chooseChanged(ends, places, max)
  const episodes: PlacedEpisode[] = []
  for (const row of run.rows) {
    const found = places.find(row)
    if (found === undefined || !isListed(found.place)) continue
    const { key, outcome, progress, measures, dose, error } = row
    const optional = { ...(dose !== undefined && { dose }), ...(error !== undefined && { error }) }
    episodes.push({ ...found, key, outcome, progress, measures, ...optional })
  }
  episodes.sort((one, other) => one.place - other.place)
  return { episodes, stored }
}

const missing = 0

/** How an episode ended: 1 broken, 2 failed, 3 solved. */
function endOf(outcome: Outcome): number {
  if (!isValid(outcome)) return 1
  return outcome === 'success' ? 3 : 2
}

/**
 * Whether a place is that of an episode that ended differently from its twin, or of that twin; without twins all are.
 * Whole tasks are left out from where there are more than `max`.
 */
function chooseChanged(ends: Uint8Array, places: Places, max: number): (place: number) => boolean {
  const chosen = new Uint8Array(ends.length)
  ends.forEach((end, place) => {
    const twin = places.twin(place)
    if (end === missing || (twin !== undefined && (ends[twin] === missing || ends[twin] === end))) return
    chosen[place] = 1
    if (twin !== undefined) chosen[twin] = 1
  })
  let count = 0
  for (let from = 0; from < chosen.length; from += places.perTask) {
    count += chosen.subarray(from, from + places.perTask).reduce((sum, one) => sum + one, 0)
    if (count > max) return (place) => place < from && chosen[place] === 1
  }
  return (place) => chosen[place] === 1
}

/** The planned episodes numbered in the order of the list. */
interface Places {
  /** How many there are. */
  readonly count: number
  /** How many of them share a task, seed and temperature; their places are consecutive. */
  readonly perTask: number
  /** A row's place and the indexes behind it; undefined if the plan has no such episode. */
  find(row: EpisodeRow): Pick<PlacedEpisode, 'place' | 'at'> | undefined
  /** The place of an episode's clean twin, its own for a clean one; undefined without a clean column. */
  twin(place: number): number | undefined
}

function placesOf(plan: Plan): Places {
  const numbered = (values: readonly unknown[]): ReadonlyMap<unknown, number> =>
    new Map(values.map((value, index) => [value, index]))
  const numbers = {
    seed: numbered(plan.seeds),
    temperature: numbered(plan.temperatures),
    task: numbered(plan.environments.flatMap(({ name, tasks }) => tasks.map(({ id }) => `${name}\n${id}`))),
    column: numbered(plan.columns.map(({ label }) => label)),
    pair: numbered(pairsOf(plan).map(({ model, agent }) => `${model.name}\n${agent.name}`)),
  }
  const clean = plan.columns.findIndex(({ perturbations }) => perturbations.length === 0)
  const pairs = numbers.pair.size
  return {
    count: axes.reduce((product, axis) => product * numbers[axis].size, 1),
    perTask: numbers.column.size * pairs,
    find({ environment, task, model, agent, ...row }) {
      const names = { ...row, task: `${environment}\n${task}`, pair: `${model}\n${agent}` }
      const at = axes.map((axis) => [axis, numbers[axis].get(names[axis])] as const)
      if (at.some(([, index]) => index === undefined)) return undefined
      const place = at.reduce((all, [axis, index]) => all * numbers[axis].size + index!, 0)
      return { place, at: Object.fromEntries(at) as ListedEpisode['at'] }
    },
    twin(place) {
      const column = Math.floor(place / pairs) % numbers.column.size
      return clean === -1 ? undefined : place + (clean - column) * pairs
    },
  }
}
