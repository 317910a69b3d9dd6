import type { EpisodeRow, Plan, StoredRun } from '../define.js'
import { isChanged, isValid, pairsOf, ShaketableError } from '../define.js'
import type { Measurements, Shape } from './passes.js'
import { findCopies } from './passes.js'
import type { Dates } from './schema.js'
import type { Sums } from './sums.js'
import { addRow, noSums } from './sums.js'
import { createTwins } from './twins.js'

/** What few episodes have, by slot; NaN without it. Absent until an episode has it. */
interface RareSlots {
  /** Mean log-probability of both wordings, and the share of steps in which the present one is likelier. */
  present?: Float64Array
  original?: Float64Array
  preferred?: Float64Array
  /** In mode `alias`, the share of choices of the original wording, by the wording that was listed first. */
  originalFirst?: Float64Array
  aliasFirst?: Float64Array
}

/**
 * The episodes of one environment × model × agent × condition as numbers, 58 bytes each. Arrays have one place for each
 * slot.
 */
export interface Tally extends Measurements {
  readonly stepLimit: number
  /** A hash of the episode's text, equal for copies, otherwise by chance once in 2³²; the slot where it is not known. */
  readonly prints: Uint32Array
  /** Share of actions understood; NaN without a step, and where the environment does not report it. */
  readonly grounding: Float64Array
  /** Number of the first step understood in the new wording; 0 without one. */
  readonly adapted: Uint32Array
  readonly steps: Uint32Array
  /** Of prompts and replies. */
  readonly tokens: Uint32Array
  /** 1 where the dose was not zero (or not recorded). */
  readonly changed: Uint8Array
  /** Steps in which something was changed; NaN where the row does not tell. */
  readonly touched: Float64Array
  /** Distance of the actions from those of the clean twin, see `compareActions`; NaN where it is not known. */
  readonly distance: Float64Array
  /** Step of their first difference; 0 where it is not known. */
  readonly divergence: Uint32Array
  /** Whether the world began as that of the clean twin: 1 where it did, 2 where not, 0 where it is not known. */
  readonly began: Uint8Array
  readonly rare: RareSlots
  /** One for each temperature. */
  readonly sums: readonly Sums[]
}

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

function addToTally(tally: Tally, slot: number, temperature: number, row: EpisodeRow): void {
  if (tally.state[slot] !== 0) {
    throw new ShaketableError(
      'store',
      `Expected one row for each episode, got two for task '${row.task}' of ${row.environment} (condition ${row.condition}, model ` +
        `${row.model}, agent ${row.agent}, temperature ${String(row.temperature)}, seed ${String(row.seed)}). Pass only the latest row of each key.`,
    )
  }
  addRow(tally.sums[temperature]!, row)
  if (!isValid(row.outcome)) {
    tally.state[slot] = 1
    return
  }
  const { measures } = row
  tally.state[slot] = 2
  tally.success[slot] = row.outcome === 'success' ? 1 : 0
  tally.progress[slot] = row.progress
  tally.grounding[slot] = (measures.understood ?? NaN) / measures.steps
  tally.adapted[slot] = measures.adapted ?? 0
  tally.steps[slot] = measures.steps
  tally.tokens[slot] = measures.promptTokens + measures.completionTokens
  tally.changed[slot] = row.dose === undefined || isChanged(row.dose) ? 1 : 0
  tally.touched[slot] = measures.touched ?? NaN
  tally.prints[slot] = row.trace === undefined ? slot : Number.parseInt(row.trace.slice(0, 8), 16)
  const { wordings, choices } = measures
  const keep = (name: keyof RareSlots, value: number): void => {
    tally.rare[name] ??= unknown(tally.state.length)
    tally.rare[name][slot] = value
  }
  const made = choices ? choices.original + choices.alias + choices.mixed : 0
  if (choices && made > 0) keep(`${choices.first}First`, (choices.original + choices.mixed / 2) / made)
  if (wordings && wordings.scored > 0)
    for (const part of ['present', 'original', 'preferred'] as const) keep(part, wordings[part] / wordings.scored)
}

function unknown(slots: number): Float64Array {
  return new Float64Array(slots).fill(NaN)
}

/** The tally of a group without a row. Without `seedsAtZero` every seed is planned at temperature 0 too. */
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
    touched: new Float64Array(slots),
    distance: unknown(slots),
    divergence: new Uint32Array(slots),
    began: new Uint8Array(slots),
    rare: {},
    sums: Array.from({ length: shape.temperatures }, () => noSums(stepLimit)),
    prints: new Uint32Array(slots),
    sameAs: Uint32Array.from({ length: passes }, (_, pass) => pass % shape.seeds),
    planned: Uint8Array.from({ length: passes }, (_, pass) =>
      temperatures[Math.floor(pass / shape.seeds)] !== 0 || pass % shape.seeds < seedsAtZero ? 1 : 0,
    ),
  }
}
