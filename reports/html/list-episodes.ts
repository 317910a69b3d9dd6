import type { EpisodeRow, Outcome, StoredRun } from '../../src/define.js'
import { isValid, pairsOf } from '../../src/define.js'

/**
 * An episode that the page lists, with the indexes of what identifies it: of the tasks of all environments, of the
 * plan's columns, seeds and temperatures, and of its models each with its agents.
 */
export type ListedEpisode = Pick<EpisodeRow, 'key' | 'outcome' | 'progress' | 'measures' | 'dose' | 'error'> & {
  readonly at: Readonly<Record<Axis, number>>
}

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
export function listEpisodes({ plan, rows }: StoredRun, max = maxListed): EpisodeList {
  const numbered = (values: readonly unknown[]): ReadonlyMap<unknown, number> =>
    new Map(values.map((value, index) => [value, index]))
  const numbers = {
    seed: numbered(plan.seeds),
    temperature: numbered(plan.temperatures),
    task: numbered(plan.environments.flatMap(({ name, tasks }) => tasks.map(({ id }) => `${name}\n${id}`))),
    column: numbered(plan.columns.map(({ label }) => label)),
    pair: numbered(pairsOf(plan).map(({ model, agent }) => `${model.name}\n${agent.name}`)),
  }
  const all: ListedEpisode[] = []
  for (const row of rows) {
    const { key, outcome, progress, measures, dose, error } = row
    const names = { ...row, task: `${row.environment}\n${row.task}`, pair: `${row.model}\n${row.agent}` }
    const at = Object.fromEntries(axes.map((axis) => [axis, numbers[axis].get(names[axis])]))
    if (Object.values(at).includes(undefined)) continue
    const optional = { ...(dose !== undefined && { dose }), ...(error !== undefined && { error }) }
    all.push({ key, outcome, progress, measures, ...optional, at: at as ListedEpisode['at'] })
  }
  all.sort((one, other) => {
    const axis = axes.find((each) => one.at[each] !== other.at[each])
    return axis === undefined ? 0 : one.at[axis] - other.at[axis]
  })
  if (all.length <= max) return { episodes: all, stored: all.length }
  const clean = plan.columns.findIndex(({ perturbations }) => perturbations.length === 0)
  return { episodes: onlyChanged(all, clean).slice(0, max), stored: all.length }
}

/** Those that ended differently from their twin, and the twins; all of them without a clean column. */
function onlyChanged(all: readonly ListedEpisode[], clean: number): readonly ListedEpisode[] {
  if (clean === -1) return all
  const twinKey = ({ at: { seed, temperature, task, pair } }: ListedEpisode): string =>
    [seed, temperature, task, pair].join()
  const twins = new Map(all.filter(({ at }) => at.column === clean).map((one) => [twinKey(one), one]))
  const chosen = new Set<ListedEpisode>()
  for (const one of all) {
    const twin = twins.get(twinKey(one))
    if (twin === undefined || endOf(twin.outcome) === endOf(one.outcome)) continue
    chosen.add(one).add(twin)
  }
  return all.filter((one) => chosen.has(one))
}

function endOf(outcome: Outcome): 'solved' | 'lost' | 'broken' {
  return !isValid(outcome) ? 'broken' : outcome === 'success' ? 'solved' : 'lost'
}
