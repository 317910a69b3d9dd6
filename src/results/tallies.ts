import type { EpisodeRow, Plan, PlannedEnvironment, StoredRun } from '../define.js'
import { isValid, pairsOf } from '../define.js'
import { findCopies } from './passes.js'
import type { Dates } from './schema.js'
import type { Tally, Use } from './tally.js'
import { addToTally, emptyTally, maxFinishes, maxNames } from './tally.js'
import { createTwins } from './twins.js'

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

/**
 * Reads the rows once, in any order, keeping numbers only.
 * @throws ShaketableError `store` for two rows of one episode.
 */
export function tallyRows(run: StoredRun): Tallies {
  const environments: Environments = new Map(
    run.plan.environments.map((environment) => [environment.name, open(run.plan, environment)]),
  )
  const counted = countRows(run, environments)
  for (const { all } of environments.values()) for (const tally of all()) findCopies(tally)
  return {
    ...counted,
    find: (environment, model, agent, condition) => environments.get(environment)!.find(model, agent, condition),
  }
}

type Environments = ReadonlyMap<string, ReturnType<typeof open>>

function countRows({ plan, rows }: StoredRun, environments: Environments): Omit<Tallies, 'find'> {
  const temperatures = placesOf(plan.temperatures)
  const seeds = placesOf(plan.seeds)
  const agentsOf = new Map<string, Set<string>>()
  for (const { model, agent } of pairsOf(plan)) getOr(agentsOf, model.name, () => new Set()).add(agent.name)
  const conditions = new Set(plan.conditions.map(({ label }) => label))
  const clean = plan.conditions.find(({ perturbations }) => perturbations.length === 0)?.label
  const twins = createTwins()
  const uses = new Map<string, Use>()
  let strays = 0
  let dates: Dates | undefined
  for (const row of rows) {
    const environment = environments.get(row.environment)
    const task = environment?.tasks.get(row.task)
    const temperature = temperatures.get(row.temperature)
    const seed = seeds.get(row.seed)
    const known = agentsOf.get(row.model)?.has(row.agent) === true && conditions.has(row.condition)
    if (environment === undefined || task === undefined || temperature === undefined || seed === undefined || !known) {
      strays++
      continue
    }
    const { shape } = environment
    const pass = temperature * shape.seeds + seed
    const tally = environment.find(row.model, row.agent, row.condition)
    if (tally.planned[pass] === 0) {
      strays++
      continue
    }
    const slot = pass * shape.tasks + task
    addToTally(tally, slot, temperature, row)
    if (clean !== undefined && isValid(row.outcome))
      twins.add(environment.find(row.model, row.agent, clean), tally, slot, row)
    addUse(
      getOr(uses, row.model, () => ({ calls: 0, promptTokens: 0, completionTokens: 0, finishes: {}, servedBy: {} })),
      row,
    )
    const { date } = row
    if (date !== undefined && isValid(row.outcome) && (dates === undefined || date < dates.first || date > dates.last))
      dates = { first: earlier(date, dates?.first), last: later(date, dates?.last) }
  }
  return { strays, uses: inOrder(uses), ...(dates && { dates }) }
}

/** Counts by names in order: equal for equal rows, in whatever order they came. */
function inOrder(uses: ReadonlyMap<string, Use>): Tallies['uses'] {
  const sorted = (counts: Record<string, number>): Record<string, number> =>
    Object.fromEntries(Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1)))
  return new Map(
    [...uses].map(([model, use]) => [
      model,
      { ...use, finishes: sorted(use.finishes), servedBy: sorted(use.servedBy) },
    ]),
  )
}

/** Adds to the count of a name, of at most so many names. */
function addCount(counts: Record<string, number>, name: string, times: number, maxNames: number): void {
  if (!Object.hasOwn(counts, name) && Object.keys(counts).length >= maxNames) return
  counts[name] = (counts[name] ?? 0) + times
}

function addUse(use: Use, { measures, servedBy = [] }: EpisodeRow): void {
  const { modelCalls, promptTokens, completionTokens, finishes = {} } = measures
  for (const name of servedBy) addCount(use.servedBy, name, 1, maxNames)
  for (const [finish, replies] of Object.entries(finishes)) {
    addCount(use.finishes, finish, replies, maxFinishes)
  }
  use.calls += modelCalls
  use.promptTokens += promptTokens
  use.completionTokens += completionTokens
}

function earlier(date: string, other = date): string {
  return date < other ? date : other
}

function later(date: string, other = date): string {
  return date > other ? date : other
}

function open(plan: Plan, environment: PlannedEnvironment) {
  const shape = { temperatures: plan.temperatures.length, seeds: plan.seeds.length, tasks: environment.tasks.length }
  const tallies = new Map<string, Map<string, Map<string, Tally>>>()
  return {
    shape,
    tasks: placesOf(environment.tasks.map(({ id }) => id)),
    find(model: string, agent: string, condition: string): Tally {
      const known = tallies.get(model)?.get(agent)?.get(condition)
      if (known !== undefined) return known
      const byAgent = getOr(tallies, model, () => new Map<string, Map<string, Tally>>())
      const byCondition = getOr(byAgent, agent, () => new Map<string, Tally>())
      return getOr(byCondition, condition, () => {
        const seedsAtZero = plan.models.find(({ name }) => name === model)?.seedsAtZero
        return emptyTally(shape, plan, seedsAtZero)
      })
    },
    all: (): Tally[] =>
      [...tallies.values()].flatMap((byAgent) =>
        [...byAgent.values()].flatMap((byCondition) => [...byCondition.values()]),
      ),
  }
}

function placesOf<Value>(values: readonly Value[]): Map<Value, number> {
  return new Map(values.map((value, place) => [value, place]))
}

function getOr<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
