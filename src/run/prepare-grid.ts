import { createRequire } from 'node:module'
import type { OpenedEnvironment } from '../environments/index.js'
import { namedByNumber } from '../environments/spread-tasks.js'
import type { Agent } from '../core/agent.js'
import { closeWorlds } from '../core/close-worlds.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { World } from '../core/environment.js'
import type { Model } from '../core/model.js'
import { textOf } from '../core/text.js'
import { maxScoredSteps } from '../play/wordings.js'
import type { Perturbation } from '../core/perturbation.js'
import { createRandom } from '../core/random.js'
import { countCells, maxCells } from './cells.js'
import { createModel, createConnection } from './create-model.js'
import type { Column } from './columns.js'
import { parseColumn, placeColumn } from './columns.js'
import type { Budget } from './budget.js'
import type { Connection } from './create-model.js'
import type { Plan } from './plan.js'
import { labelWithout } from './plan.js'
import type { EnvironmentChoice, Experiment } from './experiment.js'
import type { Where } from './experiment-file.js'
import { at, located, relocated } from './experiment-file.js'
import type { Grid, GridEnvironment, GridModel } from './grid.js'
import { createGrid } from './grid.js'
import type { Exchanges } from './exchanges.js'
import { findControl, isServed, roleOf } from './model-choice.js'
import type { ServerLearner } from './learn-servers.js'
import { loadRegistry } from './plugins.js'
import type { Registry } from './registry.js'
import { checkFirstPrompts } from './check-first-prompts.js'
import type { PlacedColumn } from './open-columns.js'
import { openColumns } from './open-columns.js'

type Learner = Pick<ServerLearner, 'traitsOf' | 'reasons'> &
  Partial<Pick<ServerLearner, 'checkFingerprint' | 'checkIdentity' | 'replyLimit'>>

/** A grid that is ready to be played, and notes for the user. */
interface PreparedGrid {
  readonly grid: Grid
  readonly notes: readonly string[]
}

/** Options of {@link prepareGrid}. */
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
 * Opens everything that an experiment names.
 * @throws ShaketableError `usage` or `bad-input`, with the place of the unusable name or option
 */
export async function prepareGrid(experiment: Experiment, options: PrepareOptions = {}): Promise<PreparedGrid> {
  const { where = () => '', exchanges, learner, warn, played, budget } = options
  const registry = options.registry ?? (await loadRegistry(experiment.plugins, warn))
  const connection = { ...createConnection(experiment, warn), ...(budget && { budget }) }
  const { temperatures, seeds, stepLimit, reasoningTokens } = experiment
  let { maxTokens } = experiment
  const known = registry.list('lens')
  const places = experiment.environments.map(({ name }, index) =>
    located(where(['environments', index]), () => registry.find('environment', name).name),
  )
  const written = experiment.perturbations.map((text, index) =>
    located(where(['perturbations', index]), () => parseColumn(text, known, registry.list('filter'))),
  )
  const usual = experiment.agents.map((name, index) =>
    located(where(['agents', index]), () => registry.find('agent', name)),
  )
  const own = experiment.models.map(({ agent }, index) =>
    agent === undefined ? usual : [located(where(['models', index, 'agent']), () => registry.find('agent', agent))],
  )
  const agents = [...new Map(own.flat().map((agent) => [agent.name, agent])).values()]
  const models = experiment.models.map((choice, index): GridModel => {
    const agents = own[index]!.map(({ name }) => name)
    const isLeftOut = played !== undefined && !played.includes(choice.name)
    if (isLeftOut && findControl(choice, registry) === undefined) return { ...notOpened(choice), agents }
    const chosen = located(
      where(['models', index]),
      () =>
        exchanges?.choose?.(choice) ??
        createModel(choice, experiment.baseUrl, process.env, undefined, connection, registry),
    )
    return { ...chosen, agents }
  })
  const lists = {
    perturbations: written.map(({ label }) => label),
    agents: usual.map(({ name }) => name),
    models: models.map(({ model }) => model.name),
    environments: experiment.environments.map(({ name }) => name),
  }
  const advice = ' Give one of them another name, and its name on the server as model.'
  for (const [key, names] of Object.entries(lists))
    checkDifferent(key, names, where, key === 'models' && models.some(({ live }) => live) ? advice : '')
  experiment.models.forEach(({ name, api, template }, index) => {
    const offering = own[index]!.find(({ offersFunctions }) => offersFunctions)
    if (offering === undefined || (api !== 'completions' && template === undefined)) return
    throw new ShaketableError(
      'usage',
      `The agent '${offering.name}' offers functions, which plain completions do not take, and '${name}' is played over them. Give the model another agent, such as agent: react, or leave api and template out.`,
    )
  })
  checkLayouts(
    written,
    agents.filter(({ takesLayouts }) => !takesLayouts),
    where,
  )
  const primary = experiment.primary && choosePrimary(experiment.primary, written, known, where)
  checkDifferent('temperatures', temperatures, where)
  checkDifferent('seeds', seeds, where)
  experiment.models.forEach((choice, index) => {
    const others = models.map(({ model }) => model.name).filter((other) => other !== choice.name)
    for (const role of ['withoutInDomain', 'variantOf'] as const) {
      const other = choice[role]
      if (other === undefined) continue
      const place = where(['models', index, role])
      if (!others.includes(other))
        throw new ShaketableError('usage', at(place, unknownName('other model of this experiment', other, others)))
      const mine = models[index]!.agents!
      const theirs = models.find(({ model }) => model.name === other)!.agents!
      if (mine.some((agent) => theirs.includes(agent))) continue
      throw new ShaketableError(
        'usage',
        at(
          place,
          `expected a model with an agent of '${choice.name}' (${mine.join(', ')}), since two models are compared under one agent, but '${other}' is played with ${theirs.join(', ')}. Give both one agent, or leave ${role} out.`,
        ),
      )
    }
  })
  const speaks = new Map<string, string>()
  const notes: string[] = []
  const environments = await openAll(experiment.environments, registry, where)
  for (const [index, { environment: opened }] of environments.entries()) {
    const choice = experiment.environments[index]!
    if (opened.speaks !== undefined) speaks.set(opened.name, opened.speaks)
    // After the tasks, which may add notes while they are read.
    notes.push(...opened.notes, ...noteMissingTasks(opened, choice))
  }
  const optional = new Set(experiment.optional)
  const placed = written.map((column, index): PlacedColumn => {
    const place = where(['perturbations', index])
    const isOptional = optional.has(experiment.perturbations[index]!)
    return { ...located(place, () => placeColumn(column, places, known, speaks, isOptional)), place, isOptional }
  })
  // Without any of its perturbations a column would be a second clean one.
  const used = placed.filter(({ applied }, index) => applied.length > 0 || written[index]!.applied.length === 0)
  for (const { label } of placed.filter((one) => !used.includes(one)))
    notes.push(`${label}: left out, since none of these environments has a use for it.`)
  const { columns, notes: leftOut } = await openColumns(environments, used, seeds[0]!)
  notes.push(...leftOut)
  await beginAgents(environments, registry.own('agent'))
  const { seedsAtZero } = experiment
  const createWith = (chosen: readonly GridModel[]): Grid => {
    const models = chosen.map((one, index) =>
      isServed(experiment.models[index]!, registry) ? { ...one, seedsAtZero } : one,
    )
    const limits = { temperatures, seeds, stepLimit, maxTokens, ...(primary && { primary }) }
    return createGrid({ environments, columns, models, agents, ...limits }, version())
  }
  const count = countCells(createWith(models).plan)
  if (count > maxCells) {
    throw new ShaketableError(
      'usage',
      `Expected a grid of at most ${maxCells.toLocaleString('en')} episodes, got ${count.toLocaleString('en')}. Split it into several runs.`,
    )
  }
  let settled = learner === undefined ? models : await settleModels(models, own, experiment, learner, connection)
  const reasoning = settled.filter(
    ({ model, address, unprobed }, index) =>
      (address !== undefined || unprobed || exchanges?.servers !== undefined) &&
      (model.settings['maxTokens'] ?? experiment.models[index]!.maxTokens) === undefined &&
      learner?.reasons(model.name),
  )
  if (reasoningTokens !== undefined) {
    // Of a run that has begun, the limit is part of its episodes; models that come in later get one of their own.
    const isOwn = learner?.replyLimit === maxTokens
    if (learner?.replyLimit === reasoningTokens) maxTokens = reasoningTokens
    if (reasoning.length > 0) {
      if (isOwn) settled = settled.map((one) => (reasoning.includes(one) ? withLimit(one, reasoningTokens) : one))
      else maxTokens = reasoningTokens
      notes.push(
        `${reasoning.map(({ model }) => model.name).join(', ')}: thinks before it answers, so ${isOwn ? 'its ' : ''}replies get ${reasoningTokens.toLocaleString('en')} tokens. Give --max-tokens for another limit.`,
      )
    }
  }
  notes.push(...(await checkFirstPrompts({ environments, columns, agents, models: settled, seeds, maxTokens })))
  const asked = settled.map((one) => (one.live ? { ...one, model: prepareServed(one.model, experiment) } : one))
  const kept =
    exchanges === undefined
      ? asked
      : asked.map((one) => (one.unprobed ? one : { ...one, model: exchanges.wrap(one.model) }))
  notes.push(...noteEqualTrials(agents, temperatures))
  if (experiment.logprobs)
    notes.push(
      ...describeLogprobs(
        kept.filter(({ unprobed }) => !unprobed),
        agents,
        createWith(kept).plan,
        learner !== undefined,
      ),
    )
  const { servers } = connection
  return { grid: { ...createWith(kept), ...(played && { played }), gone: servers.gone, servers }, notes }
}

/** A model behind a server or in a file that is planned but not played. */
function notOpened(choice: Experiment['models'][number]): GridModel {
  const complete = (): never => {
    throw new ShaketableError('model', `'${choice.name}' is not among the models of this session.`)
  }
  return { model: { name: choice.name, settings: {}, complete }, live: false, unprobed: true, ...roleOf(choice) }
}

/** A model with its own limit of reply tokens. */
function withLimit(one: GridModel, maxTokens: number): GridModel {
  return { ...one, model: { ...one.model, settings: { ...one.model.settings, maxTokens } } }
}

/** Notes for each model whether log-probabilities are kept, and the maximum number of calls that they add. */
function describeLogprobs(
  models: readonly GridModel[],
  agents: readonly Agent[],
  plan: Plan,
  isAsked: boolean,
): readonly string[] {
  const columns = plan.columns.filter(({ perturbations }) => perturbations.length > 0)
  const each = 2 * maxScoredSteps
  return models.map(({ model: { name, logprobs }, live, address }) => {
    const own = { ...plan, columns, models: plan.models.filter((model) => model.name === name) }
    const calls = agents.reduce(
      (sum, agent) => sum + countCells({ ...own, agents: [agent] }) * (agent.trials?.most ?? 1) * each,
      0,
    )
    const scoring = `up to ${String(each)} more calls for each episode or trial under a perturbation score both wordings of actions, ${calls.toLocaleString('en')} calls at most`
    if (logprobs === 'continuations') return `${name}: log-probabilities are kept; ${scoring}.`
    if (logprobs === 'top') {
      return `${name}: log-probabilities are kept. Its server does not score a text that it is given, so both wordings are compared by the first token in which they differ, where both are among the likeliest that come with the reply; no calls are added.`
    }
    if (live && address !== undefined && !isAsked) {
      return `${name}: log-probabilities are kept where its server gives them; where it scores a text that it is given, ${scoring}.`
    }
    return `${name}: ${live ? 'its server is not known to give log-probabilities (see shaketable doctor)' : 'has no log-probabilities'}, so none are asked for.`
  })
}

/** Adds the pairing of seeds to the settings of a model behind a server, and the day to each reply. */
export function prepareServed(model: Model, { pairing }: Experiment): Model {
  return {
    ...model,
    settings: {
      ...model.settings,
      ...(pairing && { pairing }),
      ...(model.logprobs && { logprobs: model.logprobs }),
    },
    complete: async (messages, sampling) => ({
      ...(await model.complete(messages, sampling)),
      day: new Date().toISOString().slice(0, 10),
    }),
  }
}

/** @throws ShaketableError `usage` for a column with another layout of the prompt and an agent that takes none */
function checkLayouts(columns: readonly Column[], rigid: readonly Agent[], where: Where): void {
  if (rigid.length === 0) return
  columns.forEach(({ label, applied }, index) => {
    if (!applied.some(({ perturbation }) => perturbation.laysOut)) return
    const names = rigid.map(({ name }) => `'${name}'`).join(' and ')
    throw new ShaketableError(
      'usage',
      at(
        where(['perturbations', index]),
        `'${label}' lays the prompt out anew, which ${names} cannot do. Play it with act, react or tools, or leave it out.`,
      ),
    )
  })
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

function noteEqualTrials(agents: readonly Agent[], temperatures: readonly number[]): string[] {
  if (!temperatures.includes(0)) return []
  return agents
    .filter(({ trials }) => trials !== undefined && trials.reflection === undefined)
    .map(
      ({ name }) =>
        `${name}: at temperature 0 its trials differ by little but their seed. The paper's are at temperature 1 (--temperatures 1).`,
    )
}

/** Probes the servers, and recreates their models with the traits found; `agents` are the agents of each model. */
async function settleModels(
  models: readonly GridModel[],
  agents: readonly (readonly Agent[])[],
  experiment: Experiment,
  learner: Learner,
  connection: Connection,
): Promise<readonly GridModel[]> {
  const settled: GridModel[] = []
  for (const [index, one] of models.entries()) {
    if (one.address === undefined) {
      settled.push(one)
      continue
    }
    const traits = await learner.traitsOf({
      ...one.address,
      name: one.model.name,
      secrets: connection.endpoint.secrets,
    })
    const agent = agents[index]!.find(({ offersFunctions }) => offersFunctions)
    if (agent !== undefined && traits.tools === 'refused') {
      throw new ShaketableError(
        'usage',
        `The agent '${agent.name}' offers functions, and the server of '${one.model.name}' refuses them (shaketable doctor says how). Play another agent, such as react, or start the server so that it takes them (llama.cpp: --jinja).`,
      )
    }
    const { name } = one.model
    const endpoint = {
      ...connection.endpoint,
      fingerprint: (given: string) => learner.checkFingerprint?.(name, given),
      verify: async () => learner.checkIdentity?.(name),
    }
    const checked = { ...connection, endpoint }
    settled.push({
      ...one,
      ...createModel(experiment.models[index]!, experiment.baseUrl, process.env, traits, checked),
    })
  }
  return settled
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

function checkDifferent(key: string, values: readonly (string | number)[], where: Where, advice = ''): void {
  const index = values.findIndex((value, place) => values.indexOf(value) !== place)
  if (index === -1) return
  throw new ShaketableError(
    'usage',
    at(where([key, index]), `expected different ${key}, got '${String(values[index])}' twice.${advice}`),
  )
}

function version(): string {
  return (createRequire(import.meta.url)('shaketable/package.json') as { version: string }).version
}

/**
 * @throws ShaketableError `usage` for a perturbation that is not a column of the experiment, or changes nothing, and
 * for an adversarial one among several
 */
function choosePrimary(
  { metric = 'success', perturbations: given }: NonNullable<Experiment['primary']>,
  columns: readonly Column[],
  known: readonly Perturbation[],
  where: Where,
): NonNullable<Plan['primary']> {
  if (given === undefined) return { metric }
  const labels = columns.filter(({ applied }) => applied.length > 0).map(({ label }) => label)
  return {
    metric,
    columns: given.flatMap((text, index) =>
      located(where(['primary', 'perturbations', index]), () => {
        const { label, applied } = parseColumn(text, known)
        if (given.length > 1 && applied.some(({ perturbation }) => perturbation.adversarial)) {
          throw new ShaketableError(
            'usage',
            `'${label}' is adversarial, and enters no average over conditions. Leave it out of the primary endpoint, or name it alone.`,
          )
        }
        const draws = labels.filter((one) => one === label || labelWithout(one, 'draw') === label)
        if (draws.length > 0) return draws
        throw new ShaketableError('usage', unknownName('perturbation of this experiment', label, labels))
      }),
    ),
  }
}
