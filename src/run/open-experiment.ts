import type { OpenedEnvironment } from '../environments/index.js'
import { namedByNumber } from '../environments/spread-tasks.js'
import type { Agent } from '../core/agent.js'
import { closeWorlds } from '../core/close-worlds.js'
import { ShaketableError } from '../core/errors.js'
import type { World } from '../core/environment.js'
import { createRandom } from '../core/random.js'
import { textOf } from '../core/text.js'
import type { Column } from './columns.js'
import { placeColumn } from './columns.js'
import type { EnvironmentChoice, Experiment } from './experiment.js'
import type { Where } from './experiment-file.js'
import { located, relocated } from './experiment-file.js'
import type { GridEnvironment } from './grid.js'
import type { PlacedColumn } from './open-columns.js'
import { openColumns } from './open-columns.js'
import type { Registry } from './registry.js'
import { checkDifferent } from './resolve-experiment.js'

/** The environments of an experiment with their tasks, and the columns that are of use there. */
interface OpenedExperiment {
  readonly environments: readonly GridEnvironment[]
  readonly columns: readonly Column[]
  readonly notes: readonly string[]
}

/**
 * Opens the environments of an experiment, and its columns in them.
 * @param written the columns as they were written
 * @throws ShaketableError `usage` or `bad-input`, with the place of what cannot be opened
 */
export async function openExperiment(
  experiment: Experiment,
  written: readonly Column[],
  {
    registry,
    where,
    hasNotes,
  }: { readonly registry: Registry; readonly where: Where; readonly hasNotes?: boolean | undefined },
): Promise<OpenedExperiment> {
  const environments = await openAll(experiment.environments, registry, where)
  const notes = environments.flatMap(({ environment }, index) => [
    ...environment.notes,
    ...noteMissingTasks(environment, experiment.environments[index]!),
  ])
  const sameActionsAs = new Map(
    environments.flatMap(({ environment: { name, sameActionsAs } }) =>
      sameActionsAs === undefined ? [] : [[name, sameActionsAs]],
    ),
  )
  const places = environments.map(({ environment }) => environment.name)
  const optional = new Set(experiment.optional)
  const placed = written.map((column, index): PlacedColumn => {
    const place = where(['perturbations', index])
    const isOptional = optional.has(experiment.perturbations[index]!)
    const known = registry.list('lens')
    return { ...located(place, () => placeColumn(column, places, known, sameActionsAs, isOptional)), place, isOptional }
  })
  // Without any of its perturbations a column would be a second clean one.
  const used = placed.filter(({ applied }, index) => applied.length > 0 || written[index]!.applied.length === 0)
  for (const { label } of placed.filter((one) => !used.includes(one)))
    notes.push(`${label}: left out, since none of these environments has a use for it.`)
  const { columns, notes: leftOut } = await openColumns(environments, used, experiment.seeds[0]!, hasNotes)
  await beginAgents(environments, registry.own('agent'))
  return { environments, columns, notes: [...notes, ...leftOut] }
}

/** Creates the first prompt of a task with each agent of a plug-in, so that their errors are reported at once. */
async function beginAgents(environments: readonly GridEnvironment[], own: readonly Agent[]): Promise<void> {
  if (own.length === 0) return
  for (const { environment, tasks } of environments) {
    let world: World
    try {
      world = await environment.begin(tasks[0]!, createRandom('opening'))
    } catch {
      continue // A broken task becomes the outcome of its episodes.
    }
    await closeWorlds([world])
    for (const agent of own) agent.begin(world.briefing, textOf(world.opening)).messages()
  }
}

/**
 * Opens environments with their tasks.
 * @throws ShaketableError with the problem of every environment that cannot be opened, as missing data, and those that
 * can be played without it
 */
async function openAll(
  choices: readonly EnvironmentChoice[],
  registry: Registry,
  where: Where,
): Promise<readonly OpenedGridEnvironment[]> {
  const opened: OpenedGridEnvironment[] = []
  const problems: ShaketableError[] = []
  for (const [index, choice] of choices.entries()) {
    try {
      const environment = await openChosen(registry, choice, where(['environments', index]))
      opened.push({ environment, tasks: chooseTasks(environment, choice, where) })
    } catch (thrown) {
      if (!(thrown instanceof ShaketableError)) throw thrown
      problems.push(thrown)
    }
  }
  const [first] = problems
  if (first === undefined) return opened
  if (choices.length === 1) throw first
  const others = opened.map(({ environment: { name } }) => name).join(',')
  throw new ShaketableError(
    first.code,
    [
      ...problems.map(({ message }) => message),
      ...(others === '' ? [] : [`The rest can be played without: --env ${others}`]),
    ].join('\n'),
    { cause: first },
  )
}

async function openChosen(
  registry: Registry,
  { name, options }: EnvironmentChoice,
  place: string,
): Promise<OpenedEnvironment> {
  try {
    return await registry.find('environment', name).open(options)
  } catch (thrown) {
    throw relocated(place, thrown)
  }
}

interface OpenedGridEnvironment extends GridEnvironment {
  readonly environment: OpenedEnvironment
}

function chooseTasks(
  environment: OpenedEnvironment,
  { tasks }: EnvironmentChoice,
  where: Where,
): GridEnvironment['tasks'] {
  if (typeof tasks === 'object') {
    checkDifferent('tasks', tasks, where)
    return tasks.map((id, index) => located(where(['tasks', index]), () => environment.find(id)))
  }
  const named = tasks === undefined ? undefined : namedByNumber(environment.tasks, tasks)
  const chosen = named === undefined ? environment.tasks.slice(0, tasks) : [named]
  if (chosen.length > 0) return chosen
  throw new ShaketableError(
    'bad-input',
    `The environment '${environment.name}' has no tasks with these options. ${environment.data?.leftOut?.text ?? 'Choose another split or data folder.'}`,
  )
}

function noteMissingTasks({ name, tasks: all }: OpenedEnvironment, { tasks }: EnvironmentChoice): string[] {
  if (typeof tasks !== 'number' || tasks <= all.length || namedByNumber(all, tasks) !== undefined) return []
  return [
    `${name}: ${tasks.toLocaleString('en')} tasks were asked for, but it has ${all.length.toLocaleString('en')}; all of these are played.`,
  ]
}
