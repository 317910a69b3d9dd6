import { type EpisodeRow, type StoredRun, pairsOf } from '../../src/define.js'
import { tallyRows } from '../../src/results/tallies.js'

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
 * listed, and the twins, as many as there is room for: what came of all of them is in the tallies of the run. Those
 * that ended in an error are not: their rows come last, after all others.
 */
export function listEpisodes(run: StoredRun, max = maxListed): EpisodeList {
  const { plan, rows } = run
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
  const ends = endsOf(run)
  const stored = ends.reduce((count, end) => count + Number(end !== missing), 0)
  const chosen = new Set<number>()
  if (stored > max) {
    const clean = plan.conditions.findIndex(({ perturbations }) => perturbations.length === 0)
    for (let place = 0; place < ends.length && chosen.size < max - 1; place++) {
      const twin = place + (clean - (Math.floor(place / pairs.length) % plan.conditions.length)) * pairs.length
      const [end, before] = [ends[place], ends[twin]]
      if (clean === -1 && isMeasured(end)) chosen.add(place)
      if (clean !== -1 && isMeasured(end) && isMeasured(before) && end !== before) chosen.add(place).add(twin)
    }
  }
  const listed = new Map<number, EpisodeRow>()
  for (const row of rows) {
    const place = placeOf(row)
    if (stored > max ? chosen.has(place) : !Number.isNaN(place)) listed.set(place, row)
    // They are the first in the order of play, in which rows are stored, about.
    if (stored > max && listed.size === chosen.size) break
  }
  const places = [...listed.keys()].sort((one, other) => one - other)
  return { episodes: places.map((place) => listed.get(place)!), stored }
}

const [missing, broken] = [0, 1]

const isMeasured = (end: number | undefined): boolean => end !== undefined && end > broken

/** How the episodes of a run ended, in the order of play: 1 broken, 2 failed, 3 solved. */
function endsOf(run: StoredRun): Uint8Array {
  const { environments, temperatures, seeds, conditions } = run.plan
  const { find } = tallyRows(run)
  const ends: number[] = []
  for (const seed of seeds.keys())
    for (const temperature of temperatures.keys())
      for (const { name: environment, tasks } of environments) {
        const groups = conditions.flatMap(({ label }) =>
          pairsOf(run.plan).map(({ model, agent }) => find(environment, model.name, agent.name, label)),
        )
        const pass = temperature * seeds.length + seed
        for (const task of tasks.keys())
          for (const { state, success } of groups) {
            const slot = pass * tasks.length + task
            ends.push(state[slot]! + (state[slot] === 2 ? success[slot]! : 0))
          }
      }
  return Uint8Array.from(ends)
}
