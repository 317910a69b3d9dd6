import type { EpisodeRow, Outcome, StoredRun } from '../../src/define.js'
import { isValid, pairsOf } from '../../src/define.js'

/**
 * The episodes that the page lists: a task's perturbed episodes follow their clean twin, which is the order of play.
 */
export interface EpisodeList {
  readonly episodes: readonly EpisodeRow[]
  /** How many episodes the run has. */
  readonly stored: number
}

/** The maximum number of episodes on the page. */
const maxListed = 20_000

/**
 * Lists a run's episodes. Of a run with more than `max`, only those that ended differently from their clean twin are
 * listed, and the twins, as many as there is room for. Only listed rows are in memory.
 */
export function listEpisodes({ plan, rows }: StoredRun, max = maxListed): EpisodeList {
  const numbered = (values: readonly unknown[]): ReadonlyMap<unknown, number> =>
    new Map(values.map((value, index) => [value, index]))
  const seeds = numbered(plan.seeds)
  const temperatures = numbered(plan.temperatures)
  const tasks = numbered(plan.environments.flatMap(({ name, tasks }) => tasks.map(({ id }) => `${name}\n${id}`)))
  const columns = numbered(plan.columns.map(({ label }) => label))
  const pairs = numbered(pairsOf(plan).map(({ model, agent }) => `${model.name}\n${agent.name}`))
  /** The place of an episode in the order of play; NaN for one that the plan does not have. */
  const placeOf = ({ seed, temperature, environment, task, column, model, agent }: EpisodeRow): number =>
    [
      [seeds.size, seeds.get(seed)] as const,
      [temperatures.size, temperatures.get(temperature)] as const,
      [tasks.size, tasks.get(`${environment}\n${task}`)] as const,
      [columns.size, columns.get(column)] as const,
      [pairs.size, pairs.get(`${model}\n${agent}`)] as const,
    ].reduce((place, [size, index = NaN]) => place * size + index, 0)

  const ends = new Uint8Array(seeds.size * temperatures.size * tasks.size * columns.size * pairs.size)
  for (const row of rows) ends[placeOf(row)] = endOf(row.outcome)
  const stored = ends.reduce((count, end) => (end === missing ? count : count + 1), 0)
  const clean = plan.columns.findIndex(({ perturbations }) => perturbations.length === 0)
  const chosen = new Set<number>()
  for (let place = 0; stored > max && place < ends.length && chosen.size < max - 1; place++) {
    const twin = place + (clean - (Math.floor(place / pairs.size) % columns.size)) * pairs.size
    const [end, before] = [ends[place], ends[twin]]
    if (clean === -1 && end !== missing) chosen.add(place)
    if (clean !== -1 && end !== missing && before !== missing && end !== before) chosen.add(place).add(twin)
  }
  const listed: { readonly row: EpisodeRow; readonly place: number }[] = []
  for (const row of rows) {
    const place = placeOf(row)
    if (stored > max ? chosen.has(place) : !Number.isNaN(place)) listed.push({ row, place })
  }
  listed.sort((one, other) => one.place - other.place)
  return { episodes: listed.map(({ row }) => row), stored }
}

const missing = 0

/** How an episode ended: 1 broken, 2 failed, 3 solved. */
function endOf(outcome: Outcome): number {
  return !isValid(outcome) ? 1 : outcome === 'success' ? 3 : 2
}
