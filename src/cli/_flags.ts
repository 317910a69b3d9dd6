import { existsSync } from 'node:fs'
import { Argument, Command, Option } from 'commander'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { Model } from '../core/model.js'
import type { Registry } from '../run/registry.js'
import { number } from './_lines.js'

/** An error of the command line: exit code 2. */
export function usageError(message: string): ShaketableError {
  return new ShaketableError('usage', message)
}

type Parse<Value = unknown> = (text: string, before: never) => Value

/** What else is said of a flag. */
interface FlagTraits {
  readonly isRequired?: true
  /** The text of a flag whose value may be left out, and is. */
  readonly bare?: string
}

/** A flag as `--name <value>` with its help, how its text is read (as it is), its default, and its traits. */
type Flag = readonly [name: string, help: string, parse?: Parse | undefined, preset?: unknown, traits?: FlagTraits]

/** A flag that is read by a function. A list of flags tells with which type commands get its value. */
type ReadFlag<Name extends string, Value, Preset> = [
  name: Name,
  help: string,
  parse: (text: string) => Value,
  preset: Preset,
]

type KeyOf<Text extends string> = Text extends `--no-${infer Name}`
  ? KeyOf<`--${Name}`>
  : Text extends `--${infer Name} ${string}`
    ? Camel<Name>
    : Text extends `--${infer Name}`
      ? Camel<Name>
      : never
type Camel<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text
type ReadValue<One extends Flag> = One[2] extends (...args: never[]) => infer Value
  ? Value
  : One[0] extends `${string} ${string}`
    ? string
    : true
type IsSure<One extends Flag> = One[4] extends { readonly isRequired: true }
  ? true
  : One[3] extends NonNullable<unknown>
    ? true
    : false

/** The options that commander gives a command with these flags; those that may be absent are optional. */
export type OptionsOf<Flags extends readonly (Flag | string)[]> = {
  readonly [One in Extract<Flags[number], Flag> as IsSure<One> extends true ? KeyOf<One[0]> : never]: ReadValue<One>
} & {
  readonly [One in Extract<Flags[number], Flag> as One[0] extends `--no-${string}` ? KeyOf<One[0]> : never]: boolean
} & {
  readonly [
    One in Extract<Flags[number], Flag> as IsSure<One> extends true
      ? never
      : One[0] extends `--no-${string}`
        ? never
        : KeyOf<One[0]>
  ]?: ReadValue<One>
}

/** A place of a command line as `<name>` or `[name...]` with its help, its default, and the only values that it takes. */
type Place = readonly [name: string, help: string, preset?: unknown, choices?: readonly string[]]

/** A command: what it takes, and the function that gets its arguments and options. A text among flags is a heading. */
interface CommandParts {
  readonly places?: readonly Place[]
  readonly flags: readonly (Flag | string)[]
  /** What its help ends with. */
  readonly below?: string
  readonly run: (...args: never[]) => unknown
}

/** A command in a list of commands, whose help ends with examples: command lines without `shaketable`. */
export function withExamples(command: Command, summary: string, examples: readonly string[]): Command {
  const lines = examples.map((example) => `\n  shaketable ${example}`)
  return command.summary(summary).addHelpText('after', `\nExamples:${lines.join('')}`)
}

/** Makes a command of commander. */
export function makeCommand(name: string, description: string, parts: CommandParts): Command {
  const command = new Command(name).description(description)
  for (const [place, help, preset, choices] of parts.places ?? []) {
    const argument = new Argument(place, help)
    if (preset !== undefined) argument.default(preset)
    command.addArgument(choices === undefined ? argument : argument.choices(choices))
  }
  for (const flag of parts.flags) {
    if (typeof flag === 'string') command.optionsGroup(flag)
    else command.addOption(optionOf(flag))
  }
  if (parts.below !== undefined) command.addHelpText('after', `\n${parts.below}`)
  command.hook('preAction', checkFlags)
  return command.action(parts.run as (...args: unknown[]) => void | Promise<void>)
}

/** Flags that exclude each other, that need another one, or of which one has to be given; by command. */
const rules: Readonly<Record<string, readonly (readonly [string, 'excludes' | 'needs' | 'or', ...string[]])[]>> = {
  run: [
    ['--queue', 'excludes', '--record', '--replay', '--workers'],
    ['--workers', 'excludes', '--record', '--replay'],
  ],
  report: [['--by', 'needs', '--table']],
  doctor: [
    ['--model', 'or', '--env'],
    ['--model', 'excludes', '--env'],
  ],
  check: [
    ['--baseline', 'or', '--self'],
    ['--self', 'excludes', '--baseline', '--update-baseline', '--temperatures', '--junit', '--json', '--summary'],
    ['--update-baseline', 'excludes', '--temperatures', '--junit', '--json', '--summary'],
    ['--update-baseline', 'needs', '--why'],
    ['--why', 'needs', '--update-baseline'],
  ],
  proxy: [
    ['--upstream', 'or', '--mcp'],
    ['--mcp', 'excludes', '--upstream', '--forms'],
    ['--upstream', 'needs', '--forms'],
    ['--forms', 'needs', '--upstream'],
  ],
  'filter-ind': [['--out', 'or', '--dry-run']],
}

/** @throws ShaketableError `usage` for flags that the {@link rules} of their command do not have beside each other */
function checkFlags(command: Command): void {
  const given = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
  const isGiven = (flag: string): boolean => given.some(({ long }) => long === flag)
  for (const [flag, rule, ...others] of rules[command.name()] ?? []) {
    const beside = others.find(isGiven)
    const known = [flag, ...others].join(' or ')
    if (rule === 'or' && !isGiven(flag) && beside === undefined)
      throw usageError(`Expected ${known}, got neither. Give one of them.`)
    if (rule === 'excludes' && isGiven(flag) && beside !== undefined)
      throw usageError(`${flag}: expected no ${beside} beside it, got both. Give one of them.`)
    if (rule === 'needs' && isGiven(flag) && beside === undefined)
      throw usageError(`${flag}: expected ${others.join(' or ')} beside it, got none. Give both, or neither.`)
  }
}

function optionOf([name, help, parse, preset, { isRequired, bare } = {}]: Flag): Option {
  const option = new Option(name, help)
  if (parse !== undefined) option.argParser(parse as (text: string, before: unknown) => unknown)
  if (preset !== undefined) option.default(preset)
  if (bare !== undefined) option.preset(bare)
  return option.makeOptionMandatory(isRequired === true)
}

/** What a flag has that must be given. */
export const mandatory = { isRequired: true } as const

/** A flag with a text that must be given. */
export function required<const Name extends string>(name: Name, help: string) {
  return [name, help, undefined, undefined, mandatory] as const
}

/** The run that a command is about. */
export const runPlace = ['<run>', "a run's folder"] as const

const nameOf = (flags: string): string => /^--[\w-]+/.exec(flags)![0]

/** A flag that takes a whole number within bounds. Anything else is refused with ShaketableError `usage`. */
export function whole<const Name extends string, Preset extends number | undefined = undefined>(
  flags: Name,
  help: string,
  low: number,
  high: number,
  preset?: Preset,
): ReadFlag<Name, number, Preset> {
  const parse = (text: string): number => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN
    if (value >= low && value <= high) return value
    const flag = nameOf(flags)
    throw usageError(
      `${flag}: expected a whole number from ${number(low)} to ${number(high)}, got '${text.slice(0, 100)}'.`,
    )
  }
  return [flags, help, parse, preset as Preset]
}

/** Bounds of a share: `from` and `to` are allowed values, `above` and `below` are not. */
interface Bounds {
  readonly from?: number
  readonly to?: number
  readonly above?: number
  readonly below?: number
}

/** A flag that takes a share of 1, such as 0.05. Anything else, a percentage above all, is refused as `usage`. */
export function share<const Name extends string, Preset extends number | undefined = undefined>(
  flags: Name,
  help: string,
  bounds: Bounds,
  preset?: Preset,
): ReadFlag<Name, number, Preset> {
  return [flags, help, (text) => readShare(nameOf(flags), text, bounds), preset as Preset]
}

/** Reads a share whose bounds depend on another flag. @throws ShaketableError `usage` */
export function readShare(flag: string, text: string, { from = 0, to = 1, above, below }: Bounds): number {
  const value = /^\d{0,3}(?:\.\d{1,12})?$/.test(text) && text !== '' ? Number(text) : NaN
  if (value >= from && value <= to && !(value <= (above ?? -1)) && !(value >= (below ?? 2))) return value
  const low = above === undefined ? `from ${String(from)}` : `above ${String(above)}`
  const high = below === undefined ? `to ${String(to)}` : `and below ${String(below)}`
  const hint = value > 1 && value <= 100 ? ` Write ${String(value / 100)} for ${text} %.` : ''
  throw usageError(`${flag}: expected a number ${low} ${high}, got '${text.slice(0, 100)}'.${hint}`)
}

/** A flag that takes one of several names, which its help lists. Other names are refused with the near miss. */
export function choice<const Name extends string, Value extends string, Preset extends Value | undefined = undefined>(
  flags: Name,
  help: string,
  known: readonly Value[],
  preset?: Preset,
): ReadFlag<Name, Value, Preset> {
  const parse = (text: string): Value => {
    const found = known.find((name) => name === text)
    if (found !== undefined) return found
    throw usageError(unknownName(nameOf(flags).slice(2), text, known))
  }
  return [flags, `${help}: ${known.join(', ')}`, parse, preset as Preset]
}

/** A flag whose text has to match a pattern, which `what` describes. Anything else is refused as `usage`. */
export function matching<const Name extends string, Preset extends string | undefined = undefined>(
  flags: Name,
  help: string,
  pattern: RegExp,
  what: string,
  preset?: Preset,
): ReadFlag<Name, string, Preset> {
  const parse = (text: string): string => {
    if (pattern.test(text)) return text
    throw usageError(`${nameOf(flags)}: expected ${what}, got '${text.slice(0, 100)}'.`)
  }
  return [flags, help, parse, preset as Preset]
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

/** The options of {@link pluginFlag}. */
export type PluginFlag = OptionsOf<[typeof pluginFlag]>

/** Everything a command can name. @throws ShaketableError `bad-input` for a plug-in that cannot be used */
export async function readPlugins({ plugin = [] }: PluginFlag): Promise<Registry> {
  // Loaded when it is needed, so that help is fast.
  const { loadRegistry } = await import('../run/plugins.js')
  return loadRegistry(plugin)
}

/** The flags of every command that opens an environment. */
export const environmentFlags = [
  pluginFlag,
  [
    '--set <environment.option=value>',
    'an option of an environment, such as household.split=train (see shaketable list environments NAME); may be repeated',
    several,
  ],
] as const

/** The flags that record and replay what models say. */
export const exchangeFlags = [
  ['--record <file>', 'record every exchange with the models in a file, and take from it what is known'],
  ['--replay <file>', 'replay such a file, without a server or a key'],
] as const

/** The limits of a session that sends calls to servers. */
export const budgetFlags = [
  [
    '--max <limits>',
    'end the session at limits such as calls=1000,minutes=50: episodes, calls (attempts included), tokens, minutes',
    several,
  ],
] as const

/** The port and the address of a server. */
export const listenFlags = [
  whole('--port <n>', 'port; 0 chooses a free one', 0, 65_535, 0),
  ['--host <address>', 'address to listen on; 0.0.0.0 for all networks of this machine', undefined, '127.0.0.1'],
] as const

/** The required address of a queue. */
export const queueFlag = required('--queue <address>', 'the Redis or Valkey server, such as redis://localhost:6379')

/** A control model by its name and option, such as `reader:text`. */
export function createControl(text: string, registry: Registry): Model {
  const [, ...option] = text.split(':')
  const control = registry.find('model', text)
  return option.length === 0 ? control.create() : control.create(option.join(':'))
}
