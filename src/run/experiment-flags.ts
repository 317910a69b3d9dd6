import { ShaketableError } from '../core/errors.js'
import type { Where } from './experiment-file.js'
import { knownKeys } from './experiment-file.js'
import type { GivenExperiment } from './experiment-schema.js'
import { experimentSchema } from './experiment-schema.js'
import { explainIssues } from './explain-issue.js'

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
