import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { Model } from '../core/model.js'
import { loadRegistry } from '../run/plugins.js'
import type { Registry } from '../run/registry.js'
import { number } from './_lines.js'

/** An error of the command line: exit code 2. */
export function usageError(message: string): ShaketableError {
  return new ShaketableError('usage', message)
}

/** The arguments of commander's `option` for a flag that is checked while it is parsed. */
type Flag<Value> = [flags: string, help: string, parse: (text: string) => Value, preset?: Value | undefined]

const nameOf = (flags: string): string => /^--[\w-]+/.exec(flags)![0]

/** A flag that takes a whole number within bounds. Anything else is refused with ShaketableError `usage`. */
export function whole(flags: string, help: string, low: number, high: number, preset?: number): Flag<number> {
  return [flags, help, (text) => readWhole(nameOf(flags), text, low, high), preset]
}

/** Reads a whole number whose bounds depend on another flag. @throws ShaketableError `usage` */
export function readWhole(flag: string, text: string, low: number, high: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN
  if (value >= low && value <= high) return value
  throw usageError(
    `${flag}: expected a whole number from ${number(low)} to ${number(high)}, got '${text.slice(0, 100)}'.`,
  )
}

/** Bounds of a share: `from` and `to` are allowed values, `above` and `below` are not. */
interface Bounds {
  readonly from?: number
  readonly to?: number
  readonly above?: number
  readonly below?: number
}

/** A flag that takes a share of 1, such as 0.05. Anything else, a percentage above all, is refused as `usage`. */
export function share(flags: string, help: string, bounds: Bounds, preset?: number): Flag<number> {
  return [flags, help, (text) => readShare(nameOf(flags), text, bounds), preset]
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
export function choice<Name extends string>(
  flags: string,
  help: string,
  known: readonly Name[],
  preset?: Name,
): Flag<Name> {
  const parse = (text: string): Name => {
    const found = known.find((name) => name === text)
    if (found !== undefined) return found
    throw usageError(unknownName(nameOf(flags).slice(2), text, known))
  }
  return [flags, `${help}: ${known.join(', ')}`, parse, preset]
}

/** A flag whose text has to match a pattern, which `what` describes. Anything else is refused as `usage`. */
export function matching(flags: string, help: string, pattern: RegExp, what: string, preset?: string): Flag<string> {
  const parse = (text: string): string => {
    if (pattern.test(text)) return text
    throw usageError(`${nameOf(flags)}: expected ${what}, got '${text.slice(0, 100)}'.`)
  }
  return [flags, help, parse, preset]
}

/** What a gate, a comparison and a power analysis can be about. */
export const metrics = ['success', 'progress'] as const
/** One of {@link metrics}. */
export type Metric = (typeof metrics)[number]

/** Refuses an output path that is taken, unless it is to be replaced. */
export function refuseExisting(path: string, force = false): void {
  if (force || !existsSync(path)) return
  throw usageError(`${path} exists already. Give another path, or --force to replace it.`)
}

/** Collects the values of a flag that may be given several times. */
export const several = (value: string, before: readonly string[] = []): string[] => [...before, value]

/** Collects comma-separated names of a flag that may be given several times. */
export const names = (value: string, before: readonly string[] = []): string[] => [...before, ...value.split(',')]

/** A flag for the temperatures of a run that a command is about. */
export const temperaturesFlag = [
  '--temperatures <list>',
  'these of the temperatures alone, separated by commas (default: all)',
  names,
] as const

/** The option of every command that names an environment, a perturbation, a model, an agent, a report or a law. */
export interface PluginFlag {
  readonly plugin?: readonly string[]
}

/** Adds `--plugin` to a command. */
export function addPluginFlag(command: Command): Command {
  return command.option(
    '--plugin <file>',
    'a file or an installed package with your own definitions (see docs/plugins.md); may be repeated',
    several,
  )
}

/** Everything a command can name. @throws ShaketableError `bad-input` for a plug-in that cannot be used */
export function readPlugins({ plugin = [] }: PluginFlag): Promise<Registry> {
  return loadRegistry(plugin)
}

/** A control model by its name and option, such as `reader:text`. */
export function createControl(text: string, registry: Registry): Model {
  const [, ...option] = text.split(':')
  const control = registry.find('model', text)
  return option.length === 0 ? control.create() : control.create(option.join(':'))
}

/** Adds the limits of a session that sends calls to servers. */
export function addBudgetFlags(command: Command): Command {
  return command
    .option(
      '--max <limits>',
      'end the session at limits such as calls=1000,minutes=50: episodes, calls (attempts included), tokens, minutes, cost',
      several,
    )
    .option(
      '--prices <file>',
      'JSON with the cost of a million tokens of each model, {"m": {"prompt": 1, "completion": 2}}',
    )
}

/** Adds the port and the address of a server to a command. */
export function addListenFlags(command: Command): Command {
  return command
    .option(...whole('--port <n>', 'port; 0 chooses a free one', 0, 65_535, 0))
    .option('--host <address>', 'address to listen on; 0.0.0.0 for all networks of this machine', '127.0.0.1')
}

/** Adds the required address of a queue to a command. */
export function addQueueFlag(command: Command): Command {
  return command.requiredOption('--queue <address>', 'the Redis or Valkey server, such as redis://localhost:6379')
}

/** The option of every command that opens an environment. */
export interface SetFlag {
  readonly set?: readonly string[]
}

/** Adds `--set` to a command. */
export function addSetFlag(command: Command): Command {
  return command.option(
    '--set <environment.option=value>',
    'an option of an environment, such as household.split=train (see shaketable list environments NAME); may be repeated',
    several,
  )
}
