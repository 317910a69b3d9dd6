import { type EpisodeRow, type StoredRun, isValid, pairsOf } from '../../src/define.js'

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
 * listed, and the twins, as many as there is room for; of one without a clean condition the first. Those that ended in
 * an error are not.
 */
export function listEpisodes({ plan, rows }: Pick<StoredRun, 'plan' | 'rows'>, max = maxListed): EpisodeList {
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
  const clean = plan.conditions.find(({ perturbations }) => perturbations.length === 0)?.label
  let stored = 0
  const twins = new Map<number, EpisodeRow>()
  for (const row of rows) {
    const place = placeOf(row)
    if (Number.isNaN(place)) continue
    stored++
    if (row.condition === clean && isValid(row.outcome)) twins.set(place, row)
  }
  const listed = new Map<number, EpisodeRow>()
  for (const row of rows) {
    const place = placeOf(row)
    const twinPlace = clean === undefined ? NaN : placeOf({ ...row, condition: clean })
    const twin = twins.get(twinPlace)
    const isOther =
      twin === undefined ? clean === undefined : (twin.outcome === 'success') !== (row.outcome === 'success')
    const isChosen = stored <= max || (isOther && isValid(row.outcome) && listed.size < max - 1)
    if (!isChosen || Number.isNaN(place)) continue
    listed.set(place, row)
    if (stored > max && twin) listed.set(twinPlace, twin)
  }
  const places = [...listed.keys()].sort((one, other) => one - other)
  return { episodes: places.map((place) => listed.get(place)!), stored }
}
