import { type EpisodeRow, type Plan, type StoredRun, isValid, pairsOf } from '../define.js'
import { findCopies } from './passes.js'
import { type Tally, addToTally, emptyTally } from './tally.js'
import { createTwins } from './twins.js'

/** Calls that gave a reply, and their tokens. */
export interface Use {
  calls: number
  promptTokens: number
  completionTokens: number
  /** Replies by finish reasons that are not known, the first {@link maxNames} of them. */
  readonly finishes: Record<string, number>
  /** Episodes by the name of a model in their replies, the first {@link maxNames} names. */
  readonly servedBy: Record<string, number>
}

const maxNames = 20

/** All rows of a run as tallies. */
export type Tallies = ReturnType<typeof readTallies>

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

function readTallies({ plan, rows }: StoredRun) {
  const [temperatures, seeds] = [placesOf(plan.temperatures), placesOf(plan.seeds)]
  const tasks = new Map(
    plan.environments.map((environment) => [environment.name, placesOf(environment.tasks.map(({ id }) => id))]),
  )
  const groups = new Map<string, Tally>()
  for (const environment of plan.environments) {
    const shape = { temperatures: temperatures.size, seeds: seeds.size, tasks: environment.tasks.length }
    for (const { model, agent } of pairsOf(plan))
      for (const { label } of plan.conditions)
        groups.set(keyOf(environment.name, model.name, agent.name, label), emptyTally(shape, plan, model.seedsAtZero))
  }
  const clean = plan.conditions.find(({ perturbations }) => perturbations.length === 0)?.label
  const twins = createTwins()
  const uses = new Map<string, Use>()
  let strays = 0
  let [first, last] = ['', '']
  for (const row of rows) {
    const tally = groups.get(keyOf(row.environment, row.model, row.agent, row.condition))
    const task = tasks.get(row.environment)?.get(row.task)
    const temperature = temperatures.get(row.temperature)
    const pass = (temperature ?? NaN) * seeds.size + (seeds.get(row.seed) ?? NaN)
    if (tally?.planned[pass] !== 1 || task === undefined || temperature === undefined) {
      strays++
      continue
    }
    const slot = pass * tally.shape.tasks + task
    addToTally(tally, slot, temperature, row)
    addUse(uses, row)
    if (!isValid(row.outcome)) continue
    if (clean !== undefined)
      twins.add(groups.get(keyOf(row.environment, row.model, row.agent, clean))!, tally, slot, row)
    const { date } = row
    if (date === undefined) continue
    if (first === '' || date < first) first = date
    if (date > last) last = date
  }
  for (const tally of groups.values()) findCopies(tally)
  return {
    /** Rows that belong to no episode of the plan. */
    strays,
    /** By model, over every row, broken ones too. */
    uses: new Map(
      [...uses].map(([model, { finishes, servedBy, ...use }]) => [
        model,
        { ...use, finishes: sortNames(finishes), servedBy: sortNames(servedBy) },
      ]),
    ),
    /** First and last date of the measurements that have one. */
    dates: first === '' ? undefined : { first, last },
    /** The tally of a group of the plan; all zeros where it has no row. */
    find: (...names: Parameters<typeof keyOf>) => groups.get(keyOf(...names))!,
  }
}

/** The key of a group; no name has a NUL. */
function keyOf(environment: string, model: string, agent: string, condition: string): string {
  return `${environment}\0${model}\0${agent}\0${condition}`
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
  const add = (counts: Record<string, number>, name: string, times: number): void => {
    if (Object.hasOwn(counts, name) || Object.keys(counts).length < maxNames) counts[name] = (counts[name] ?? 0) + times
  }
  for (const name of servedBy) add(use.servedBy, name, 1)
  for (const finish in measures.finishes) add(use.finishes, finish, measures.finishes[finish]!)
  use.calls += measures.modelCalls
  use.promptTokens += measures.promptTokens
  use.completionTokens += measures.completionTokens
}
