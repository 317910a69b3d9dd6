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
 * listed, and the twins, as many as there is room for. Rows beyond `max` are read twice, so that few are in memory.
 */
export function listEpisodes({ plan, rows }: StoredRun, max = maxListed): EpisodeList {
  const tasks = plan.environments.flatMap(({ name, tasks }) => tasks.map(({ id }) => `${name}\n${id}`))
  const pairs = pairsOf(plan).map(({ model, agent }) => `${model.name}\n${agent.name}`)
  const axes = [plan.seeds, plan.temperatures, tasks, plan.conditions.map(({ label }) => label), pairs].map(
    (values: readonly unknown[]) => new Map(values.map((value, place) => [value, place])),
  )
  /** The place of an episode in the order of play; NaN for one that the plan does not have. */
  const placeOf = ({ seed, temperature, environment, task, condition, model, agent }: EpisodeRow): number =>
    [seed, temperature, `${environment}\n${task}`, condition, `${model}\n${agent}`].reduce<number>(
      (place, value, axis) => place * axes[axis]!.size + (axes[axis]!.get(value) ?? NaN),
      0,
    )
  const ends = new Uint8Array(axes.reduce((product, { size }) => product * size, 1))
  const listed = new Map<number, EpisodeRow>()
  let stored = 0
  for (const row of rows) {
    const place = placeOf(row)
    if (Number.isNaN(place)) continue
    ends[place] = endOf(row.outcome)
    if (++stored <= max) listed.set(place, row)
  }
  if (stored > max) {
    const clean = plan.conditions.findIndex(({ perturbations }) => perturbations.length === 0)
    const chosen = new Set<number>()
    for (let place = 0; place < ends.length && chosen.size < max - 1; place++) {
      const twin = place + (clean - (Math.floor(place / pairs.length) % plan.conditions.length)) * pairs.length
      const [end, before] = [ends[place], ends[twin]]
      if (clean === -1 && end !== missing) chosen.add(place)
      if (clean !== -1 && end !== missing && before !== missing && end !== before) chosen.add(place).add(twin)
    }
    listed.clear()
    for (const row of rows) if (chosen.has(placeOf(row))) listed.set(placeOf(row), row)
  }
  const places = [...listed.keys()].sort((one, other) => one - other)
  return { episodes: places.map((place) => listed.get(place)!), stored }
}

const missing = 0

/** How an episode ended: 1 broken, 2 failed, 3 solved. */
function endOf(outcome: Outcome): number {
  return !isValid(outcome) ? 1 : outcome === 'success' ? 3 : 2
}
