import { existsSync } from 'node:fs'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { ShaketableError, unknownName, usageError } from '../core/errors.js'
import type { Model } from '../core/model.js'
import type { OpenedEnvironment } from '../environments/index.js'
import type { Registry } from '../run/registry.js'
import { number } from './_lines.js'

export { usageError }

type Parse<Value = unknown> = (text: string, before: never) => Value

/** The default of a flag that must be given. */
export const mandatory = Symbol('mandatory')

/** A flag as `--name <value>` with its help, how its text is read (as it is), and its default, or {@link mandatory}. */
type Flag = readonly [name: string, help: string, parse?: Parse | undefined, preset?: unknown]

type KeyOf<Text extends string> = Text extends `--no-${infer Name}`
  ? Camel<Name>
  : Text extends `--${infer Name} ${string}`
    ? Camel<Name>
    : Text extends `--${infer Name}`
      ? Camel<Name>
      : never
type Camel<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text
type ValueOf<One extends Flag> = One[2] extends (...args: never[]) => infer Value
  ? Value
  : One[0] extends `--no-${string}`
    ? boolean
    : One[0] extends `${string} [${string}`
      ? string | true
      : One[0] extends `${string} ${string}`
        ? string
        : true
type IsSure<One extends Flag> = One[0] extends `--no-${string}`
  ? true
  : One[3] extends NonNullable<unknown>
    ? true
    : false

/** The options that commander gives a command with these flags; those that may be absent are optional. */
export type OptionsOf<Flags extends readonly (Flag | string)[]> = {
  readonly [One in Extract<Flags[number], Flag> as IsSure<One> extends true ? KeyOf<One[0]> : never]: ValueOf<One>
} & {
  readonly [One in Extract<Flags[number], Flag> as IsSure<One> extends true ? never : KeyOf<One[0]>]?: ValueOf<One>
}

/**
 * A place of a command line as `<name>` or `[name...]` with its help, its default, and the only values that it takes.
 */
type Place = readonly [name: string, help: string, preset?: unknown, choices?: readonly string[]]

/** A rule about flags: one excludes others, needs one of them, or it or one of them has to be given. */
type FlagRule = readonly [flag: string, rule: 'excludes' | 'needs' | 'or', ...others: string[]]

/** A command: what it takes, and the function that gets its arguments and options. A text among flags is a heading. */
interface CommandParts {
  readonly places?: readonly Place[]
  readonly flags: readonly (Flag | string)[]
  readonly rules?: readonly FlagRule[]
  /** What its help ends with. */
  readonly below?: string
  readonly run: (...args: never[]) => unknown
}

/** A command in a list of commands, whose help ends with examples: command lines without `shaketable`. */
export function inList(command: Command, name: string, summary: string, examples: readonly string[]): Command {
  const lines = examples.map((example) => `\n  shaketable ${example}`)
  return command
    .name(name)
    .description(summary)
    .addHelpText('after', `\nExamples:${lines.join('')}`)
}

/** Makes a command of commander; its name and summary are those of a list of commands. */
export function makeCommand({ places = [], flags, rules = [], below, run }: CommandParts): Command {
  const command = new Command()
  for (const [place, help, preset, choices] of places) {
    const argument = new Argument(place, help)
    if (preset !== undefined) argument.default(preset)
    command.addArgument(choices === undefined ? argument : argument.choices(choices))
  }
  for (const flag of flags) {
    if (typeof flag === 'string') {
      command.optionsGroup(flag)
      continue
    }
    const [name, about, parse, preset] = flag
    const option = new Option(name, about).makeOptionMandatory(preset === mandatory)
    if (parse !== undefined) option.argParser(parse as (text: string, before: unknown) => unknown)
    command.addOption(preset === undefined || preset === mandatory ? option : option.default(preset))
  }
  if (below !== undefined) command.addHelpText('after', `\n${below}`)
  command.hook('preAction', () => checkRules(command, rules))
  return command.action(run as (...args: unknown[]) => void | Promise<void>)
}

/** @throws ShaketableError `usage` for flags that break a rule */
function checkRules(command: Command, rules: readonly FlagRule[]): void {
  const chosen = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
  const isGiven = (flag: string): boolean => chosen.some(({ long }) => long === flag)
  for (const [flag, rule, ...others] of rules) {
    const beside = others.find(isGiven)
    if (rule === 'or' && !isGiven(flag) && beside === undefined)
      throw usageError(`Expected ${[flag, ...others].join(' or ')}, got neither. Give one of them.`)
    if (rule === 'excludes' && isGiven(flag) && beside !== undefined)
      throw usageError(`${flag}: expected no ${beside} beside it, got both. Give one of them.`)
    if (rule === 'needs' && isGiven(flag) && beside === undefined)
      throw usageError(`${flag}: expected ${others.join(' or ')} beside it, got none. Give both, or neither.`)
  }
}

/** A flag with a text that must be given. */
export function required<const Name extends string>(name: Name, help: string) {
  return [name, help, undefined, mandatory] as const
}

/** The run that a command is about. */
export const runPlace = ['<run>', "a run's folder"] as const

type Kind = 'whole ' | ''

const numeric =
  (kind: Kind) =>
  <const Name extends string, Preset = undefined>(
    name: Name,
    help: string,
    low: number,
    high: number,
    preset?: Preset,
  ) =>
    [name, help, (text: string) => readNumber(text, low, high, kind), preset as Preset] as const

/** A flag that takes a whole number within bounds. */
export const whole = numeric('whole ')

/** A flag that takes a share of 1, such as 0.05; the number for a percentage is named. */
export const share = numeric('')

function readNumber(text: string, low: number, high: number, kind: Kind): number {
  const value = (kind === '' ? /^(?=.)\d{0,3}(?:\.\d{1,12})?$/ : /^\d{1,12}$/).test(text) ? Number(text) : NaN
  if (value >= low && value <= high) return value
  const hint = kind === '' && value > 1 && value <= 100 ? ` Write ${String(value / 100)} for ${text} %.` : ''
  throw new InvalidArgumentError(`Expected a ${kind}number from ${number(low)} to ${number(high)}.${hint}`)
}

/** A flag that takes one of several names, which its help lists. Other names are refused with the near miss. */
export function choice<const Name extends string, Value extends string, Preset = undefined>(
  name: Name,
  help: string,
  known: readonly Value[],
  preset?: Preset,
) {
  const parse = (text: string): Value => {
    const wanted = known.find((value) => value === text)
    if (wanted === undefined) throw new InvalidArgumentError(unknownName('value', text, known))
    return wanted
  }
  return [name, `${help}: ${known.join(', ')}`, parse, preset as Preset] as const
}

/** A reader of text that has to match a pattern, which `what` describes. */
export const matching = (pattern: RegExp, what: string) => (text: string) => {
  if (!pattern.test(text)) throw new InvalidArgumentError(`Expected ${what}.`)
  return text
}

/** Refuses an output path that is taken, unless it is to be replaced. */
export function refuseExisting(path: string, force = false): void {
  if (force || !existsSync(path)) return
  throw usageError(`${path} exists already. Give another path, or --force to replace it.`)
}

/** Collects the values of a flag that may be given several times. */
export const several = (value: string, before: readonly string[] = []): string[] => [...before, value]

/** Collects comma-separated names of a flag that may be given several times. */
export const names = (value: string, before: readonly string[] = []): string[] => [...before, ...value.split(',')]

/** What a gate, a comparison and a power analysis can be about. */
export const metrics = ['success', 'progress'] as const

/** A flag for the temperatures of a run that a command is about. */
export const temperaturesFlag = [
  '--temperatures <list>',
  'these of the temperatures alone, separated by commas (default: all)',
  names,
] as const

/** The flag of every command that names an environment, a perturbation, a model, an agent, a report or a law. */
export const pluginFlag = [
  '--plugin <file>',
  'a file or an installed package with your own definitions (see docs/plugins.md); may be repeated',
  several,
] as const

/** Everything a command can name. @throws ShaketableError `bad-input` for a plug-in that cannot be used */
export async function readPlugins({ plugin = [] }: OptionsOf<[typeof pluginFlag]>): Promise<Registry> {
  // Loaded when it is needed, so that help is fast.
  const { loadRegistry } = await import('../run/plugins.js')
  return loadRegistry(plugin)
}

/** The flags of every command that opens an environment. */
export const environmentFlags = [
  pluginFlag,
  [
    '--set <environment.option=value>',
    'an option of an environment, such as household.split=train; may be repeated',
    several,
  ],
] as const

/**
 * Opens an environment of a registry with its options among those of `--set`.
 * @param all the environments in use
 * @throws ShaketableError `bad-input` if it has no tasks
 */
export async function openNamed(
  registry: Registry,
  name: string,
  { set }: { readonly set?: readonly string[] },
  all: readonly string[] = [name],
): Promise<OpenedEnvironment> {
  const { readSettings, settingsFor } = await import('../run/experiment-flags.js')
  const environment = await registry.find('environment', name).open(settingsFor(name, readSettings(set), all))
  if (environment.tasks.length > 0) return environment
  throw new ShaketableError('bad-input', `The environment '${name}' has no tasks with these options.`)
}

/** The flags that record and replay what models say. */
export const exchangeFlags = [
  ['--record <file>', 'record every exchange with the models in a file, and take from it what is known'],
  ['--replay <file>', 'replay such a file, without a server or a key'],
] as const

/** The limits of a session that sends calls to servers. */
export const budgetFlags = [
  ['--max <limits>', 'end the session at some episodes, calls, tokens or minutes: calls=1000,minutes=50', several],
] as const

/** The port and the address of a server. */
export const listenFlags = [
  whole('--port <n>', 'port; 0 chooses a free one', 0, 65_535, 0),
  ['--host <address>', 'address to listen on; 0.0.0.0 for all networks of this machine', undefined, '127.0.0.1'],
] as const

/** A control model by its name and option, such as `reader:text`. */
export function createControl(text: string, registry: Registry): Model {
  const [, option] = /:(.*)/s.exec(text) ?? []
  return registry.find('model', text).create(option)
}
