import type { Agent } from '../core/agent.js'
import type { Environment, Task } from '../core/environment.js'
import type { Model } from '../core/model.js'
import { type AppliedPerturbation, promiseOf, settingsOf, usedIn } from '../core/perturbation.js'
import { type PerturbedEnvironment, perturb } from '../core/perturb.js'
import type { Plan, PlannedCondition, PlannedModel } from './plan.js'
import type { AddressOptions } from '../models/address.js'
import type { RequestSettings } from '../models/request-settings.js'
import type { Servers } from '../models/index.js'
import type { Condition } from './conditions.js'
import { type ModelRole, roleOf, withoutAbsent } from './model-choice.js'

/** An environment of a grid, with the tasks that are played. */
export interface GridEnvironment {
  readonly environment: Environment
  readonly tasks: readonly Task[]
}

/** A model of a grid. */
export interface GridModel extends ModelRole {
  readonly model: Model
  /** Whether it waits for a server; otherwise it computes on this machine. */
  readonly live: boolean
  /** Address and key of its server, if it has one. */
  readonly address?: AddressOptions & { readonly baseUrl: string; readonly settings?: RequestSettings }
  /** The number of seeds that are played at temperature 0. */
  readonly seedsAtZero?: number
  /** Names of the agents that it is played with. Default: all agents of the grid. */
  readonly agents?: readonly string[]
  /** It is not played, and its settings are not known yet; see {@link PlannedModel.unprobed}. */
  readonly unprobed?: true
}

/** The parts of a grid, ready to be played. */
export interface GridParts extends Pick<Plan, 'temperatures' | 'seeds' | 'stepLimit' | 'maxTokens' | 'primary'> {
  readonly environments: readonly GridEnvironment[]
  readonly conditions: readonly Condition[]
  readonly models: readonly GridModel[]
  readonly agents: readonly Agent[]
}

/** A plan, and the live objects that it names. */
export interface Grid {
  readonly plan: Plan
  /** Whether any model waits for a server. */
  readonly live: boolean
  /** Names of the models behind a server. */
  readonly served: ReadonlySet<string>
  /** Names of the models that can be played. Absent: all. */
  readonly played?: readonly string[]
  /** Aborted once a server of its models is gone, with an error as the reason. */
  readonly gone?: AbortSignal
  /** The servers of its models. */
  readonly servers?: Pick<Servers, 'pauses' | 'leave'>
  readonly environments: ReadonlyMap<string, Environment>
  /** By environment, then by condition. */
  readonly perturbed: ReadonlyMap<string, ReadonlyMap<string, PerturbedEnvironment>>
  /** The perturbations of each condition, of all environments. */
  readonly applied: ReadonlyMap<string, readonly AppliedPerturbation[]>
  /** By environment, then by id. */
  readonly tasks: ReadonlyMap<string, ReadonlyMap<string, Task>>
  readonly models: ReadonlyMap<string, Model>
  readonly agents: ReadonlyMap<string, Agent>
}

/** The maximum number of calls of an episode: one a step and one for each reflection. */
export function maxCalls({ trials }: Agent, stepLimit: number): number {
  if (trials === undefined) return stepLimit
  return trials.most * stepLimit + (trials.reflection === undefined ? 0 : trials.most - 1)
}

/** Creates a grid: its plan as plain JSON, and the live objects. */
export function createGrid(parts: GridParts, version: string): Grid {
  const { environments, conditions, models, agents, temperatures, seeds, stepLimit, maxTokens, primary } = parts
  const opened = environments.map(({ environment }) => environment)
  const plan: Plan = {
    schema: 1,
    version,
    environments: environments.map(({ environment, tasks }) => ({
      name: environment.name,
      version: environment.version,
      ...(environment.measure !== undefined && { measure: environment.measure }),
      settings: environment.settings,
      ...(environment.data && { data: environment.data }),
      tasks: tasks.map(({ id, goal, kind, difficulty, hash }) =>
        withoutAbsent({ id, goal: goal === '' ? undefined : goal, kind, difficulty, hash }),
      ),
    })),
    conditions: conditions.map(planCondition),
    models: models.map((model) => planModel(model, temperatures.includes(0) ? seeds.length : 0, agents.length)),
    agents: agents.map(({ name, settings }) => ({ name, settings })),
    temperatures,
    seeds,
    stepLimit,
    maxTokens,
    ...(primary && { primary }),
  }
  return {
    plan,
    live: models.some(({ live }) => live),
    served: new Set(models.filter(({ address }) => address !== undefined).map(({ model }) => model.name)),
    environments: new Map(opened.map((environment) => [environment.name, environment])),
    tasks: new Map(
      environments.map(({ environment, tasks }) => [environment.name, new Map(tasks.map((task) => [task.id, task]))]),
    ),
    perturbed: new Map(
      opened.map((environment) => [
        environment.name,
        new Map(conditions.map((each) => perturbWith(environment, each))),
      ]),
    ),
    applied: new Map(conditions.map(({ label, applied }) => [label, applied])),
    models: new Map(models.map(({ model }) => [model.name, model])),
    agents: new Map(agents.map((agent) => [agent.name, agent])),
  }
}

const perturbWith = (environment: Environment, { label, applied }: Condition) =>
  [label, perturb(environment, usedIn(applied, environment.name))] as const

function planCondition({ label, applied }: Condition): PlannedCondition {
  const perturbations = applied.map((one) => {
    const { name, version, touches, keepsMeaning, adversarial, source, summary } = one.perturbation
    const promise = promiseOf(one)
    const isNeutral = promise === 'invariant' || promise === 'identity'
    return {
      ...{ name, version },
      ...settingsOf(one),
      ...(one.draw !== undefined && promise !== 'identity' && { numbers: 'own' as const }),
      promise,
      ...(touches && { touches, keepsMeaning: keepsMeaning ?? isNeutral }),
      ...(adversarial && { adversarial }),
      ...{ source, summary },
      ...(one.environments !== undefined && { environments: one.environments }),
    }
  })
  return { label, perturbations }
}

/** `repeats` is the number of seeds at temperature 0, `all` the number of agents of the grid. */
function planModel(gridModel: GridModel, repeats: number, all: number): PlannedModel {
  const { model, seedsAtZero = Infinity, agents, unprobed } = gridModel
  return {
    name: model.name,
    settings: model.settings,
    ...roleOf(gridModel),
    ...(seedsAtZero < repeats && { seedsAtZero }),
    ...(agents && agents.length < all && { agents }),
    ...(unprobed && { unprobed }),
  }
}
