import type { EpisodeRow, Outcome, Plan, StoredRun } from '../../src/define.js'
import { isValid, pairsOf } from '../../src/define.js'

/** An episode that the page lists, with the indexes of what identifies it. */
export type ListedEpisode = Pick<EpisodeRow, 'key' | 'outcome' | 'progress' | 'measures' | 'dose' | 'error'> & {
  readonly at: Readonly<Record<Axis, number>>
}

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
    const place = places.find(row)
    if (place !== undefined) ends[place] = endOf(row.outcome)
  }
  const stored = ends.reduce((count, end) => (end === missing ? count : count + 1), 0)
  const isListed = stored <= max ? () => true : chooseChanged(ends, places, max)
  const episodes: (ListedEpisode & { readonly place: number })[] = []
  for (const row of run.rows) {
    const place = places.find(row)
    if (place === undefined || !isListed(place)) continue
    const { key, outcome, progress, measures, dose, error } = row
    const optional = { ...(dose !== undefined && { dose }), ...(error !== undefined && { error }) }
    episodes.push({ place, at: places.split(place), key, outcome, progress, measures, ...optional })
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
  /** A row's place; undefined if the plan has no such episode. */
  find(row: EpisodeRow): number | undefined
  split(place: number): ListedEpisode['at']
  /** The place of an episode's clean twin, its own for a clean one; undefined without a clean column. */
  twin(place: number): number | undefined
}

function placesOf(plan: Plan): Places {
  const numbered = (values: readonly unknown[]): ReadonlyMap<unknown, number> =>
    new Map(values.map((value, index) => [value, index]))
  const tasks = numbered(plan.environments.flatMap(({ name, tasks: all }) => all.map(({ id }) => `${name}\n${id}`)))
  const [seeds, temperatures] = [numbered(plan.seeds), numbered(plan.temperatures)]
  const columns = numbered(plan.columns.map(({ label }) => label))
  const pairs = numbered(pairsOf(plan).map(({ model, agent }) => `${model.name}\n${agent.name}`))
  const bases = [seeds.size, temperatures.size, tasks.size, columns.size, pairs.size]
  const clean = plan.columns.findIndex(({ perturbations }) => perturbations.length === 0)
  const split = (place: number): ListedEpisode['at'] => {
    let rest = place
    const digits = bases.toReversed().map((base) => {
      const digit = rest % base
      rest = Math.floor(rest / base)
      return digit
    })
    return Object.fromEntries(axes.map((axis, at) => [axis, digits[axes.length - 1 - at]!])) as ListedEpisode['at']
  }
  return {
    count: bases.reduce((product, base) => product * base, 1),
    perTask: columns.size * pairs.size,
    find({ seed, temperature, environment, task, column, model, agent }) {
      const digits = [
        seeds.get(seed),
        temperatures.get(temperature),
        tasks.get(`${environment}\n${task}`),
        columns.get(column),
        pairs.get(`${model}\n${agent}`),
      ]
      let place = 0
      for (const [at, digit] of digits.entries()) {
        if (digit === undefined) return undefined
        place = place * bases[at]! + digit
      }
      return place
    },
    split,
    twin: (place) => (clean === -1 ? undefined : place + (clean - split(place).column) * pairs.size),
  }
}
