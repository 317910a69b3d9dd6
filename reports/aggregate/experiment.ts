import type { Plan, PlannedColumn, PlannedEnvironment, TaskSource } from 'shaketable'
import { hashOf, usedIn } from 'shaketable'
import type { Dates, Experiment, ExperimentEnvironment } from './schema.js'

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
