import { ShaketableError } from '../core/errors.js'
import type { EnvironmentKind } from '../environments/index.js'
import type { Registry } from './registry.js'
import { shipped } from './registry.js'

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
