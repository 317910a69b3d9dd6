import { ShaketableError } from '../core/errors.js'
import type { Where } from './experiment-file.js'
import { knownKeys } from './experiment-file.js'
import type { GivenExperiment } from './experiment-schema.js'
import { experimentSchema } from './experiment-schema.js'
import { explainIssues } from './explain-issue.js'

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

/** Options of environments from flags: by environment, then by option. */
export type EnvironmentFlags = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * Reads options of environments, each `environment.option=value`; the last value of an option holds.
 * @throws ShaketableError `usage` for another form
 */
export function readSettings(texts: readonly string[] = []): EnvironmentFlags {
  const settings = new Map<string, Readonly<Record<string, string>>>()
  for (const text of texts) {
    const [, environment, option, value] = /^(.+?)\.(\w+)=(.*)$/s.exec(text) ?? []
    if (environment === undefined || option === undefined || value === undefined) {
      throw new ShaketableError(
        'usage',
        `--set: expected ENVIRONMENT.OPTION=VALUE, such as household.split=train, got '${text.slice(0, 100)}'. See shaketable list environments NAME.`,
      )
    }
    settings.set(environment, { ...settings.get(environment), [option]: value })
  }
  return Object.fromEntries(settings)
}

/**
 * The options that flags give to one of several environments.
 * @param names all environments of the command
 * @throws ShaketableError `usage` for options of an environment that is none of them
 */
export function settingsFor(
  name: string,
  flags: EnvironmentFlags,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const other = Object.keys(flags).find((environment) => !names.includes(environment))
  if (other !== undefined) {
    throw new ShaketableError(
      'usage',
      `--set: '${other.slice(0, 100)}' is not among the environments: ${names.join(', ')}. Leave it out.`,
    )
  }
  return flags[name] ?? {}
}
