import type { EpisodeRow, Plan, StoredRun } from '../define.js'
import { isValid, pairsOf } from '../define.js'
import { findCopies } from './passes.js'
import type { Dates } from './schema.js'
import type { Tally } from './tally.js'
import { addToTally, emptyTally } from './tally.js'
import { createTwins } from './twins.js'

/** Calls that gave a reply, and their tokens. */
export interface Use {
  calls: number
  promptTokens: number
  completionTokens: number
  /** Replies by finish reasons that are not known, the first {@link maxCounted} of them. */
  readonly finishes: Record<string, number>
  /** Episodes by the name of a model in their replies, the first {@link maxCounted} names. */
  readonly servedBy: Record<string, number>
}

const maxCounted = 20

/** All rows of a run as tallies. */
export interface Tallies {
  /** The tally of a group of the plan; all zeros where it has no row. */
  find(environment: string, model: string, agent: string, condition: string): Tally
  /** Rows that belong to no episode of the plan. */
  readonly strays: number
  /** First and last date of the measurements that have one. */
  readonly dates?: Dates
  /** Calls and tokens by model, over every row, broken ones too. */
  readonly uses: ReadonlyMap<string, Use>
}

const known = new WeakMap<StoredRun['rows'], { readonly plan: Plan; readonly tallies: Tallies }>()

/**
 * Reads the rows of a run once, in any order, keeping numbers only.
 * @throws ShaketableError `store` for two rows of one episode.
 */
export function tallyRows(run: StoredRun): Tallies {
  const before = known.get(run.rows)
  const tallies = before?.plan === run.plan ? before.tallies : readTallies(run)
  known.set(run.rows, { plan: run.plan, tallies })
  return tallies
}

function readTallies({ plan, rows }: StoredRun): Tallies {
  const places = { temperatures: placesOf(plan.temperatures), seeds: placesOf(plan.seeds) }
  const environments = mapOf(plan.environments, ({ name, tasks }) => {
    const shape = { temperatures: plan.temperatures.length, seeds: plan.seeds.length, tasks: tasks.length }
    const models = mapOf(plan.models, (model) => {
      const agents = pairsOf(plan).filter((pair) => pair.model.name === model.name)
      const groupsOf = () => mapOf(plan.conditions, ({ label }) => [label, emptyTally(shape, plan, model.seedsAtZero)])
      return [model.name, mapOf(agents, ({ agent }) => [agent.name, groupsOf()])]
    })
    return [name, { shape, models, tasks: placesOf(tasks.map(({ id }) => id)) }]
  })
  const clean = plan.conditions.find(({ perturbations }) => perturbations.length === 0)?.label
  const twins = createTwins()
  const uses = new Map<string, Use>()
  let strays = 0
  let [first, last] = ['', '']
  for (const row of rows) {
    const environment = environments.get(row.environment)
    const groups = environment?.models.get(row.model)?.get(row.agent)
    const tally = groups?.get(row.condition)
    const task = environment?.tasks.get(row.task)
    const temperature = places.temperatures.get(row.temperature)
    const seed = places.seeds.get(row.seed)
    const pass = (temperature ?? NaN) * plan.seeds.length + (seed ?? NaN)
    if (tally?.planned[pass] !== 1 || task === undefined || temperature === undefined) {
      strays++
      continue
    }
    const slot = pass * tally.shape.tasks + task
    addToTally(tally, slot, temperature, row)
    addUse(uses, row)
    if (!isValid(row.outcome)) continue
    if (clean !== undefined) twins.add(groups!.get(clean)!, tally, slot, row)
    const { date } = row
    if (date === undefined) continue
    if (first === '' || date < first) first = date
    if (date > last) last = date
  }
  for (const { models } of environments.values())
    for (const agents of models.values())
      for (const groups of agents.values()) for (const tally of groups.values()) findCopies(tally)
  return {
    strays,
    uses: mapOf(uses, ([model, use]) => [
      model,
      { ...use, finishes: sortNames(use.finishes), servedBy: sortNames(use.servedBy) },
    ]),
    ...(first !== '' && { dates: { first, last } }),
    find: (environment, model, agent, condition) =>
      environments.get(environment)!.models.get(model)!.get(agent)!.get(condition)!,
  }
}

function mapOf<One, Key, Value>(all: Iterable<One>, of: (one: One) => readonly [Key, Value]): Map<Key, Value> {
  return new Map([...all].map(of))
}

function placesOf<Value>(values: readonly Value[]): Map<Value, number> {
  return new Map(values.map((value, place) => [value, place]))
}

/** Counts by names in order: equal for equal rows, in whatever order they came. */
function sortNames(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1)))
}

function addUse(uses: Map<string, Use>, { model, measures, servedBy = [] }: EpisodeRow): void {
  const use = uses.get(model) ?? { calls: 0, promptTokens: 0, completionTokens: 0, finishes: {}, servedBy: {} }
  uses.set(model, use)
  const count = (counts: Record<string, number>, name: string, times: number): void => {
    if (Object.hasOwn(counts, name) || Object.keys(counts).length < maxCounted)
      counts[name] = (counts[name] ?? 0) + times
  }
  for (const name of servedBy) count(use.servedBy, name, 1)
  for (const finish in measures.finishes) count(use.finishes, finish, measures.finishes[finish]!)
  use.calls += measures.modelCalls
  use.promptTokens += measures.promptTokens
  use.completionTokens += measures.completionTokens
}
