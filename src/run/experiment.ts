import { type EnvironmentFlags, settingsFor, whereFlag } from './experiment-flags.js'
import { checkSteps, expandCheckpoints } from './checkpoints.js'
import { type LoadedExperiment, type Where, located } from './experiment-file.js'
import type { GivenExperiment } from './experiment-schema.js'
import { type ModelChoice, type Present, findControl, isServed, placeModels, withoutAbsent } from './model-choice.js'
import { type Registry, shipped } from './registry.js'
import { chooseConditions } from './suites.js'
import { usageError } from '../core/errors.js'
import { defaultStepLimit, hashOf } from '../core/episode.js'
import { referencesIn } from '../files/variables.js'

/** One environment of an experiment. */
export interface EnvironmentChoice {
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  /** The number of tasks, or their ids; absent for all tasks. */
  readonly tasks?: number | readonly string[]
}

type CallSettings = Pick<GivenExperiment, 'requestsPerMinute' | 'attempts' | 'timeoutSeconds'>

/** A complete experiment as plain JSON. Every thread creates its grid from it. */
export interface Experiment extends Present<CallSettings> {
  readonly name: string
  /** Commands that create its files, in order, each with its `--out`. */
  readonly prepare: readonly string[]
  readonly environments: readonly EnvironmentChoice[]
  /** Conditions as they are written: `agentrefine-1+agentrefine-4`. */
  readonly perturbations: readonly string[]
  /**
   * Those of its perturbations that come from a suite, and are left out of an environment where they cannot be used.
   */
  readonly optional?: readonly string[]
  readonly models: readonly ModelChoice[]
  /** Address of the models that have none of their own. */
  readonly baseUrl?: string
  /** Agents of the models that have none of their own. */
  readonly agents: readonly string[]
  readonly temperatures: readonly number[]
  readonly seeds: readonly number[]
  /** The number of seeds that are played at temperature 0 with models behind a server. */
  readonly seedsAtZero: number
  readonly stepLimit: number
  readonly maxTokens: number
  /** Replaces `maxTokens` for a model that is found to reason; absent if `maxTokens` was given. */
  readonly reasoningTokens?: number
  /** Whether log-probabilities are requested from servers that return them. */
  readonly logprobs?: true
  readonly concurrency: number
  /** The primary endpoint. Absent: success over all conditions. */
  readonly primary?: Present<NonNullable<GivenExperiment['primary']>>
  /** Paths of files, or names of installed packages. */
  readonly plugins: readonly string[]
}

/** What an experiment has where neither its file nor a flag says otherwise. */
export const defaults = {
  environments: ['household', 'babyai', 'pddl'],
  perturbations: ['none', 'placebo', 'agentrefine-1', 'agentrefine-2', 'agentrefine-3', 'agentrefine-4'],
  models: ['reader', 'parrot', 'random'],
  agents: ['act'],
  temperatures: [0, 1],
  seeds: 3,
  seedsAtZero: 1,
  stepLimit: defaultStepLimit,
  maxTokens: 100,
  concurrency: 8,
} as const satisfies GivenExperiment

/**
 * The embedded experiment: what `shaketable run` plays without a file, and with no environment, perturbation or model
 * named. It shows what each family of the suite `core` does to models of which most are neither perfect nor lost. Two
 * of them are trained first; see docs/control-models.md.
 */
export const embedded = {
  name: 'embedded',
  prepare: [
    'data collect --count 400 --out runs/tuned/fixed.jsonl',
    'data collect --count 400 --with-errors 0.3 --vary-wording --out runs/tuned/refine.jsonl',
    'train runs/tuned/fixed.jsonl --out runs/tuned/fixed.json',
    'train runs/tuned/refine.jsonl --out runs/tuned/refine.json',
  ],
  environments: ['household'],
  tasks: 50,
  suite: 'core',
  models: [
    'reader',
    'parrot',
    'believer',
    'no-retry',
    'skimmer',
    'short-memory',
    { name: 'tuned-fixed', file: 'runs/tuned/fixed.json', heldIn: ['household'] },
    { name: 'tuned-refine', file: 'runs/tuned/refine.json', heldIn: ['household'], variantOf: 'tuned-fixed' },
  ],
  temperatures: [0],
  seeds: 1,
} satisfies GivenExperiment

/** Other defaults for models behind a server: the suite `core`, and the paper's agent with room for a thought. */
const liveDefaults = { suite: 'core', agents: ['react'], maxTokens: 512, reasoningTokens: 4096 } as const

/** The sources of an experiment. Flags override the file, the file overrides the embedded experiment. */
interface ExperimentSources {
  /** Default: the shipped definitions alone. */
  readonly registry?: Registry
  readonly file?: LoadedExperiment
  readonly flags?: GivenExperiment
  readonly environmentFlags?: EnvironmentFlags
}

/**
 * Creates a complete experiment, with a function that locates each part in its source.
 * @throws ShaketableError `usage` for options of an environment that is not played, or with an address that would
 * replace several others
 */
export function completeExperiment({
  file,
  flags = {},
  environmentFlags = {},
  registry = shipped,
}: ExperimentSources): {
  readonly experiment: Experiment
  readonly where: Where
  /** The folder of its run in `runs`: its name, or one from its settings where nobody named it. */
  readonly folder: string
} {
  const chosen = { ...withoutAbsent(file?.given ?? {}), ...withoutAbsent(flags) }
  const isEmbedded =
    file === undefined &&
    (['environments', 'perturbations', 'suite', 'models', 'baseUrl'] as const).every((key) => flags[key] === undefined)
  const base = isEmbedded ? { ...defaults, ...embedded } : defaults
  const whereGiven: Where = (path) => {
    const key = path[0] as keyof GivenExperiment
    if (Object.hasOwn(flags, key)) return whereFlag(path)
    return file !== undefined && Object.hasOwn(file.given, key) ? file.where(path) : ''
  }
  const listed = (chosen.models ?? base.models).flatMap((choice, index) =>
    located(whereGiven(['models', index]), () => listModels(choice)).map((model) => ({ model, index })),
  )
  const choices = listed.map(({ model }) => model)
  checkAddresses(choices, flags, file?.given.baseUrl)
  const placed = placeModels(choices, chosen.baseUrl, registry)
  checkSteps(placed)
  const { reasoningTokens, suite, ...live } = liveDefaults
  const isLive = placed.some((model) => isServed(model, registry) || findControl(model, registry)?.live === true)
  const values = {
    ...base,
    ...(isLive && live),
    ...chosen,
    ...(flags.environments && { environments: pick(flags.environments, file?.given) }),
  }
  const names = values.environments.map((choice) => (typeof choice === 'string' ? choice : choice.name))
  const environments = values.environments.map((choice, index) =>
    chooseEnvironment(choice, values.tasks, settingsFor(names[index]!, environmentFlags, names)),
  )
  const models = placed.map((model) => giveLimits(model, flags, values, isServed(model, registry)))
  const namesConditions = ({ suite, perturbations }: GivenExperiment): boolean => (suite ?? perturbations) !== undefined
  const conditionsFrom = namesConditions(flags) ? flags : (file?.given ?? {})
  const { draws } = values
  // The rewordings of the defaults are made for one environment; the suite leaves out what a world has no use for.
  const defaultLenses = registry
    .list('lens')
    .filter(({ name }) => defaults.perturbations.some((perturbation) => perturbation === name))
  const fits = environments.some(({ name }) => defaultLenses.some(({ environment }) => environment === name))
  const usual = isLive || isEmbedded || !fits ? { suite } : { perturbations: [...defaults.perturbations] }
  const conditions = chooseConditions(
    { ...(namesConditions(conditionsFrom) ? conditionsFrom : usual), ...(draws !== undefined && { draws }) },
    registry.list('lens'),
    (path, work) => located(whereGiven(path), work),
  )
  const { agents, temperatures, seeds, seedsAtZero, stepLimit, maxTokens, concurrency, primary, plugins = [] } = values
  const { baseUrl, requestsPerMinute, attempts, timeoutSeconds, prepare = [] } = values
  const optional = conditions.filter((condition) => condition.optional).map(({ text }) => text)
  const named = names.join('-').replace(/[^\w.-]/g, '-')
  const experiment: Experiment = withoutAbsent({
    name: values.name ?? named.slice(0, 64),
    ...{ prepare, environments },
    perturbations: conditions.map(({ text }) => text),
    optional: optional.length > 0 ? optional : undefined,
    ...{ models, baseUrl, agents, temperatures },
    seeds: typeof seeds === 'number' ? Array.from({ length: seeds }, (_, seed) => seed) : seeds,
    ...{ seedsAtZero, stepLimit, maxTokens },
    reasoningTokens: isLive && chosen.maxTokens === undefined ? reasoningTokens : undefined,
    logprobs: values.logprobs ? (true as const) : undefined,
    ...{ concurrency, requestsPerMinute, attempts, timeoutSeconds },
    primary: primary && withoutAbsent(primary),
    plugins,
  })
  const where: Where = (path) => {
    if (path[0] === 'perturbations') return whereGiven(conditions[Number(path[1])]?.from ?? [])
    if (path[0] !== 'models' || path.length === 1) return whereGiven(path)
    return whereGiven(['models', listed[Number(path[1])]?.index ?? 0, ...path.slice(2)])
  }
  const changesEmbedded = [...Object.keys(flags), ...Object.keys(environmentFlags)].some(
    (key) => !withoutEffect.some((name) => name === key),
  )
  const isNamed = chosen.name !== undefined || (isEmbedded && !changesEmbedded)
  return { experiment, where, folder: isNamed ? experiment.name : nameBySettings(experiment) }
}

const withoutEffect = [
  'name',
  'prepare',
  'concurrency',
  'requestsPerMinute',
  'attempts',
  'timeoutSeconds',
  'plugins',
] as const satisfies readonly (keyof Experiment)[]

/** A name that two experiments with different episodes never share: `household-reader-parrot-1f0c93ab`. */
function nameBySettings(experiment: Experiment): string {
  const deciding = Object.entries(experiment).filter(([key]) => !withoutEffect.some((name) => name === key))
  const readable = [experiment.name, ...experiment.models.map(({ name }) => name)].join('-')
  const plain = readable
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 48)
    .replace(/[-.]+$/, '')
  return `${plain}-${hashOf(Object.fromEntries(deciding), 8)}`
}

/** The models of an entry: one, or all checkpoints of its `from`. */
function listModels(entry: NonNullable<GivenExperiment['models']>[number]): readonly ModelChoice[] {
  if (typeof entry === 'string') return [{ name: entry }]
  const { name, from, series, ...options } = withoutAbsent(entry)
  if (from === undefined) return [{ ...options, name: name! }]
  return expandCheckpoints({ ...options, name, from, series })
}

/** The file that a command of `prepare` makes. */
export function outOf(step: string): string {
  const words = step.trim().split(/\s+/)
  return words[words.indexOf('--out') + 1]!
}

/**
 * The address of a flag is for models of a file that have none.
 * @throws ShaketableError `usage` for a model with an address of its own, or with headers whose variables are for the
 * server that the file gives to all
 */
function checkAddresses(models: readonly ModelChoice[], flags: GivenExperiment, forAll: string | undefined): void {
  if (flags.baseUrl === undefined || flags.models !== undefined) return
  const isElsewhere = forAll !== undefined && forAll !== flags.baseUrl
  const bound = models.find(
    ({ baseUrl, headers }) => baseUrl !== undefined || (isElsewhere && referencesIn(headers).length > 0),
  )
  if (bound !== undefined)
    throw usageError(
      `--base-url: expected models of the file without a server of their own, but '${bound.name}' has an address, or headers with variables that are for its server alone. Leave --base-url out, change the file, or name the models with --model.`,
    )
}

/**
 * A model with its limits of tokens: those of flags override its own, and the experiment's context length is that of
 * models behind a server. A model with a limit of reasoning tokens needs a limit of reply tokens of its own.
 */
function giveLimits(
  { maxTokens: limit, contextTokens, ...model }: ModelChoice,
  flags: GivenExperiment,
  all: { readonly maxTokens: number; readonly contextTokens?: number | undefined },
  isBehindServer: boolean,
): ModelChoice {
  const needed = flags.maxTokens === undefined ? limit : undefined
  return withoutAbsent({
    ...model,
    contextTokens: isBehindServer ? (flags.contextTokens ?? contextTokens ?? all.contextTokens) : contextTokens,
    maxTokens: needed ?? (typeof model.reasoning === 'number' ? all.maxTokens : undefined),
    ...(flags.agents && { agent: undefined }),
  })
}

/** Environments that a flag names, each with its options in the file if it is there. */
function pick(
  named: NonNullable<GivenExperiment['environments']>,
  { environments = [] }: GivenExperiment = {},
): NonNullable<GivenExperiment['environments']> {
  return named.map(
    (name) => environments.find((environment) => typeof environment === 'object' && environment.name === name) ?? name,
  )
}

function chooseEnvironment(
  choice: string | { readonly [option: string]: unknown; readonly name: string },
  tasks: GivenExperiment['tasks'],
  options: Readonly<Record<string, string>>,
): EnvironmentChoice {
  const { name, tasks: taskChoice, ...rest } = typeof choice === 'string' ? { name: choice, tasks: undefined } : choice
  const wanted = (taskChoice as GivenExperiment['tasks']) ?? tasks
  return { name, options: { ...rest, ...options }, ...(wanted !== undefined && { tasks: wanted }) }
}
