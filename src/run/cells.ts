import { hash } from 'node:crypto'
import type { EpisodeIdentity } from '../results/episode-row.js'
import type { EpisodeRow } from '../results/episode-row.js'
import { canonicalJson } from '../core/episode.js'
import { settingsOf, usedIn } from '../core/perturbation.js'
import type { Pair, Plan, PlannedCondition, PlannedEnvironment, PlannedModel } from './plan.js'
import { conditionsIn, pairsOf } from './plan.js'

type PlannedPair = Pair<PlannedModel, Plan['agents'][number]>

/** One episode of the grid, as planned. */
export interface Cell extends PlannedPair {
  /** Index in the order of play, from 0. */
  readonly index: number
  /** Index of its condition, model and agent among all such combinations of a plan. */
  readonly combination: number
  readonly environment: PlannedEnvironment
  readonly task: PlannedEnvironment['tasks'][number]
  readonly condition: PlannedCondition
  readonly temperature: number
  readonly seed: number
}

/** The largest plan of a run: its rows are kept in memory when they are read. */
export const maxCells = 1_000_000

/** Number of episodes in a plan, which may be too many to be listed. */
export function countCells(plan: Plan): number {
  const rows = plan.environments.reduce(
    (sum, { name, tasks }) => sum + tasks.length * conditionsIn(plan.conditions, name).length,
    0,
  )
  const passes = pairsOf(plan).reduce((sum, { model: { seedsAtZero = Infinity } }) => {
    const seedsAt = (temperature: number): number =>
      temperature === 0 ? Math.min(plan.seeds.length, seedsAtZero) : plan.seeds.length
    return plan.temperatures.reduce((total, temperature) => total + seedsAt(temperature), sum)
  }, 0)
  return rows * passes
}

/** The episodes of an environment at one seed and temperature: a block in the order of play. */
interface Block {
  readonly environment: PlannedEnvironment
  readonly conditions: readonly PlannedCondition[]
  readonly pairs: readonly PlannedPair[]
  readonly temperature: number
  readonly seed: number
  /** Index of its first episode. Tasks are outermost in it, pairs innermost. */
  readonly first: number
  readonly size: number
}

/** What is made once of a plan. */
interface Laid {
  readonly blocks: readonly Block[]
  readonly allPairs: readonly PlannedPair[]
  cells?: readonly Cell[]
}
const laid = new WeakMap<Plan, Laid>()

function layOut(plan: Plan): Laid {
  let known = laid.get(plan)
  if (known === undefined) {
    const allPairs = pairsOf(plan)
    laid.set(plan, (known = { allPairs, blocks: listBlocks(plan, allPairs) }))
  }
  return known
}

function listBlocks(plan: Plan, pairs: readonly PlannedPair[]): readonly Block[] {
  let first = 0
  return plan.seeds.flatMap((seed, place) =>
    plan.temperatures.flatMap((temperature) => {
      // At temperature 0 a model behind a server repeats its replies, so only its first seeds are played.
      const played = pairs.filter(({ model: { seedsAtZero = Infinity } }) => temperature !== 0 || place < seedsAtZero)
      return plan.environments.map((environment): Block => {
        const conditions = conditionsIn(plan.conditions, environment.name)
        const size = environment.tasks.length * conditions.length * played.length
        first += size
        return { environment, conditions, pairs: played, temperature, seed, first: first - size, size }
      })
    }),
  )
}

function cellIn(block: Block, index: number, plan: Plan, allPairs: readonly PlannedPair[]): Cell {
  const { environment, conditions, pairs, temperature, seed } = block
  const place = index - block.first
  const pair = pairs[place % pairs.length]!
  const row = Math.floor(place / pairs.length)
  const condition = conditions[row % conditions.length]!
  const combination = plan.conditions.indexOf(condition) * allPairs.length + allPairs.indexOf(pair)
  const task = environment.tasks[Math.floor(row / conditions.length)]!
  return { index, combination, environment, task, condition, ...pair, temperature, seed }
}

/**
 * Every episode of a plan in the order of play. Seeds are outermost, then temperatures: each pass over the tasks is a
 * result in itself, and the next pass narrows its uncertainty. Conditions and models are innermost: a task's perturbed
 * episodes follow their clean twin, so a run that stops anywhere has pairs.
 */
export function cells(plan: Plan): readonly Cell[] {
  const known = layOut(plan)
  return (known.cells ??= known.blocks.flatMap((block) =>
    Array.from({ length: block.size }, (_, place) => cellIn(block, block.first + place, plan, known.allPairs)),
  ))
}

/** The episode at an index in the order of play. */
export function cellAt(plan: Plan, index: number): Cell {
  const { blocks, allPairs } = layOut(plan)
  const block = blocks.find(({ first, size }) => index < first + size)!
  return cellIn(block, index, plan, allPairs)
}

/** The names by which a row, or a cell, is found in a plan. */
type CellNames = Pick<EpisodeRow, 'environment' | 'task' | 'condition' | 'model' | 'agent' | 'temperature' | 'seed'>

/** The names of a cell, as its row has them. */
export function rowOf({ environment, task, condition, model, agent, temperature, seed }: Cell): CellNames {
  return {
    environment: environment.name,
    task: task.id,
    condition: condition.label,
    model: model.name,
    agent: agent.name,
    temperature,
    seed,
  }
}

/**
 * Creates a function that finds a row's index in the order of play by its names; undefined if the plan has no such
 * episode.
 */
export function createCellFinder(plan: Plan): (row: CellNames) => number | undefined {
  const find = createFinder(plan)
  return (row) => find(row)?.index
}

/** Like {@link createCellFinder}, but a row whose key is not that of the plan's episode is not found. */
export function createRowFinder(plan: Plan): (row: CellNames & { readonly key: string }) => number | undefined {
  const find = createFinder(plan)
  const keyOf = createKeyMaker(plan)
  return (row) => {
    const cell = find(row)
    return cell !== undefined && keyOf(cell) === row.key ? cell.index : undefined
  }
}

function createFinder(plan: Plan): (row: CellNames) => Cell | undefined {
  const { blocks, allPairs } = layOut(plan)
  const bySeed = new Map(plan.seeds.map((seed) => [seed, blocks.filter((block) => block.seed === seed)]))
  const tasksOf = new Map(
    plan.environments.map(({ name, tasks }) => [name, new Map(tasks.map(({ id }, place) => [id, place]))]),
  )
  return (row) => {
    const isOf = ({ temperature, environment }: Block): boolean =>
      temperature === row.temperature && environment.name === row.environment
    const block = bySeed.get(row.seed)?.find(isOf)
    const task = block && tasksOf.get(row.environment)!.get(row.task)
    if (block === undefined || task === undefined) return undefined
    const condition = block.conditions.findIndex(({ label }) => label === row.condition)
    const pair = block.pairs.findIndex(({ model, agent }) => model.name === row.model && agent.name === row.agent)
    if (condition < 0 || pair < 0) return undefined
    const place = (task * block.conditions.length + condition) * block.pairs.length + pair
    return cellIn(block, block.first + place, plan, allPairs)
  }
}

/** The number of some cells by a name that they share. */
export function countBy(counted: Iterable<Cell>, sharedName: (cell: Cell) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const cell of counted) {
    const name = sharedName(cell)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

/** Everything that determines a cell's episode; its hash is the episode's key. */
export function identityOf(plan: Plan, cell: Cell): EpisodeIdentity {
  const { environment, task, condition, model, agent } = cell
  return {
    environment: environment.name,
    environmentVersion: environment.version,
    environmentSettings: environment.settings,
    task: task.id,
    taskHash: task.hash,
    perturbations: usedIn(condition.perturbations, environment.name).map((one) => ({
      name: one.name,
      version: one.version,
      ...settingsOf(one),
      ...(one.numbers && { numbers: one.numbers }),
    })),
    model: model.name,
    modelSettings: model.settings,
    agent: agent.name,
    agentSettings: agent.settings,
    temperature: cell.temperature,
    seed: cell.seed,
    stepLimit: plan.stepLimit,
    maxTokens: plan.maxTokens,
  }
}

/**
 * Creates a function that returns a cell's episode key, equal to `episodeKey(identityOf(plan, cell))`. What many cells
 * share of an identity is serialised once: a resumed run computes every key of its grid, and so does a report.
 */
export function createKeyMaker(plan: Plan): (cell: Cell) => string {
  const heads = new Map<string, string>()
  const tasks = new Map<Cell['task'], string>()
  return (cell) => {
    const { environment, combination, task, seed, temperature } = cell
    const place = `${String(combination)} ${environment.name}`
    let head = heads.get(place)
    if (head === undefined) heads.set(place, (head = headOf(identityOf(plan, cell))))
    let named = tasks.get(task)
    if (named === undefined)
      tasks.set(task, (named = JSON.stringify({ task: task.id, taskHash: task.hash }).slice(1, -1)))
    // The fields of an identity from `seed` on, in their order.
    const own = `"seed":${String(seed)},"stepLimit":${String(plan.stepLimit)},${named},"temperature":${String(temperature)}`
    return hash('sha256', `${head},${own}}`, 'hex').slice(0, 20)
  }
}

/** The canonical text of an identity up to `seed`, the first of its fields in order that is a cell's own. */
function headOf(identity: EpisodeIdentity): string {
  const shared = Object.entries(identity).filter(([name]) => name < 'seed')
  return canonicalJson(Object.fromEntries(shared)).slice(0, -1)
}
