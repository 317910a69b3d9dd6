import { ShaketableError } from '../core/errors.js'
import type { Where } from './experiment-file.js'
import { knownKeys } from './experiment-file.js'
import type { GivenExperiment } from './experiment-schema.js'
import { experimentSchema } from './experiment-schema.js'
import { explainIssues } from './explain-issue.js'
import type { EnvironmentKind } from '../environments/index.js'
import type { Registry } from './registry.js'
import { shipped } from './registry.js'

/** The flags of `shaketable run` that say what is played, as the command line gives them. */
export interface ExperimentFlags {
  readonly name?: string
  readonly env?: readonly string[]
  readonly tasks?: string
  readonly perturb?: readonly string[]
  readonly model?: readonly string[]
  readonly baseUrl?: string
  readonly agent?: readonly string[]
  readonly temperatures?: string
  readonly seeds?: string
  readonly seedsAtZero?: string
  readonly pairing?: string
  readonly steps?: string
  readonly maxTokens?: string
  readonly contextTokens?: string
  readonly logprobs?: true
  readonly concurrency?: string
  readonly requestsPerMinute?: string
  readonly tokensPerMinute?: string
  readonly attempts?: string
  readonly timeout?: string
  readonly plugin?: readonly string[]
}

const flagOf: Readonly<Record<keyof Omit<GivenExperiment, '$schema' | 'prepare' | 'primary'>, string>> = {
  name: '--name',
  environments: '--env',
  tasks: '--tasks',
  perturbations: '--perturb',
  models: '--model',
  baseUrl: '--base-url',
  agents: '--agent',
  temperatures: '--temperatures',
  seeds: '--seeds',
  seedsAtZero: '--seeds-at-zero',
  pairing: '--pairing',
  stepLimit: '--steps',
  maxTokens: '--max-tokens',
  contextTokens: '--context-tokens',
  logprobs: '--logprobs',
  concurrency: '--concurrency',
  requestsPerMinute: '--requests-per-minute',
  tokensPerMinute: '--tokens-per-minute',
  attempts: '--attempts',
  timeoutSeconds: '--timeout',
  plugins: '--plugin',
}

/** Names the flag that a part of an experiment came from. */
export const whereFlag: Where = (path) => flagOf[path[0] as keyof typeof flagOf]

/**
 * Reads flags into the part of an experiment that they give; the rest is absent.
 * @throws ShaketableError `usage` with the flag, what was expected and what came.
 */
export function readFlags(flags: ExperimentFlags): GivenExperiment {
  const value = withoutAbsent({
    name: flags.name,
    environments: flags.env && split(flags.env),
    tasks: flags.tasks === undefined ? undefined : readTasks(flags.tasks),
    perturbations: flags.perturb && split(flags.perturb),
    models: flags.model && split(flags.model),
    baseUrl: flags.baseUrl,
    agents: flags.agent && split(flags.agent),
    temperatures: flags.temperatures === undefined ? undefined : split([flags.temperatures]).map(toNumber),
    seeds: flags.seeds === undefined ? undefined : readSeeds(flags.seeds),
    seedsAtZero: flags.seedsAtZero === undefined ? undefined : toNumber(flags.seedsAtZero),
    pairing: flags.pairing,
    stepLimit: flags.steps === undefined ? undefined : toNumber(flags.steps),
    maxTokens: flags.maxTokens === undefined ? undefined : toNumber(flags.maxTokens),
    contextTokens: flags.contextTokens === undefined ? undefined : toNumber(flags.contextTokens),
    logprobs: flags.logprobs,
    concurrency: flags.concurrency === undefined ? undefined : toNumber(flags.concurrency),
    requestsPerMinute: flags.requestsPerMinute === undefined ? undefined : toNumber(flags.requestsPerMinute),
    tokensPerMinute: flags.tokensPerMinute === undefined ? undefined : toNumber(flags.tokensPerMinute),
    attempts: flags.attempts === undefined ? undefined : toNumber(flags.attempts),
    timeoutSeconds: flags.timeout === undefined ? undefined : toNumber(flags.timeout),
    plugins: flags.plugin,
  })
  const parsed = experimentSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const { path, message } = explainIssues(parsed.error, value, knownKeys).told[0]!
  throw new ShaketableError('usage', `${whereFlag(path)}: ${message}.`)
}

/** `['a,b', 'c']` as `['a', 'b', 'c']`. */
export function split(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value, _, all) => value !== '' || all.length === 1)
}

function readTasks(text: string): string[] | number | string {
  const count = toNumber(text)
  return typeof count === 'number' ? count : split([text])
}

function readSeeds(text: string): (number | string)[] | number | string {
  return text.includes(',') ? split([text]).map(toNumber) : toNumber(text)
}

/** A number where the text is one, else the text, so that a message can show what came. */
function toNumber(text: string): number | string {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : text
}

function withoutAbsent(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))
}

/** Options of environments as flags give them: under each option its values, `value` or `environment=value`. */
export type EnvironmentFlags = Readonly<Record<string, readonly string[]>>

/**
 * The options that flags give to one of several environments. A value for one environment, as in `pddl=DIR`, goes to it
 * alone; any other goes to all of them that have the option.
 * @param names the environments that are played
 * @throws ShaketableError `usage` where an option would reach none of them
 */
export function optionsFromFlags(
  name: string,
  flags: EnvironmentFlags,
  names: readonly string[],
  registry: Registry = shipped,
): Record<string, string> {
  const kinds = registry.list('environment')
  const options: Record<string, string> = {}
  for (const [option, values] of Object.entries(flags)) {
    const read = values.map((value) => readValue(value, kinds))
    for (const { environment } of read) checkReaches(option, environment, names, kinds)
    const own = read.findLast(({ environment }) => environment === name)
    const shared =
      names.length === 1 || knows(name, option, kinds)
        ? read.findLast(({ environment }) => environment === undefined)
        : undefined
    const value = (own ?? shared)?.value
    if (value === undefined) continue
    if (own === undefined) checkIsMeant(option, names, read, kinds)
    options[option] = value
  }
  return options
}

interface GivenValue {
  readonly environment?: string
  readonly value: string
}

/** `pddl=games` is `games` for the environment `pddl`; what stands before another `=` belongs to the value. */
function readValue(text: string, kinds: readonly EnvironmentKind[]): GivenValue {
  const end = text.indexOf('=')
  const environment = text.slice(0, Math.max(0, end))
  const isOne = kinds.some((kind) => kind.name === environment)
  return isOne ? { environment, value: text.slice(end + 1) } : { value: text }
}

function checkReaches(
  option: string,
  environment: string | undefined,
  names: readonly string[],
  kinds: readonly EnvironmentKind[],
): void {
  if (environment === undefined && (names.length === 1 || names.some((name) => knows(name, option, kinds)))) return
  if (environment !== undefined && names.includes(environment)) return
  const why =
    environment === undefined
      ? 'none of these environments has this option'
      : `'${environment}' is not among the environments`
  throw new ShaketableError('usage', `--${option}: ${why}: ${names.join(', ')}. Leave it out.`)
}

/** One path for several environments is more likely one that forgot to say for which. */
function checkIsMeant(
  option: string,
  names: readonly string[],
  given: readonly GivenValue[],
  kinds: readonly EnvironmentKind[],
): void {
  const takers = kinds.filter(
    ({ name, options }) =>
      names.includes(name) && options[option]?.path && given.every(({ environment }) => environment !== name),
  )
  if (takers.length < 2) return
  const taking = takers.map(({ name }) => name)
  throw new ShaketableError(
    'usage',
    `--${option}: expected to be told for which environment, since ${taking.join(' and ')} have this option. Write --${option} ${taking[0]!}=PATH, or play one alone with --env ${taking[0]!}.`,
  )
}

/** Whether an environment has an option; of one that is unknown it is said later that there is no such environment. */
function knows(name: string, option: string, kinds: readonly EnvironmentKind[]): boolean {
  const options = kinds.find((kind) => kind.name === name)?.options
  return options === undefined || Object.hasOwn(options, option)
}
