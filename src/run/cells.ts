import type { EpisodeIdentity, EpisodeRow } from '../core/episode.js'
import { usedIn } from '../core/perturbation.js'
import type { Plan, PlannedColumn, PlannedEnvironment, PlannedModel } from '../core/report.js'

/** One episode of the grid, before it is played. */
export interface Cell {
  /** Its place in the order of play, from 0. */
  readonly index: number
  readonly environment: PlannedEnvironment
  readonly task: PlannedEnvironment['tasks'][number]
  readonly column: PlannedColumn
  readonly model: PlannedModel
  readonly agent: Plan['agents'][number]
  readonly temperature: number
  readonly seed: number
}

/** The most episodes of a plan: what one folder and one reader are made for. */
export const mostCells = 10_000_000

/** How many episodes a plan has. */
export function countCells(plan: Plan): number {
  return plan.seeds.length * plan.temperatures.length * countTasks(plan) * cellsPerTask(plan)
}

/**
 * The episode at a place in the order of play. Seeds are outermost, then temperatures: each pass over the tasks is a result in
 * itself, and the next one narrows it. Columns and models are innermost: a task's perturbed episodes lie beside their clean twin, so
 * that a run that stops anywhere has pairs.
 */
export function cellAt(plan: Plan, index: number): Cell {
  const { agents, models, columns, temperatures, seeds } = plan
  let rest = index
  const digit = (base: number): number => {
    const value = rest % base
    rest = (rest - value) / base
    return value
  }
  const agent = agents[digit(agents.length)]!
  const model = models[digit(models.length)]!
  const column = columns[digit(columns.length)]!
  let task = digit(countTasks(plan))
  const temperature = temperatures[digit(temperatures.length)]!
  const seed = seeds[rest]!
  let environment = 0
  while (task >= plan.environments[environment]!.tasks.length) task -= plan.environments[environment++]!.tasks.length
  const planned = plan.environments[environment]!
  return { index, environment: planned, task: planned.tasks[task]!, column, model, agent, temperature, seed }
}

/** Every episode of a plan in the order of play, made one at a time. */
export function* cells(plan: Plan): Generator<Cell, void, undefined> {
  const count = countCells(plan)
  for (let index = 0; index < count; index++) yield cellAt(plan, index)
}

/** Makes a function that finds a row's place in the order of play by its names; undefined where the plan has no such episode. */
export function createCellFinder(plan: Plan): (row: EpisodeRow) => number | undefined {
  let tasks = 0
  const environmentOf = createFinder(
    plan.environments.map(({ name }) => name),
    plan.environments.map((environment) => {
      const ids = environment.tasks.map(({ id }) => id)
      return createFinder(
        ids,
        ids.map(() => tasks++),
      )
    }),
  )
  const placeOf = <Key>(keys: readonly Key[]) => createFinder(keys, [...keys.keys()])
  const seedOf = placeOf(plan.seeds)
  const temperatureOf = placeOf(plan.temperatures)
  const columnOf = placeOf(plan.columns.map(({ label }) => label))
  const modelOf = placeOf(plan.models.map(({ name }) => name))
  const agentOf = placeOf(plan.agents.map(({ name }) => name))
  return (row) => {
    const seed = seedOf(row.seed)
    const temperature = temperatureOf(row.temperature)
    const task = environmentOf(row.environment)?.(row.task)
    const column = columnOf(row.column)
    const model = modelOf(row.model)
    const agent = agentOf(row.agent)
    if (seed === undefined || temperature === undefined || task === undefined) return undefined
    if (column === undefined || model === undefined || agent === undefined) return undefined
    const pass = (seed * plan.temperatures.length + temperature) * tasks + task
    return ((pass * plan.columns.length + column) * plan.models.length + model) * plan.agents.length + agent
  }
}

/** Finds values by their keys; asked for the one that it was asked for last it need not look, and of rows that lie together most names are the same. */
function createFinder<Key, Value>(keys: readonly Key[], values: readonly Value[]): (key: Key) => Value | undefined {
  const known = new Map(keys.map((key, place) => [key, values[place]!]))
  let [lastKey, lastValue]: [Key | undefined, Value | undefined] = [undefined, undefined]
  return (key) => {
    if (key !== lastKey) [lastKey, lastValue] = [key, known.get(key)]
    return lastValue
  }
}

/** Everything that decides a cell's episode; its hash is the episode's key. */
export function identityOf(plan: Plan, cell: Cell): EpisodeIdentity {
  const { environment, task, column, model, agent } = cell
  return {
    environment: environment.name,
    environmentVersion: environment.version,
    environmentSettings: environment.settings,
    task: task.id,
    taskHash: task.hash,
    perturbations: usedIn(column.perturbations, environment.name).map(
      ({ name, version, scope, refuse, intensity }) => ({
        name,
        version,
        ...(scope !== undefined && { scope }),
        ...(refuse !== undefined && { refuse }),
        ...(intensity !== undefined && { intensity }),
      }),
    ),
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

function countTasks(plan: Plan): number {
  return plan.environments.reduce((sum, environment) => sum + environment.tasks.length, 0)
}

/** How many episodes of a plan have one task, seed and temperature; they stand side by side. */
export function cellsPerTask(plan: Plan): number {
  return plan.columns.length * plan.models.length * plan.agents.length
}
