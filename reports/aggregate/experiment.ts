import type { Plan, PlannedColumn, PlannedEnvironment, TaskSource } from 'shaketable'
import { hashOf, usedIn } from 'shaketable'

/** What identifies an experiment. Two experiments that differ in any of it have different captions. */
export interface Experiment {
  readonly environments: readonly ExperimentEnvironment[]
  readonly models: readonly {
    readonly name: string
    /** Host and path, without what may be a secret. Absent for a model without a server. */
    readonly server?: string
    /** All settings but the server's address. */
    readonly settings: Readonly<Record<string, unknown>>
    /** Names of the agents that it is played with, where those are not all. */
    readonly agents?: readonly string[]
  }[]
  readonly agents: Plan['agents']
  readonly conditions: readonly {
    readonly label: string
    /** What it changes, by environment; empty where it changes nothing. */
    readonly changes: readonly { readonly environment: string; readonly version: string; readonly summary: string }[]
  }[]
  readonly temperatures: readonly number[]
  readonly seeds: readonly number[]
  /** Maximum steps of an episode. */
  readonly maxSteps: number
  /** Maximum tokens of a reply. */
  readonly maxReplyTokens: number
  /**
   * Days (UTC) of the first and last measurement, as `2026-11-22`. Absent where no model behind a server was played.
   */
  readonly dates?: Dates
}

/** The environment's data and prompt. */
export interface ExperimentEnvironment extends Omit<TaskSource, 'kind' | 'promptFile' | 'leftOut'> {
  /** How many of how many tasks are left out because their files are damaged. */
  readonly leftOut?: { readonly count: number; readonly of: number }
  readonly name: string
  readonly version: string
  readonly tasks: number
  /** Hash of the settings and of the tasks' content. */
  readonly panel: string
  /** Absent where an older version did not record it. */
  readonly kind?: TaskSource['kind']
  readonly generation?: string
  /** Absent where the prompt is shaketable's own. */
  readonly prompt?: { readonly file?: string; readonly hash: string }
  /** All other settings. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** Two days, as `2026-11-22`. */
export interface Dates {
  readonly first: string
  readonly last: string
}

/** Collects what identifies the experiment of a plan, as far as an older plan records it. */
export function identifyExperiment(plan: Plan, dates: Dates | undefined): Experiment {
  return {
    environments: plan.environments.map(identifyEnvironment),
    models: plan.models.map(({ name, agents, settings: { endpoint, model, ...settings } }) => ({
      name,
      ...serverOf(endpoint),
      settings: { ...settings, ...(model !== undefined && model !== name && { model }) },
      ...(agents && { agents }),
    })),
    agents: plan.agents,
    conditions: plan.columns.map((column) => identifyCondition(plan, column)),
    temperatures: plan.temperatures,
    seeds: plan.seeds,
    maxSteps: plan.stepLimit,
    maxReplyTokens: plan.maxTokens,
    ...(dates && { dates }),
  }
}

function identifyEnvironment(environment: PlannedEnvironment): ExperimentEnvironment {
  const { name, version, tasks, data } = environment
  const { games, generation, prompt, ...settings } = environment.settings
  const { kind = typeof games === 'string' ? kinds[games] : undefined, promptFile, from, split, leftOut } = data ?? {}
  return {
    name,
    version,
    tasks: tasks.length,
    panel: panelHash(environment),
    ...(kind && { kind }),
    ...(from !== undefined && { from }),
    ...(split !== undefined && { split }),
    ...(leftOut && { leftOut: { count: leftOut.count, of: leftOut.of } }),
    ...(typeof generation === 'string' && { generation }),
    ...(typeof prompt === 'string' &&
      prompt !== 'own' && { prompt: { ...(promptFile !== undefined && { file: promptFile }), hash: prompt } }),
    settings,
  }
}

/** The kind by the setting `games`, for plans that do not record the kind. */
const kinds: Readonly<Partial<Record<string, TaskSource['kind']>>> = {
  generated: 'generated',
  own: 'generated',
  alfworld: 'benchmark',
  agentboard: 'benchmark',
  files: 'files',
}

function identifyCondition(plan: Plan, { label, perturbations }: PlannedColumn) {
  return {
    label,
    changes: plan.environments.flatMap(({ name: environment }) =>
      usedIn(perturbations, environment).map(({ version, summary }) => ({ environment, version, summary })),
    ),
  }
}

function serverOf(endpoint: unknown): { readonly server?: string } {
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return {}
  const { host, pathname } = new URL(endpoint)
  return { server: `${host}${pathname}`.replace(/\/+$/, '') }
}

/**
 * A hash of an environment's name, version and settings and of its tasks' ids and content in order, as 20 hex digits.
 * Results with the same hash are of one panel and can be paired task by task.
 */
export function panelHash({ name, version, settings, tasks }: PlannedEnvironment): string {
  return hashOf({ name, version, settings, tasks: tasks.map(({ id, hash }) => [id, hash]) }, 20)
}
