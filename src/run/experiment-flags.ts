import { parse } from 'yaml'
import { messageOf, usageError } from '../core/errors.js'
import type { Where } from './experiment-file.js'
import type { GivenExperiment } from './experiment-schema.js'
import { parseExperiment } from './explain-issue.js'

/** The flags of `shaketable run` that define the experiment, as parsed from the command line. */
export type ExperimentFlags = { readonly [Name in OneValue]?: string } & {
  readonly [Name in 'env' | 'perturb' | 'model' | 'agent' | 'plugin' | 'set']?: readonly string[]
}

type OneValue =
  'tasks' | 'suite' | 'draws' | 'baseUrl' | 'temperatures' | 'seeds' | 'steps' | 'maxTokens' | 'concurrency'

type Setting = keyof GivenExperiment

const asGiven = (value: unknown): unknown => value

/** The settings that have a flag of their own, and how its value is read. */
const sources: Partial<
  Readonly<Record<Setting, readonly [flag: keyof ExperimentFlags, read: (given: never) => unknown]>>
> = {
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
  stepLimit: ['steps', toNumber],
  maxTokens: ['maxTokens', toNumber],
  concurrency: ['concurrency', toNumber],
  plugins: ['plugin', asGiven],
}

/** The flag that a part of an experiment came from. */
export const whereFlag: Where = (path) => {
  const flag = sources[path[0] as Setting]?.[0]
  return flag === undefined ? `--set ${path.map(String).join('.')}`.trim() : `--${flagOf(flag)}`
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
  const flagged = Object.entries(sources).flatMap(([setting, [flag, read]]) =>
    flags[flag] === undefined ? [] : [[setting, read(flags[flag] as never)] as const],
  )
  const value = Object.fromEntries([...flagged, ...(flags.set ?? []).filter(isField).map(readField)])
  const { given, problems } = parseExperiment(value)
  if (given !== undefined) return given
  throw usageError(`${whereFlag(problems[0].path)}: ${problems[0].message}.`)
}

/** Whether a value of `--set` is a setting of the experiment, and not an option of an environment. */
export function isField(text: string): boolean {
  return /^[^.=]*=/.test(text)
}

/**
 * A setting of the experiment as `name=value`, with the value in YAML, as in an experiment file.
 * @throws ShaketableError `usage` for a value that cannot be read
 */
function readField(text: string): readonly [setting: string, value: unknown] {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  try {
    return [name, parse(value)]
  } catch (thrown) {
    const got = `got '${value.slice(0, 100)}': ${messageOf(thrown)}`
    throw usageError(`--set ${name}: expected a value as in an experiment file, ${got}`)
  }
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
      throw usageError(
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
    throw usageError(
      `--set: '${other.slice(0, 100)}' is not among the environments: ${names.join(', ')}. Leave it out.`,
    )
  }
  return flags[name] ?? {}
}
