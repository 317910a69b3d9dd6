import { hash } from 'node:crypto'
import type { EpisodeIdentity, EpisodeRow } from '../results/episode-row.js'
import { canonicalJson } from '../core/episode.js'
import { settingsOf, usedIn } from '../core/perturbation.js'
import type { Pair, Plan, PlannedCondition, PlannedEnvironment, PlannedModel } from './plan.js'
import { conditionsIn, pairsOf } from './plan.js'

/** One episode of the grid, as planned. */
export interface Cell extends Pair<PlannedModel, Plan['agents'][number]> {
  /** Index in the order of play, from 0. */
  readonly index: number
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

/** What is made once of a plan. */
const listed = new WeakMap<Plan, { readonly cells: readonly Cell[]; places?: ReadonlyMap<string, number> }>()

function listOf(plan: Plan) {
  let known = listed.get(plan)
  if (known === undefined) listed.set(plan, (known = { cells: listCells(plan) }))
  return known
}

function listCells(plan: Plan): readonly Cell[] {
  const all: Cell[] = []
  const pairs = pairsOf(plan)
  for (const [place, seed] of plan.seeds.entries())
    for (const temperature of plan.temperatures) {
      // At temperature 0 a model behind a server repeats its replies, so only its first seeds are played.
      const played = pairs.filter(({ model: { seedsAtZero = Infinity } }) => temperature !== 0 || place < seedsAtZero)
      for (const environment of plan.environments) {
        const conditions = conditionsIn(plan.conditions, environment.name)
        for (const task of environment.tasks)
          for (const condition of conditions)
            for (const { model, agent } of played)
              all.push({ index: all.length, environment, task, condition, model, agent, temperature, seed })
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
  return listOf(plan).cells
}

/** The episode at an index in the order of play. */
export function cellAt(plan: Plan, index: number): Cell {
  return cells(plan)[index]!
}

/** The index of each episode of a plan in the order of play, by its key. */
export function placesOf(plan: Plan): ReadonlyMap<string, number> {
  const known = listOf(plan)
  const keyOf = createKeyMaker(plan)
  return (known.places ??= new Map(known.cells.map((cell) => [keyOf(cell), cell.index])))
}

/** The names by which people find a cell or a row. */
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

/** Everything that determines a cell's episode; its hash is the episode's key. */
export function identityOf(plan: Plan, cell: Cell): EpisodeIdentity {
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
 * Creates a function that returns a cell's episode key, equal to `episodeKey(identityOf(plan, cell))`. What many cells
 * share of an identity is serialised once: a resumed run computes every key of its grid.
 */
export function createKeyMaker(plan: Plan): (cell: Cell) => string {
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
  const written = `"seed":${String(seed)},"stepLimit":${String(stepLimit)},${task},"temperature":${String(temperature)}`
  return hash('sha256', `${head},${written}}`, 'hex').slice(0, 20)
}

function textOfTask({ id, hash: taskHash }: Cell['task']): string {
  return JSON.stringify({ task: id, taskHash }).slice(1, -1)
}

/**
 * Creates a function that numbers the episodes of a plan by their rows, without a list of them: a number from 0 to
 * `size`, and undefined for a row of no episode of the plan, which its key shows.
 */
export function createNumbering(plan: Plan) {
  const [seeds, temperatures] = [plan.seeds, plan.temperatures].map(
    (values) => new Map(values.map((value, place) => [value, place])),
  ) as [Map<number, number>, Map<number, number>]
  const passes = plan.seeds.length * plan.temperatures.length
  let size = 0
  const environments = new Map(
    plan.environments.map((environment) => {
      const tasks = new Map(environment.tasks.map((task, place) => [task.id, { place, text: textOfTask(task) }]))
      const groups = new Map<string, { readonly first: number; readonly head: string; readonly seedsAtZero: number }>()
      for (const condition of conditionsIn(plan.conditions, environment.name))
        for (const { model, agent } of pairsOf(plan)) {
          const [task] = environment.tasks
          if (task === undefined) continue
          const cell = { index: 0, environment, task, condition, model, agent, temperature: 0, seed: 0 }
          const { seedsAtZero = Infinity } = model
          const group = { first: size, head: headOf(identityOf(plan, cell)), seedsAtZero }
          groups.set(nameGroup(condition.label, model.name, agent.name), group)
          size += passes * tasks.size
        }
      return [environment.name, { tasks, groups }]
    }),
  )
  const numberOf = (row: CellNames & { readonly key: string }): number | undefined => {
    const { environment, condition, model, agent, temperature, seed, key } = row
    const { tasks, groups } = environments.get(environment) ?? {}
    const [task, group] = [tasks?.get(row.task), groups?.get(nameGroup(condition, model, agent))]
    const [first, second] = [seeds.get(seed), temperatures.get(temperature)]
    if (tasks === undefined || task === undefined || group === undefined) return undefined
    if (first === undefined || second === undefined) return undefined
    if (temperature === 0 && first >= group.seedsAtZero) return undefined
    if (keyFrom(plan, group.head, task.text, seed, temperature) !== key) return undefined
    return group.first + (first * plan.temperatures.length + second) * tasks.size + task.place
  }
  return { size, numberOf }
}

function nameGroup(condition: string, model: string, agent: string): string {
  return `${condition}\n${model}\n${agent}`
}

/** The canonical text of an identity up to `seed`, the first of its fields in order that is a cell's own. */
function headOf(identity: EpisodeIdentity): string {
  const shared = Object.entries(identity).filter(([name]) => name < 'seed')
  return canonicalJson(Object.fromEntries(shared)).slice(0, -1)
}
