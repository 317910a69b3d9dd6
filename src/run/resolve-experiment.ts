import type { Agent } from '../core/agent.js'
import { ShaketableError, unknownName, usageError } from '../core/errors.js'
import type { Perturbation } from '../core/perturbation.js'
import { type Condition, parseCondition } from './conditions.js'
import { type Connection, createModel } from './create-model.js'
import type { Exchanges } from './exchanges.js'
import type { Experiment } from './experiment.js'
import { type Where, located, relocated } from './experiment-file.js'
import type { GridModel } from './grid.js'
import { findControl, roleOf } from './model-choice.js'
import { type Plan, labelWithout } from './plan.js'
import type { Registry } from './registry.js'

interface ResolveOptions {
  readonly registry: Registry
  readonly connection: Connection
  readonly where: Where
  readonly exchanges?: Exchanges | undefined
  readonly played?: readonly string[] | undefined
}

/**
 * Finds the definitions that an experiment names, and checks that they go together. Nothing is opened yet, and no
 * server is asked.
 * @throws ShaketableError `usage` or `bad-input`, with the place of the unusable name or option
 */
export function resolveExperiment(
  experiment: Experiment,
  { registry, connection, where, exchanges, played }: ResolveOptions,
) {
  const locate = <T>(path: readonly PropertyKey[], work: () => T): T => located(where(path), work)
  experiment.environments.forEach(({ name }, index) =>
    locate(['environments', index], () => registry.find('environment', name)),
  )
  const known = registry.list('lens')
  const conditions = experiment.perturbations.map((text, index) =>
    locate(['perturbations', index], () => parseCondition(text, known)),
  )
  const shared = experiment.agents.map((name, index) => locate(['agents', index], () => registry.find('agent', name)))
  /** The agents of each model. */
  const agentsOf = experiment.models.map(({ agent }, index) =>
    agent === undefined ? shared : [locate(['models', index, 'agent'], () => registry.find('agent', agent))],
  )
  /** All agents, each once. */
  const agents = [...new Map(agentsOf.flat().map((agent) => [agent.name, agent])).values()]
  const models = experiment.models.map((choice, index): GridModel => {
    const names = agentsOf[index]!.map(({ name }) => name)
    const isLeftOut = played !== undefined && !played.includes(choice.name)
    if (isLeftOut && findControl(choice, registry) === undefined) return { ...notOpened(choice), agents: names }
    const open = (): GridModel => createModel(choice, experiment.baseUrl, process.env, undefined, connection, registry)
    return { ...locate(['models', index], () => exchanges?.choose?.(choice) ?? open()), agents: names }
  })
  const lists = {
    perturbations: conditions.map(({ label }) => label),
    agents: shared.map(({ name }) => name),
    models: models.map(({ model }) => model.name),
    environments: experiment.environments.map(({ name }) => name),
    temperatures: experiment.temperatures,
    seeds: experiment.seeds,
  }
  const advice = ' Give one of them another name, and its name on the server as model.'
  for (const [key, values] of Object.entries(lists))
    checkDifferent(key, values, where, key === 'models' && models.some(({ live }) => live) ? advice : '')
  agentsOf.forEach((own, index) => checkModel(experiment, own, index, where))
  conditions.forEach((condition, index) => locate(['perturbations', index], () => checkLayout(condition, agents)))
  const primary = experiment.primary && choosePrimary(experiment.primary, conditions, known, where)
  return { conditions, models, agents, agentsOf, primary }
}

/** A model behind a server or in a file that is planned but not played. */
function notOpened(choice: Experiment['models'][number]): GridModel {
  const complete = (): never => {
    throw new ShaketableError('model', `'${choice.name}' is not among the models of this session.`)
  }
  return { model: { name: choice.name, settings: {}, complete }, live: false, unprobed: true, ...roleOf(choice) }
}

/** @throws ShaketableError `usage` for two equal values of a list */
export function checkDifferent(key: string, values: readonly (string | number)[], where: Where, advice = ''): void {
  const index = values.findIndex((value, place) => values.indexOf(value) !== place)
  if (index === -1) return
  const message = `expected different ${key}, got '${String(values[index])}' twice.${advice}`
  throw relocated(where([key, index]), usageError(message))
}

/**
 * @throws ShaketableError `usage` for a model that is compared with none, and for an agent that offers functions to
 * plain completions
 */
function checkModel(experiment: Experiment, agents: readonly Agent[], index: number, where: Where): void {
  const { name, api, ...choice } = experiment.models[index]!
  const offering = agents.find(({ offersFunctions }) => offersFunctions)
  if (offering !== undefined && api === 'completions') {
    throw usageError(
      `The agent '${offering.name}' offers functions, which plain completions do not take, and '${name}' is played over them. Give the model another agent, such as agent: react, or leave api out.`,
    )
  }
  const others = experiment.models.map((model) => model.name).filter((other) => other !== name)
  for (const role of ['withoutInDomain', 'variantOf'] as const) {
    const other = choice[role]
    if (other !== undefined && !others.includes(other))
      throw relocated(
        where(['models', index, role]),
        usageError(unknownName('other model of this experiment', other, others)),
      )
  }
}

/** @throws ShaketableError `usage` for a condition with another layout of the prompt and an agent that takes none */
function checkLayout({ label, applied }: Condition, agents: readonly Agent[]): void {
  const rigid = agents.filter(({ takesLayouts }) => !takesLayouts).map(({ name }) => `'${name}'`)
  if (rigid.length === 0 || !applied.some(({ perturbation }) => perturbation.laysOut)) return
  const what = `'${label}' lays the prompt out anew, which ${rigid.join(' and ')} cannot do.`
  throw usageError(`${what} Play it with act, react or tools, or leave it out.`)
}

/**
 * @throws ShaketableError `usage` for a perturbation that is not a condition of the experiment, or changes nothing, and
 * for an adversarial one among several
 */
function choosePrimary(
  { metric = 'success', perturbations: wanted }: NonNullable<Experiment['primary']>,
  conditions: readonly Condition[],
  known: readonly Perturbation[],
  where: Where,
): NonNullable<Plan['primary']> {
  if (wanted === undefined) return { metric }
  const labels = conditions.filter(({ applied }) => applied.length > 0).map(({ label }) => label)
  return {
    metric,
    conditions: wanted.flatMap((text, index) =>
      located(where(['primary', 'perturbations', index]), () => {
        const { label, applied } = parseCondition(text, known)
        if (wanted.length > 1 && applied.some(({ perturbation }) => perturbation.adversarial)) {
          throw usageError(
            `'${label}' is adversarial, and enters no average over conditions. Leave it out of the primary endpoint, or name it alone.`,
          )
        }
        const draws = labels.filter((candidate) => candidate === label || labelWithout(candidate, 'draw') === label)
        if (draws.length > 0) return draws
        throw usageError(unknownName('perturbation of this experiment', label, labels))
      }),
    ),
  }
}
