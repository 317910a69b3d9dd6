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
  /** All rows, while they are few enough. */
  let few: (readonly [place: number, row: EpisodeRow])[] | undefined = []
  for (const row of run.rows) {
    const place = places.find(row)
    if (place === undefined) continue
    ends[place] = endOf(row.outcome)
    if (few?.push([place, row]) === max + 1) few = undefined
  }
  const stored = ends.reduce((count, end) => (end === missing ? count : count + 1), 0)
  const listed = few ?? rowsAt(run, places, chooseChanged(ends, places, max))
  const episodes = listed
    .sort(([one], [other]) => one - other)
    .map(([place, { key, outcome, progress, measures, dose, error }]): ListedEpisode => {
      const optional = { ...(dose !== undefined && { dose }), ...(error !== undefined && { error }) }
      return { at: places.at(place), key, outcome, progress, measures, ...optional }
    })
  return { episodes, stored }
}

function rowsAt({ rows }: StoredRun, places: Places, isListed: (place: number) => boolean): [number, EpisodeRow][] {
  const listed: [number, EpisodeRow][] = []
  for (const row of rows) {
    const place = places.find(row)
    if (place !== undefined && isListed(place)) listed.push([place, row])
  }
  return listed
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
  /** The indexes behind a place. */
  at(place: number): ListedEpisode['at']
  /** The place of an episode's clean twin, its own for a clean one; undefined without a clean column. */
  twin(place: number): number | undefined
}

function placesOf(plan: Plan): Places {
  const numbered = (values: readonly unknown[]): ReadonlyMap<unknown, number> =>
    new Map(values.map((value, index) => [value, index]))
  /** Numbers pairs of names, by the first and then by the second. */
  const numberedPairs = (all: readonly (readonly [string, string])[]): ReadonlyMap<string, Map<string, number>> => {
    const seconds = new Map(all.map(([first]) => [first, new Map<string, number>()]))
    all.forEach(([first, second], index) => seconds.get(first)!.set(second, index))
    return seconds
  }
  const allTasks = plan.environments.flatMap(({ name, tasks }) => tasks.map(({ id }) => [name, id] as const))
  const allPairs = pairsOf(plan).map(({ model, agent }) => [model.name, agent.name] as const)
  const [tasks, pairs] = [numberedPairs(allTasks), numberedPairs(allPairs)]
  const [seeds, temperatures] = [numbered(plan.seeds), numbered(plan.temperatures)]
  const columns = numbered(plan.columns.map(({ label }) => label))
  const clean = plan.columns.findIndex(({ perturbations }) => perturbations.length === 0)
  const sizes: Readonly<Record<Axis, number>> = {
    seed: seeds.size,
    temperature: temperatures.size,
    task: allTasks.length,
    column: columns.size,
    pair: allPairs.length,
  }
  return {
    count: axes.reduce((product, axis) => product * sizes[axis], 1),
    perTask: columns.size * allPairs.length,
    find({ seed, temperature, environment, task, column, model, agent }) {
      const at = {
        seed: seeds.get(seed),
        temperature: temperatures.get(temperature),
        task: tasks.get(environment)?.get(task),
        column: columns.get(column),
        pair: pairs.get(model)?.get(agent),
      }
      let place = 0
      for (const axis of axes) {
        const index = at[axis]
        if (index === undefined) return undefined
        place = place * sizes[axis] + index
      }
      return place
    },
    at(place) {
      let rest = place
      const indexes = axes.toReversed().map((axis) => {
        const index = rest % sizes[axis]
        rest = (rest - index) / sizes[axis]
        return [axis, index] as const
      })
      return Object.fromEntries(indexes) as ListedEpisode['at']
    },
    twin(place) {
      const column = Math.floor(place / allPairs.length) % columns.size
      return clean === -1 ? undefined : place + (clean - column) * allPairs.length
    },
  }
}
