import type { OpenedEnvironment } from '../environments/index.js'
import { ShaketableError } from '../core/errors.js'
import { type Condition, placeCondition } from './conditions.js'
import type { EnvironmentChoice, Experiment } from './experiment.js'
import { type Where, located, relocated } from './experiment-file.js'
import type { GridEnvironment } from './grid.js'
import { type PlacedCondition, openConditions } from './open-conditions.js'
import type { Registry } from './registry.js'
import { checkDifferent } from './resolve-experiment.js'

/**
 * Opens the environments of an experiment with their tasks, and the conditions that are of use there.
 * @param written the conditions as they were written
 * @throws ShaketableError `usage` or `bad-input`, with the place of what cannot be opened
 */
export async function openExperiment(
  experiment: Experiment,
  written: readonly Condition[],
  registry: Registry,
  where: Where,
) {
  const environments: (GridEnvironment & { readonly environment: OpenedEnvironment })[] = []
  for (const [index, choice] of experiment.environments.entries()) {
    const open = async (): Promise<OpenedEnvironment> => registry.find('environment', choice.name).open(choice.options)
    const environment = await open().catch((thrown: unknown) => {
      throw relocated(where(['environments', index]), thrown)
    })
    environments.push({ environment, tasks: chooseTasks(environment, choice, where) })
  }
  const notes = environments.flatMap(({ environment }, index) => [
    ...environment.notes,
    ...noteMissingTasks(environment, experiment.environments[index]!),
  ])
  const places = environments.map(({ environment }) => environment.name)
  const optional = new Set(experiment.optional)
  const placed = written.map((condition, index): PlacedCondition => {
    const place = where(['perturbations', index])
    const isOptional = optional.has(experiment.perturbations[index]!)
    const known = registry.list('lens')
    return {
      ...located(place, () => placeCondition(condition, places, known, isOptional)),
      place,
      isOptional,
    }
  })
  // Without any of its perturbations a condition would be a second clean one.
  const used = placed.filter(({ applied }, index) => applied.length > 0 || written[index]!.applied.length === 0)
  for (const { label } of placed.filter((condition) => !used.includes(condition)))
    notes.push(`${label}: left out, since none of these environments has a use for it.`)
  const { conditions, notes: leftOut } = await openConditions(environments, used, experiment.seeds[0]!)
  return { environments, conditions, notes: [...notes, ...leftOut] }
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
  const chosen = environment.tasks.slice(0, tasks)
  if (chosen.length > 0) return chosen
  throw new ShaketableError(
    'bad-input',
    `The environment '${environment.name}' has no tasks with these options. ${environment.data?.leftOut?.text ?? 'Choose another split or data folder.'}`,
  )
}

function noteMissingTasks({ name, tasks: all }: OpenedEnvironment, { tasks }: EnvironmentChoice): string[] {
  if (typeof tasks !== 'number' || tasks <= all.length) return []
  return [
    `${name}: ${tasks.toLocaleString('en')} tasks were asked for, but it has ${all.length.toLocaleString('en')}; all of these are played.`,
  ]
}
