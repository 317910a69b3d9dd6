import { ShaketableError } from '../core/errors.js'
import type { Where } from './experiment-file.js'
import { knownKeys } from './experiment-file.js'
import type { GivenExperiment } from './experiment-schema.js'
import { experimentSchema } from './experiment-schema.js'
import { explainIssues } from './explain-issue.js'
import type { EnvironmentKind } from '../environments/index.js'
import type { Registry } from './registry.js'
import { shipped } from './registry.js'

/** The flags of `shaketable run` that define the experiment, as parsed from the command line. */
export interface ExperimentFlags {
  readonly name?: string
  readonly env?: readonly string[]
  readonly tasks?: string
  readonly perturb?: readonly string[]
  readonly suite?: string
  readonly draws?: string
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

type Setting = keyof Omit<GivenExperiment, '$schema' | 'prepare' | 'primary'>

const asGiven = (value: unknown): unknown => value

/** The flag of each setting, and how its value is read. */
const sources: Readonly<Record<Setting, readonly [flag: keyof ExperimentFlags, read: (given: never) => unknown]>> = {
  name: ['name', asGiven],
  environments: ['env', split],
  tasks: ['tasks', readTasks],
  perturbations: ['perturb', split],
  suite: ['suite', asGiven],
  draws: ['draws', toNumber],
  models: ['model', split],
  baseUrl: ['baseUrl', asGiven],
  agents: ['agent', split],
  temperatures: ['temperatures', (text: string) => split([text]).map(toNumber)],
  seeds: ['seeds', readSeeds],
  seedsAtZero: ['seedsAtZero', toNumber],
  pairing: ['pairing', asGiven],
  stepLimit: ['steps', toNumber],
  maxTokens: ['maxTokens', toNumber],
  contextTokens: ['contextTokens', toNumber],
  logprobs: ['logprobs', asGiven],
  concurrency: ['concurrency', toNumber],
  requestsPerMinute: ['requestsPerMinute', toNumber],
  tokensPerMinute: ['tokensPerMinute', toNumber],
  attempts: ['attempts', toNumber],
  timeoutSeconds: ['timeout', toNumber],
  plugins: ['plugin', asGiven],
}

/** The flag that a part of an experiment came from; empty for a part without one. */
export const whereFlag: Where = (path) => {
  const flag = (sources as Partial<typeof sources>)[path[0] as Setting]?.[0]
  return flag === undefined ? '' : `--${flagOf(flag)}`
}

/** A setting as a flag has it: `sample-seed` for `sampleSeed`. */
export function flagOf(setting: string): string {
  return setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/**
 * Reads flags into the part of an experiment that they give; the rest is absent.
 * @throws ShaketableError `usage` with the flag, the expected value and the given one
 */
export function readFlags(flags: ExperimentFlags): GivenExperiment {
  const value = Object.fromEntries(
    Object.entries(sources).flatMap(([setting, [flag, read]]) =>
      flags[flag] === undefined ? [] : [[setting, read(flags[flag] as never)]],
    ),
  )
  const parsed = experimentSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const { path, message } = explainIssues(parsed.error, value, knownKeys).explained[0]!
  throw new ShaketableError('usage', `${whereFlag(path)}: ${message}.`)
}

/** `['a,b', 'c']` as `['a', 'b', 'c']`. */
export function split(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value, _, all) => value !== '' || all.length === 1)
}

/** A number of tasks, or a list of ids, which a comma makes of a single number: `5,`. */
export function readTasks(text: string): string[] | number {
  const count = toNumber(text)
  return typeof count === 'number' ? count : split([text])
}

function readSeeds(text: string): (number | string)[] | number | string {
  return text.includes(',') ? split([text]).map(toNumber) : toNumber(text)
}

/** A number if the text is one, else the text, so that a message can show it. */
function toNumber(text: string): number | string {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : text
}

/** Options of environments from flags: for each option its values, `value` or `environment=value`. */
export type EnvironmentFlags = Readonly<Record<string, readonly string[]>>

/**
 * The options that flags give to one of several environments. A value such as `pddl=DIR` is for one environment, any
 * other value for all environments that have the option.
 * @param names all environments of the experiment
 * @throws ShaketableError `usage` for an option that none of them has
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

/**
 * `pddl=games` is `games` for the environment `pddl`; without an environment's name before it, `=` is part of the
 * value.
 */
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
  throw new ShaketableError('usage', `--${flagOf(option)}: ${why}: ${names.join(', ')}. Leave it out.`)
}

/** One path for several environments is more likely one without the name of its environment. */
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
    `--${flagOf(option)}: expected the environment that it is for, since ${taking.join(' and ')} have this option. Write --${flagOf(option)} ${taking[0]!}=PATH, or play one alone with --env ${taking[0]!}.`,
  )
}

/** Whether an environment has an option. Unknown environments are refused later. */
function knows(name: string, option: string, kinds: readonly EnvironmentKind[]): boolean {
  const options = kinds.find((kind) => kind.name === name)?.options
  return options === undefined || Object.hasOwn(options, option)
}
