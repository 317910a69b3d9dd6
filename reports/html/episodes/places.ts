import type { EpisodeRow, Plan } from 'shaketable'
import { pairsOf } from 'shaketable'

/**
 * The order of episodes on the page, which is that of play: a task's perturbed episodes lie beside their clean twin.
 */
export interface Places {
  /** How many episodes the plan has. */
  readonly count: number
  /** How many of them have one task, seed and temperature; they lie side by side. */
  readonly perTask: number
  /** A row's place; undefined where the plan has no such episode. */
  find(row: EpisodeRow): number | undefined
  /** Whether the plan has a clean column. */
  readonly hasTwins: boolean
  /** The place of an episode's clean twin; its own for a clean one, and without a clean column. */
  twin(place: number): number
}

/** Lays a plan's episodes out; see PackedIndex for what a place is. */
export function placesOf(plan: Plan): Places {
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
  for (const [place, { model, agent }] of pairs.entries()) agents.get(model.name)!.set(agent.name, place)
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
