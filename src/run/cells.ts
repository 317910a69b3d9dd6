import { hash } from 'node:crypto'
import type { EpisodeIdentity, EpisodeRow } from '../results/episode-row.js'
import { canonicalJson } from '../core/episode.js'
import { settingsOf, usedIn } from '../core/perturbation.js'
import type { Pair, Plan, PlannedCondition, PlannedEnvironment, PlannedModel } from './plan.js'
import { conditionsIn, pairsOf } from './plan.js'
import { grouped } from '../tables/words.js'

/** One episode of the grid, as planned. */
export interface Cell extends Pair<PlannedModel, Plan['agents'][number]> {
  /** Index in the order of play, from 0. */
  readonly index: number
  /** The key of its episode: a hash of everything that determines it. */
  readonly key: string
  readonly environment: PlannedEnvironment
  readonly task: PlannedEnvironment['tasks'][number]
  readonly condition: PlannedCondition
  readonly temperature: number
  readonly seed: number
}

/** The largest plan of a run: its rows are kept in memory when they are read. */
export const maxCells = 1_000_000

/** What is expected of a plan, and what came, where it has more than {@link maxCells} episodes. */
export function describeExcess(plan: Plan): string | undefined {
  const count = countCells(plan)
  return count > maxCells ? `Expected at most ${grouped(maxCells)} episodes, got ${grouped(count)}.` : undefined
}

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

/** What is listed once of a plan. */
const listed = new WeakMap<Plan, { readonly all: readonly Cell[]; readonly byKey: ReadonlyMap<string, Cell> }>()

function listOf(plan: Plan) {
  let known = listed.get(plan)
  if (known === undefined) {
    const all = listCells(plan)
    listed.set(plan, (known = { all, byKey: new Map(all.map((cell) => [cell.key, cell])) }))
  }
  return known
}

function listCells(plan: Plan): readonly Cell[] {
  const all: Cell[] = []
  const pairs = pairsOf(plan)
  const keyOf = createKeyMaker(plan)
  for (const [place, seed] of plan.seeds.entries())
    for (const temperature of plan.temperatures) {
      // At temperature 0 a model behind a server repeats its replies, so only its first seeds are played.
      const played = pairs.filter(({ model: { seedsAtZero = Infinity } }) => temperature !== 0 || place < seedsAtZero)
      for (const environment of plan.environments) {
        const conditions = conditionsIn(plan.conditions, environment.name)
        for (const task of environment.tasks)
          for (const condition of conditions)
            for (const { model, agent } of played) {
              const key = keyOf({ environment, task, condition, model, agent, temperature, seed })
              all.push({ index: all.length, key, environment, task, condition, model, agent, temperature, seed })
            }
      }
    }
  return all
}

/**
 * Every episode of a plan in the order of play. Seeds are outermost, then temperatures: each pass over the tasks is a
 * result in itself, and the next pass narrows its uncertainty. Conditions and models are innermost: a task's perturbed
 * episodes follow their clean twin, so a run that stops anywhere has pairs.
 */
export function cells(plan: Plan): readonly Cell[] {
  return listOf(plan).all
}

/** The episode at an index in the order of play. */
export function cellAt(plan: Plan, index: number): Cell {
  return cells(plan)[index]!
}

/** Every episode of a plan by its key, in the order of play. */
export function cellsByKey(plan: Plan): ReadonlyMap<string, Cell> {
  return listOf(plan).byKey
}

/** What identifies a row: its key, and the names by which people find it. */
type CellNames = Pick<
  EpisodeRow,
  'key' | 'environment' | 'task' | 'condition' | 'model' | 'agent' | 'temperature' | 'seed'
>

/** The key and the names of a cell, as its row has them. */
export function rowOf({ key, environment, task, condition, model, agent, temperature, seed }: Cell): CellNames {
  return {
    key,
    environment: environment.name,
    task: task.id,
    condition: condition.label,
    model: model.name,
    agent: agent.name,
    temperature,
    seed,
  }
}

/** Everything that determines a cell's episode; its hash is the episode's key. */
export function identityOf(plan: Plan, cell: Omit<Cell, 'index' | 'key'>): EpisodeIdentity {
  const { environment, task, condition, model, agent } = cell
  return {
    environment: environment.name,
    environmentVersion: environment.version,
    environmentSettings: environment.settings,
    task: task.id,
    taskHash: task.hash,
    perturbations: usedIn(condition.perturbations, environment.name).map((perturbation) => ({
      name: perturbation.name,
      version: perturbation.version,
      ...settingsOf(perturbation),
      ...(perturbation.numbers && { numbers: perturbation.numbers }),
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
 * Creates a function that returns a cell's key, equal to `episodeKey(identityOf(plan, cell))`. What many cells share of
 * an identity is serialised once.
 */
function createKeyMaker(plan: Plan): (cell: Omit<Cell, 'index' | 'key'>) => string {
  const heads = new Map<string, string>()
  const tasks = new Map<Cell['task'], string>()
  return (cell) => {
    const { environment, condition, model, agent, task, seed, temperature } = cell
    const place = [environment.name, condition.label, model.name, agent.name].join('\n')
    let head = heads.get(place)
    if (head === undefined) heads.set(place, (head = headOf(identityOf(plan, cell))))
    let named = tasks.get(task)
    if (named === undefined) tasks.set(task, (named = textOfTask(task)))
    return keyFrom(plan, head, named, seed, temperature)
  }
}

/** The key of an episode from the parts of its identity, whose fields are in order. */
function keyFrom({ stepLimit }: Plan, head: string, task: string, seed: number, temperature: number): string {
  const own = `"seed":${String(seed)},"stepLimit":${String(stepLimit)},${task},"temperature":${String(temperature)}`
  return hash('sha256', `${head},${own}}`, 'hex').slice(0, 20)
}

function textOfTask({ id, hash: taskHash }: Cell['task']): string {
  return JSON.stringify({ task: id, taskHash }).slice(1, -1)
}

/**
 * Creates a function that numbers the episodes of a plan by their rows: a number from 0 to `size`, and undefined for a
 * row of no episode of the plan, which its key shows. It lists no cells, as {@link cellsByKey} does: of a million these
 * take as much memory as their whole report.
 */
export function createNumbering(plan: Plan) {
  const [seeds, temperatures] = [plan.seeds, plan.temperatures].map(
    (values) => new Map(values.map((value, place) => [value, place])),
  ) as [Map<number, number>, Map<number, number>]
  let size = 0
  const groups = new Map<string, { readonly first: number; readonly head: string; readonly seedsAtZero: number }>()
  const tasksOf = new Map(
    plan.environments.map((environment) => {
      const tasks = new Map(environment.tasks.map((task, place) => [task.id, { place, text: textOfTask(task) }]))
      for (const condition of conditionsIn(plan.conditions, environment.name))
        for (const { model, agent } of pairsOf(plan)) {
          const [task] = environment.tasks
          if (task === undefined) continue
          const cell = { environment, task, condition, model, agent, temperature: 0, seed: 0 }
          const { seedsAtZero = Infinity } = model
          const name = [environment.name, condition.label, model.name, agent.name].join('\n')
          groups.set(name, { first: size, head: headOf(identityOf(plan, cell)), seedsAtZero })
          size += plan.seeds.length * plan.temperatures.length * tasks.size
        }
      return [environment.name, tasks]
    }),
  )
  const numberOf = (row: CellNames): number | undefined => {
    const { environment, condition, model, agent, temperature, seed } = row
    const group = groups.get([environment, condition, model, agent].join('\n'))
    const tasks = tasksOf.get(environment)
    const task = tasks?.get(row.task)
    const [first, second] = [seeds.get(seed), temperatures.get(temperature)]
    if (!tasks || !task || !group || first === undefined || second === undefined) return undefined
    if (temperature === 0 && first >= group.seedsAtZero) return undefined
    if (keyFrom(plan, group.head, task.text, seed, temperature) !== row.key) return undefined
    return group.first + (first * plan.temperatures.length + second) * tasks.size + task.place
  }
  return { size, numberOf }
}

/** The canonical text of an identity up to `seed`, the first of its fields in order that is a cell's own. */
function headOf(identity: EpisodeIdentity): string {
  const shared = Object.entries(identity).filter(([name]) => name < 'seed')
  return canonicalJson(Object.fromEntries(shared)).slice(0, -1)
}
