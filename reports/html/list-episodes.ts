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
  const [seeds, temperatures] = [numbered(plan.seeds), numbered(plan.temperatures)]
  const tasks = numberedPairs(
    plan.environments.flatMap(({ name, tasks }) => tasks.map(({ id }) => [name, id] as const)),
  )
  const conditions = numbered(plan.conditions.map(({ label }) => label))
  const pairs = numberedPairs(pairsOf(plan).map(({ model, agent }) => [model.name, agent.name] as const))
  const sizes = [seeds.size, temperatures.size, tasks.size, conditions.size, pairs.size]
  /** The place of an episode in the order of play; NaN for one that the plan does not have. */
  const placeOf = ({ seed, temperature, environment, task, condition, model, agent }: EpisodeRow): number =>
    [
      ...[seeds.get(seed), temperatures.get(temperature), tasks.of.get(environment)?.get(task)],
      ...[conditions.get(condition), pairs.of.get(model)?.get(agent)],
    ].reduce<number>((place, index, axis) => place * sizes[axis]! + (index ?? NaN), 0)

  const ends = new Uint8Array(sizes.reduce((product, size) => product * size, 1))
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
    const chosen = chooseChanged(ends, pairs.size, conditions.size, clean, max)
    listed.clear()
    for (const row of rows) if (chosen.has(placeOf(row))) listed.set(placeOf(row), row)
  }
  const places = [...listed.keys()].sort((one, other) => one - other)
  return { episodes: places.map((place) => listed.get(place)!), stored }
}

/** The places of episodes that ended differently from their twins, and of these twins; without twins all of them. */
function chooseChanged(ends: Uint8Array, pairs: number, conditions: number, clean: number, max: number): Set<number> {
  const chosen = new Set<number>()
  for (let place = 0; place < ends.length && chosen.size < max - 1; place++) {
    const twin = place + (clean - (Math.floor(place / pairs) % conditions)) * pairs
    const [end, before] = [ends[place], ends[twin]]
    if (clean === -1 && end !== missing) chosen.add(place)
    if (clean !== -1 && end !== missing && before !== missing && end !== before) chosen.add(place).add(twin)
  }
  return chosen
}

const missing = 0

/** How an episode ended: 1 broken, 2 failed, 3 solved. */
function endOf(outcome: Outcome): number {
  return !isValid(outcome) ? 1 : outcome === 'success' ? 3 : 2
}

function numbered(values: readonly unknown[]): ReadonlyMap<unknown, number> {
  return new Map(values.map((value, index) => [value, index]))
}

/** Numbers pairs of names, by the first and then by the second. */
function numberedPairs(all: readonly (readonly [string, string])[]) {
  const of = new Map(all.map(([first]) => [first, new Map<string, number>()]))
  all.forEach(([first, second], index) => of.get(first)!.set(second, index))
  return { of, size: all.length }
}
