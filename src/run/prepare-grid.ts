import { createRequire } from 'node:module'
import type { Agent } from '../core/agent.js'
import { usageError } from '../core/errors.js'
import type { Model } from '../core/model.js'
import { grouped } from '../tables/words.js'
import { describeExcess } from './cells.js'
import { type Connection, createModel, createConnection } from './create-model.js'
import type { Budget } from './budget.js'
import type { Experiment } from './experiment.js'
import type { Where } from './experiment-file.js'
import { type Grid, type GridModel, createGrid } from './grid.js'
import type { Exchanges } from './exchanges.js'
import { isServed } from './model-choice.js'
import type { ServerLearner } from './learn-servers.js'
import { loadRegistry } from './plugins.js'
import type { Registry } from './registry.js'
import { checkFirstPrompts } from './check-first-prompts.js'
import { openExperiment } from './open-experiment.js'
import { resolveExperiment } from './resolve-experiment.js'

type Learner = Pick<ServerLearner, 'traitsOf' | 'reasons'> &
  Partial<Pick<ServerLearner, 'checkFingerprint' | 'checkIdentity'>>

interface PrepareOptions {
  /** Finds the place of a part of the experiment, for messages. */
  readonly where?: Where | undefined
  /** May replace the models. */
  readonly exchanges?: Exchanges | undefined
  /** Probes the servers, after all other checks; without it the plainest traits are assumed. */
  readonly learner?: Learner | undefined
  /** Called during the run with notes on servers and plug-ins. */
  readonly warn?: ((message: string) => void) | undefined
  /** Default: the shipped definitions, and the plug-ins of the experiment. */
  readonly registry?: Registry | undefined
  /**
   * Names of the models that are played. Default: all. Of the others neither server nor file is needed; they are
   * planned, and their settings are not final.
   */
  readonly played?: readonly string[] | undefined
  /** Asked before each attempt at a call. */
  readonly budget?: Pick<Budget, 'meter'> | undefined
}

/**
 * Makes the grid of an experiment, and notes for the user: finds what it names, opens it, and probes its servers.
 * @throws ShaketableError `usage` or `bad-input`, with the place of the unusable name or option
 */
export async function prepareGrid(experiment: Experiment, options: PrepareOptions = {}) {
  const { where = () => '', exchanges, learner, warn, played, budget } = options
  const registry = options.registry ?? (await loadRegistry(experiment.plugins))
  const connection = { ...createConnection(experiment, warn), ...(budget && { budget }) }
  const { temperatures, seeds, seedsAtZero, stepLimit, maxTokens } = experiment

  const resolved = resolveExperiment(experiment, { registry, connection, where, exchanges, played })
  const { agents, agentsOf, primary } = resolved
  const { environments, conditions, notes } = await openExperiment(experiment, resolved.conditions, registry, where)
  const parts = { environments, conditions, agents, temperatures, seeds, stepLimit, maxTokens }
  const createWith = (chosen: readonly GridModel[]): Grid => {
    const models = chosen.map((model, index) =>
      isServed(experiment.models[index]!, registry) ? { ...model, seedsAtZero } : model,
    )
    return createGrid({ ...parts, models, ...(primary && { primary }) }, version())
  }
  const excess = describeExcess(createWith(resolved.models).plan)
  if (excess !== undefined) throw usageError(`${excess} Split the grid into several runs.`)
  const models: GridModel[] = []
  for (const [index, resolvedModel] of resolved.models.entries()) {
    const probed = await probeModel(resolvedModel, { experiment, index, agents: agentsOf[index]!, learner, connection })
    const { reasoningTokens, models: choices } = experiment
    const reasons = reasoningTokens !== undefined && learner?.reasons(probed.model.name)
    const isLimited = reasons === true && choices[index]!.maxTokens === undefined
    if (isLimited)
      notes.push(
        `${probed.model.name}: thinks before it answers, so its replies get ${grouped(reasoningTokens)} tokens. Give --max-tokens for another limit.`,
      )
    const limited = isLimited ? withSettings(probed.model, { maxTokens: reasoningTokens }) : probed.model
    const served = probed.live ? prepareServed(limited) : limited
    const model = probed.unprobed ? served : (exchanges?.wrap?.(served) ?? served)
    models.push({ ...probed, model })
  }
  notes.push(...(await checkFirstPrompts({ ...parts, models })))
  if (experiment.logprobs)
    notes.push(...models.flatMap((model) => (model.unprobed ? [] : [describeLogprobs(model, learner !== undefined)])))
  const { servers } = connection
  return {
    grid: { ...createWith(models), ...(played && { played }), gone: servers.gone, servers } satisfies Grid,
    notes,
  }
}

function describeLogprobs({ model: { name, logprobs }, live, address }: GridModel, isAsked: boolean): string {
  if (logprobs !== undefined)
    return `${name}: log-probabilities are kept. Both wordings of an action are compared by the first token in which they differ, where both are among the likeliest that come with the reply.`
  if (address !== undefined && !isAsked) return `${name}: log-probabilities are kept where its server gives them.`
  return `${name}: ${live ? 'its server is not known to give log-probabilities (see shaketable doctor)' : 'has no log-probabilities'}, so none are asked for.`
}

const withSettings = (model: Model, more: Model['settings']): Model => ({
  ...model,
  settings: { ...model.settings, ...more },
})

/**
 * Adds to a model behind a server that its episodes share random numbers with their clean twins, and the day to each
 * reply.
 */
function prepareServed(model: Model): Model {
  return {
    ...withSettings(model, { pairing: 'common', ...(model.logprobs && { logprobs: model.logprobs }) }),
    complete: async (messages, sampling) => ({
      ...(await model.complete(messages, sampling)),
      day: new Date().toISOString().slice(0, 10),
    }),
  }
}

interface ProbeParts {
  readonly experiment: Experiment
  /** The place of the model in the experiment. */
  readonly index: number
  readonly agents: readonly Agent[]
  readonly learner: Learner | undefined
  readonly connection: Connection
}

/** Probes the server of a model, and recreates the model with the traits found. */
async function probeModel(
  model: GridModel,
  { experiment, index, agents, learner, connection }: ProbeParts,
): Promise<GridModel> {
  if (learner === undefined || model.address === undefined) return model
  const { name } = model.model
  const { endpoint } = connection
  const traits = await learner.traitsOf({ ...model.address, name, secrets: endpoint.secrets })
  const agent = agents.find(({ offersFunctions }) => offersFunctions)
  if (agent !== undefined && traits.tools === 'refused') {
    throw usageError(
      `The agent '${agent.name}' offers functions, and the server of '${name}' refuses them (shaketable doctor says how). Play another agent, such as react, or start the server so that it takes them (llama.cpp: --jinja).`,
    )
  }
  const fingerprint = (seen: string) => learner.checkFingerprint?.(name, seen)
  const verify = async () => learner.checkIdentity?.(name)
  const checked = { ...connection, endpoint: { ...endpoint, fingerprint, verify } }
  return { ...model, ...createModel(experiment.models[index]!, experiment.baseUrl, process.env, traits, checked) }
}

function version(): string {
  return (createRequire(import.meta.url)('shaketable/package.json') as { version: string }).version
}
