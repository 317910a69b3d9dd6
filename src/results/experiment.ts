import { type Plan, type PlannedEnvironment, hashOf, usedIn } from '../define.js'
import { defined } from './lists.js'
import type { Experiment } from './schema.js'
import type { Tallies } from './tallies.js'

/** Collects what identifies the experiment of a plan. */
export function identifyExperiment(plan: Plan, { dates, uses }: Partial<Tallies> = {}): Experiment {
  return {
    environments: plan.environments.map(identifyEnvironment),
    models: plan.models.map(({ name, agents, settings: { endpoint, model, ...settings } }) => ({
      name,
      ...serverOf(endpoint),
      settings: { ...settings, ...(model !== undefined && model !== name && { model }) },
      ...(agents && { agents }),
    })),
    agents: plan.agents,
    conditions: plan.conditions.map(({ label, perturbations }) => ({
      label,
      changes: plan.environments.flatMap(({ name: environment }) =>
        usedIn(perturbations, environment).map(({ version, summary }) => ({ environment, version, summary })),
      ),
    })),
    temperatures: plan.temperatures,
    seeds: plan.seeds,
    runs: plan.temperatures.map((temperature) => ({ temperature, seeds: countSeeds(plan, temperature) })),
    maxSteps: plan.stepLimit,
    maxReplyTokens: plan.maxTokens,
    ...defined({ dates, cost: costOf(plan, uses) }),
  }
}

/** How many seeds are planned at a temperature, each number once. */
function countSeeds({ models, seeds }: Plan, temperature: number): number[] {
  const counts = models.map(({ seedsAtZero = Infinity }) =>
    temperature === 0 ? Math.min(seedsAtZero, seeds.length) : seeds.length,
  )
  return [...new Set(counts)].sort((one, other) => one - other)
}

function identifyEnvironment(environment: PlannedEnvironment): Experiment['environments'][number] {
  const { name, version, tasks, data } = environment
  const { generation, prompt, ...others } = environment.settings
  // Where the tasks are from is told by their kind.
  const settings = Object.fromEntries(Object.entries(others).filter(([name]) => name !== 'games'))
  const { kind, promptFile, from, split, leftOut } = data ?? {}
  return {
    name,
    version,
    tasks: tasks.length,
    panel: panelHash(environment),
    ...defined({ kind, from, split, leftOut: leftOut && { count: leftOut.count, of: leftOut.of } }),
    ...(typeof generation === 'string' && { generation }),
    ...(typeof prompt === 'string' &&
      prompt !== 'own' && { prompt: { ...defined({ file: promptFile }), hash: prompt } }),
    settings,
  }
}

/** What the models behind servers took. */
function costOf({ models }: Plan, uses: Tallies['uses'] = new Map()): Experiment['cost'] {
  const cost = { calls: 0, promptTokens: 0, completionTokens: 0 }
  for (const { name, settings } of models) {
    const use = uses.get(name)
    if (serverOf(settings['endpoint']).server === undefined || use === undefined) continue
    cost.calls += use.calls
    cost.promptTokens += use.promptTokens
    cost.completionTokens += use.completionTokens
  }
  return cost.calls === 0 ? undefined : cost
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
