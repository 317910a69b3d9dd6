import type { EpisodeRow, Plan, PlannedEnvironment, StoredRun } from 'shaketable'
import { isChanged, isValid, pairsOf, ShaketableError } from 'shaketable'
import type { Passes, Shape } from './passes.js'
import { fingerprint, findCopies } from './passes.js'
import type { Counted, NamedTally } from './kept-tallies.js'
import { keepTallies, restoreTallies } from './kept-tallies.js'
import type { Sums } from './sums.js'
import { addRow, noSums } from './sums.js'
import type { Dates } from './schema.js'

/** Means of one episode, by slot; NaN where no step was scored. */
interface WordingSlots {
  readonly present: Float64Array
  readonly original: Float64Array
  readonly preferred: Float64Array
}

/**
 * Share of an episode's choices of the original wording, by slot and by the wording listed first; NaN without a choice.
 */
interface ChoiceSlots {
  readonly originalFirst: Float64Array
  readonly aliasFirst: Float64Array
}

/**
 * The episodes of one environment × model × agent × column as numbers, 35 bytes each. Arrays have one place for each
 * slot.
 */
export interface Tally extends Passes {
  readonly stepLimit: number
  readonly success: Uint8Array
  readonly progress: Float64Array
  /** Share of actions understood; NaN without a step, and where the environment does not report it. */
  readonly grounding: Float64Array
  /** Number of the first step understood in the new wording; 0 without one. */
  readonly adapted: Uint32Array
  readonly steps: Uint32Array
  /** Of prompts and replies. */
  readonly tokens: Uint32Array
  /** 1 where the dose was not zero (or not recorded). */
  readonly changed: Uint8Array
  /** Of episodes with log-probabilities of both wordings. Absent until there is one. */
  wordings?: WordingSlots
  /** Of episodes in mode `alias`. Absent until there is one with a choice. */
  choices?: ChoiceSlots
  /** One for each temperature. */
  readonly sums: readonly Sums[]
  /** A buffer for the values of one task, which every computation may overwrite. */
  readonly scratch: Float64Array
}

/** All rows of a run as tallies. */
export interface Tallies {
  /** The tally of a group of the plan; all zeros where it has no row. */
  find(environment: string, model: string, agent: string, column: string): Tally
  /** Rows that belong to no episode of the plan. */
  readonly strays: number
  /** First and last date of the measurements that have one. */
  readonly dates?: Dates
  /** Calls and tokens by model, over every row, broken ones too. */
  readonly uses: ReadonlyMap<string, Use>
}

/** Calls that gave a reply, and their tokens. */
export interface Use {
  calls: number
  promptTokens: number
  completionTokens: number
}

/**
 * Reads the rows once, in any order, keeping numbers only; those of the run's index in their place where it has them.
 * @throws ShaketableError `store` for two rows of one episode.
 */
export function tallyRows(run: StoredRun): Tallies {
  const { plan, index } = run
  const openAll = (): Environments =>
    new Map(plan.environments.map((environment) => [environment.name, open(plan, environment)]))
  let environments = openAll()
  let counted = restoreTallies(index?.read(indexName), (environment, ...names) =>
    environments.get(environment)!.find(...names),
  )
  if (counted === undefined) {
    environments = openAll()
    counted = countRows(run, environments)
    index?.write(
      indexName,
      keepTallies(
        [...environments.values()].flatMap(({ all }) => all()),
        counted,
      ),
    )
  }
  for (const { all } of environments.values()) for (const { tally } of all()) findCopies(tally)
  const { strays, dates, uses } = counted
  return {
    strays,
    uses: new Map(uses),
    ...(dates && { dates }),
    find: (environment, model, agent, column) => environments.get(environment)!.find(model, agent, column),
  }
}

const indexName = 'tallies'

type Environments = ReadonlyMap<string, ReturnType<typeof open>>

function countRows({ plan, rows, unordered = rows }: StoredRun, environments: Environments): Counted {
  const temperatures = placesOf(plan.temperatures)
  const seeds = placesOf(plan.seeds)
  const agentsOf = new Map<string, Set<string>>()
  for (const { model, agent } of pairsOf(plan)) getOr(agentsOf, model.name, () => new Set()).add(agent.name)
  const columns = new Set(plan.columns.map(({ label }) => label))
  const uses = new Map<string, Use>()
  let strays = 0
  let dates: Dates | undefined
  for (const row of unordered) {
    const environment = environments.get(row.environment)
    const task = environment?.tasks.get(row.task)
    const temperature = temperatures.get(row.temperature)
    const seed = seeds.get(row.seed)
    const known = agentsOf.get(row.model)?.has(row.agent) === true && columns.has(row.column)
    if (environment === undefined || task === undefined || temperature === undefined || seed === undefined || !known) {
      strays++
      continue
    }
    const { shape } = environment
    const slot = (temperature * shape.seeds + seed) * shape.tasks + task
    add(environment.find(row.model, row.agent, row.column), slot, temperature, row)
    addUse(
      getOr(uses, row.model, () => ({ calls: 0, promptTokens: 0, completionTokens: 0 })),
      row,
    )
    const { date } = row
    if (date !== undefined && isValid(row.outcome) && (dates === undefined || date < dates.first || date > dates.last))
      dates = { first: earlier(date, dates?.first), last: later(date, dates?.last) }
  }
  return { strays, uses: [...uses], ...(dates && { dates }) }
}

function addUse(use: Use, { measures: { modelCalls, promptTokens, completionTokens, wordings } }: EpisodeRow): void {
  use.calls += modelCalls + (wordings?.calls ?? 0)
  use.promptTokens += promptTokens + (wordings?.promptTokens ?? 0)
  use.completionTokens += completionTokens + (wordings?.completionTokens ?? 0)
}

function earlier(date: string, other = date): string {
  return date < other ? date : other
}

function later(date: string, other = date): string {
  return date > other ? date : other
}

function add(tally: Tally, slot: number, temperature: number, row: EpisodeRow): void {
  if (tally.state[slot] !== 0) {
    throw new ShaketableError(
      'store',
      `Expected one row for each episode, got two for task '${row.task}' of ${row.environment} (column ${row.column}, model ` +
        `${row.model}, agent ${row.agent}, temperature ${String(row.temperature)}, seed ${String(row.seed)}). Pass only the latest row of each key.`,
    )
  }
  addRow(tally.sums[temperature]!, row)
  if (!isValid(row.outcome)) {
    tally.state[slot] = 1
    return
  }
  tally.state[slot] = 2
  tally.success[slot] = row.outcome === 'success' ? 1 : 0
  tally.progress[slot] = row.progress
  tally.grounding[slot] = (row.measures.understood ?? NaN) / row.measures.steps
  tally.adapted[slot] = row.measures.adapted ?? 0
  tally.steps[slot] = row.measures.steps
  tally.tokens[slot] = row.measures.promptTokens + row.measures.completionTokens
  tally.changed[slot] = row.dose === undefined || isChanged(row.dose) ? 1 : 0
  tally.prints[slot] = fingerprint(row)
  const { wordings, choices } = row.measures
  const made = choices ? choices.original + choices.alias + choices.mixed : 0
  if (choices !== undefined && made > 0) {
    const slots = (tally.choices ??= noChoices(tally.state.length))
    slots[`${choices.first}First`][slot] = (choices.original + choices.mixed / 2) / made
  }
  if (wordings === undefined || wordings.scored === 0) return
  const slots = (tally.wordings ??= noWordings(tally.state.length))
  for (const part of ['present', 'original', 'preferred'] as const) slots[part][slot] = wordings[part] / wordings.scored
}

function open(plan: Plan, environment: PlannedEnvironment) {
  const shape = { temperatures: plan.temperatures.length, seeds: plan.seeds.length, tasks: environment.tasks.length }
  const tallies = new Map<string, Map<string, Map<string, Tally>>>()
  return {
    shape,
    tasks: placesOf(environment.tasks.map(({ id }) => id)),
    find(model: string, agent: string, column: string): Tally {
      const known = tallies.get(model)?.get(agent)?.get(column)
      if (known !== undefined) return known
      const byAgent = getOr(tallies, model, () => new Map<string, Map<string, Tally>>())
      const byColumn = getOr(byAgent, agent, () => new Map<string, Tally>())
      return getOr(byColumn, column, () => {
        const seedsAtZero = plan.models.find(({ name }) => name === model)?.seedsAtZero
        return emptyTally(shape, plan, seedsAtZero)
      })
    },
    all: (): NamedTally[] =>
      [...tallies].flatMap(([model, byAgent]) =>
        [...byAgent].flatMap(([agent, byColumn]) =>
          [...byColumn].map(([column, tally]) => ({ names: [environment.name, model, agent, column], tally })),
        ),
      ),
  }
}

function noWordings(slots: number): WordingSlots {
  return { present: unknown(slots), original: unknown(slots), preferred: unknown(slots) }
}

function noChoices(slots: number): ChoiceSlots {
  return { originalFirst: unknown(slots), aliasFirst: unknown(slots) }
}

function unknown(slots: number): Float64Array {
  return new Float64Array(slots).fill(NaN)
}

function emptyTally(shape: Shape, { temperatures, stepLimit }: Plan, seedsAtZero = Infinity): Tally {
  const passes = shape.temperatures * shape.seeds
  const slots = passes * shape.tasks
  return {
    shape,
    stepLimit,
    state: new Uint8Array(slots),
    success: new Uint8Array(slots),
    progress: new Float64Array(slots),
    grounding: new Float64Array(slots),
    adapted: new Uint32Array(slots),
    steps: new Uint32Array(slots),
    tokens: new Uint32Array(slots),
    changed: new Uint8Array(slots),
    sums: Array.from({ length: shape.temperatures }, () => noSums(stepLimit)),
    prints: new Uint32Array(slots),
    sameAs: Uint32Array.from({ length: passes }, (_, pass) => pass % shape.seeds),
    planned: Uint8Array.from({ length: passes }, (_, pass) =>
      temperatures[Math.floor(pass / shape.seeds)] !== 0 || pass % shape.seeds < seedsAtZero ? 1 : 0,
    ),
    scratch: new Float64Array(passes),
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
