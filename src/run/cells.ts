import type { EpisodeIdentity, EpisodeRow } from '../core/episode.js'
import { settingsOf, usedIn } from '../core/perturbation.js'
import type { Pair, Plan, PlannedColumn, PlannedEnvironment, PlannedModel } from './plan.js'
import { columnsIn, pairsOf } from './plan.js'
import { hash } from 'node:crypto'
import { canonicalJson } from '../core/episode.js'

type PlannedPair = Pair<PlannedModel, Plan['agents'][number]>

/** One episode of the grid, as planned. */
export interface Cell extends PlannedPair {
  /** Index in the order of play, from 0. */
  readonly index: number
  /** Index of its column, model and agent among all such combinations of a plan. */
  readonly combination: number
  readonly environment: PlannedEnvironment
  readonly task: PlannedEnvironment['tasks'][number]
  readonly column: PlannedColumn
  readonly temperature: number
  readonly seed: number
}

/** The largest plan that one run folder and its readers are designed for. */
export const maxCells = 10_000_000

/** Number of episodes in a plan. */
export function countCells(plan: Plan): number {
  return layOut(plan).starts.at(-1)!
}

/** Values shared by all cells of a plan. */
interface Layout {
  readonly pairs: readonly PlannedPair[]
  /** One for each environment: its tasks, and the columns that are played there. */
  readonly blocks: readonly Block[]
  /** Number of episodes of one seed at one temperature with one pair of model and agent. */
  readonly rows: number
  /** Index of the first episode of each seed; the last entry is the total. */
  readonly starts: number[]
}

interface Block {
  readonly environment: PlannedEnvironment
  readonly columns: readonly PlannedColumn[]
  /** Tasks × columns of the environments before it. */
  readonly start: number
}

const layouts = new WeakMap<Plan, Layout>()

function layOut(plan: Plan): Layout {
  let layout = layouts.get(plan)
  if (layout !== undefined) return layout
  let rows = 0
  const blocks = plan.environments.map((environment): Block => {
    const [columns, start] = [columnsIn(plan.columns, environment.name), rows]
    rows += environment.tasks.length * columns.length
    return { environment, columns, start }
  })
  layout = { pairs: pairsOf(plan), blocks, rows, starts: [0] }
  layouts.set(plan, layout)
  for (const seed of plan.seeds.keys()) {
    const size = plan.temperatures.reduce((sum, temperature) => sum + sizeOfPass(plan, seed, temperature), 0)
    layout.starts.push(layout.starts.at(-1)! + size)
  }
  return layout
}

/**
 * The pairs that are played with a seed, given by its index, at a temperature. At temperature 0 a model behind a server
 * repeats its replies, so only its first seeds are played (see {@link PlannedModel.seedsAtZero}).
 */
function pairsAt(plan: Plan, seed: number, temperature: number): readonly PlannedPair[] {
  const { pairs } = layOut(plan)
  const isPlayed = ({ model: { seedsAtZero = Infinity } }: PlannedPair): boolean => seed < seedsAtZero
  return temperature !== 0 || pairs.every(isPlayed) ? pairs : pairs.filter(isPlayed)
}

/** Number of episodes of one seed at one temperature. */
function sizeOfPass(plan: Plan, seed: number, temperature: number): number {
  return layOut(plan).rows * pairsAt(plan, seed, temperature).length
}

/** Index of the last number of an ascending list that is at most `value`. */
function lastNotAbove(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (numbers[middle]! <= value) low = middle
    else high = middle
  }
  return low
}

/**
 * The episode at an index in the order of play. Seeds are outermost, then temperatures: each pass over the tasks is a
 * result in itself, and the next pass narrows its uncertainty. Columns and models are innermost: a task's perturbed
 * episodes follow their clean twin, so a run that stops anywhere has pairs.
 */
export function cellAt(plan: Plan, index: number): Cell {
  const { temperatures, seeds } = plan
  const { pairs, blocks, starts } = layOut(plan)
  const seed = lastNotAbove(starts, index)
  let rest = index - starts[seed]!
  let pass = 0
  for (; rest >= sizeOfPass(plan, seed, temperatures[pass]!); pass++)
    rest -= sizeOfPass(plan, seed, temperatures[pass]!)
  const temperature = temperatures[pass]!
  const played = pairsAt(plan, seed, temperature)
  const digit = (base: number): number => {
    const value = rest % base
    rest = (rest - value) / base
    return value
  }
  const pair = played[digit(played.length)]!
  let block = blocks.length - 1
  while (rest < blocks[block]!.start) block--
  const { environment, columns, start } = blocks[block]!
  rest -= start
  const column = columns[digit(columns.length)]!
  return {
    index,
    combination: plan.columns.indexOf(column) * pairs.length + pairs.indexOf(pair),
    environment,
    task: environment.tasks[rest]!,
    column,
    ...pair,
    temperature,
    seed: seeds[seed]!,
  }
}

/** The episodes of one task, seed and temperature: adjacent in the order of play, columns outermost. */
interface TaskGroup {
  /** Index of the first. */
  readonly start: number
  readonly columns: number
  /** Pairs of a model and an agent. */
  readonly pairs: number
}

/** The groups of each pass over the tasks of a plan, passes and groups in the order of play. */
export function* passesOf(plan: Plan): Generator<readonly TaskGroup[], void, undefined> {
  const { blocks } = layOut(plan)
  let start = 0
  for (const seed of plan.seeds.keys()) {
    for (const temperature of plan.temperatures) {
      const pairs = pairsAt(plan, seed, temperature).length
      const groups: TaskGroup[] = []
      for (const { environment, columns } of pairs === 0 ? [] : blocks) {
        for (let task = 0; task < environment.tasks.length; task++) {
          groups.push({ start, columns: columns.length, pairs })
          start += columns.length * pairs
        }
      }
      yield groups
    }
  }
}

/** Every episode of a plan in the order of play, made one at a time. */
export function* cells(plan: Plan): Generator<Cell, void, undefined> {
  const count = countCells(plan)
  for (let index = 0; index < count; index++) yield cellAt(plan, index)
}

/** The names by which a row, or a cell, is found in a plan. */
type CellNames = Pick<EpisodeRow, 'environment' | 'task' | 'column' | 'model' | 'agent' | 'temperature' | 'seed'>

/**
 * Creates a function that finds a row's index in the order of play by its names; undefined if the plan has no such
 * episode.
 */
export function createCellFinder(plan: Plan): (row: CellNames) => number | undefined {
  const { pairs, blocks, starts } = layOut(plan)
  const environmentOf = createFinder(
    plan.environments.map(({ name }) => name),
    blocks.map(({ environment: { tasks }, columns, start }) => {
      const taskOf = createFinder(
        tasks.map(({ id }) => id),
        [...tasks.keys()],
      )
      const columnOf = createFinder(
        columns.map(({ label }) => label),
        [...columns.keys()],
      )
      return (id: string, label: string): number | undefined => {
        const [task, column] = [taskOf(id), columnOf(label)]
        return task === undefined || column === undefined ? undefined : start + task * columns.length + column
      }
    }),
  )
  const placeOf = <Key>(keys: readonly Key[]) => createFinder(keys, [...keys.keys()])
  const seedOf = placeOf(plan.seeds)
  const temperatureOf = placeOf(plan.temperatures)
  const pairOf = createFinder(
    plan.models.map(({ name }) => name),
    plan.models.map((model) => {
      const own = [...pairs.keys()].filter((place) => pairs[place]!.model === model)
      return createFinder(
        own.map((place) => pairs[place]!.agent.name),
        own,
      )
    }),
  )
  return (row) => {
    const seed = seedOf(row.seed)
    const temperature = temperatureOf(row.temperature)
    const place = environmentOf(row.environment)?.(row.task, row.column)
    const pair = pairOf(row.model)?.(row.agent)
    if (seed === undefined || temperature === undefined || place === undefined || pair === undefined) return undefined
    const played = pairsAt(plan, seed, row.temperature)
    const own = played === pairs ? pair : played.indexOf(pairs[pair]!)
    if (own === -1) return undefined
    let pass = starts[seed]!
    for (const earlier of plan.temperatures.slice(0, temperature)) pass += sizeOfPass(plan, seed, earlier)
    return pass + place * played.length + own
  }
}

/**
 * Looks values up by key, and remembers the last one: neighbouring rows share most of their names.
 */
function createFinder<Key, Value>(keys: readonly Key[], values: readonly Value[]): (key: Key) => Value | undefined {
  const known = new Map(keys.map((key, place) => [key, values[place]!]))
  let [lastKey, lastValue]: [Key | undefined, Value | undefined] = [undefined, undefined]
  return (key) => {
    if (key !== lastKey) [lastKey, lastValue] = [key, known.get(key)]
    return lastValue
  }
}

/**
 * The number of cells without an episode, by a name that they share; names that miss none are left out.
 * @param indices of the cells that are counted. Default: all
 */
export function countMissing(
  plan: Plan,
  has: (index: number) => boolean,
  nameOf: (cell: Cell) => string,
  indices: Iterable<number> = new Uint8Array(countCells(plan)).keys(),
): ReadonlyMap<string, number> {
  const missing = new Map<string, number>()
  for (const index of indices) {
    if (has(index)) continue
    const name = nameOf(cellAt(plan, index))
    missing.set(name, (missing.get(name) ?? 0) + 1)
  }
  return missing
}

/** Everything that determines a cell's episode; its hash is the episode's key. */
export function identityOf(plan: Plan, cell: Cell): EpisodeIdentity {
  const { environment, task, column, model, agent } = cell
  return {
    environment: environment.name,
    environmentVersion: environment.version,
    environmentSettings: environment.settings,
    task: task.id,
    taskHash: task.hash,
    perturbations: usedIn(column.perturbations, environment.name).map((one) => ({
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

/** Number of episodes with one task, seed and temperature; they are adjacent in the order of play. */
export function cellsPerTask(plan: Plan): number {
  return plan.columns.length * layOut(plan).pairs.length
}

/**
 * Creates a function that returns a cell's episode key, equal to `episodeKey(identityOf(plan, cell))`. Most of an
 * identity is shared by many cells and is serialised once: a resumed run computes every key of its grid, a report the
 * key of every row.
 */
export function createKeyMaker(plan: Plan): (cell: Cell) => string {
  const heads = new Map<Cell['environment'], string[]>()
  const middles = new Map<Cell['task'], string>()
  const headAt = (cell: Cell): string => {
    let known = heads.get(cell.environment)
    if (known === undefined) heads.set(cell.environment, (known = []))
    return (known[cell.combination] ??= headOf(identityOf(plan, cell)))
  }
  const middleAt = ({ task }: Cell): string => {
    let known = middles.get(task)
    if (known === undefined) {
      known = JSON.stringify({ stepLimit: plan.stepLimit, task: task.id, taskHash: task.hash }).slice(1, -1)
      middles.set(task, known)
    }
    return known
  }
  return (cell) => {
    const text = `${headAt(cell)},"seed":${String(cell.seed)},${middleAt(cell)},"temperature":${String(cell.temperature)}}`
    return hash('sha256', text, 'hex').slice(0, 20)
  }
}

/** The canonical text of an identity up to `seed`, the first of its fields in order that is a cell's own. */
function headOf(identity: EpisodeIdentity): string {
  const shared = Object.entries(identity).filter(([name]) => name < 'seed')
  return canonicalJson(Object.fromEntries(shared)).slice(0, -1)
}
