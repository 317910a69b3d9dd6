import { type Command, Option } from 'commander'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { EnvironmentFlags } from '../run/experiment-flags.js'
import { flagOf } from '../run/experiment-flags.js'
import { loadRegistry } from '../run/plugins.js'
import type { Registry } from '../run/registry.js'
import { number, say } from './_lines.js'

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
  throw new ShaketableError(
    'usage',
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
  throw new ShaketableError('usage', `${flag}: expected a number ${low} ${high}, got '${text.slice(0, 100)}'.${hint}`)
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
    throw new ShaketableError('usage', unknownName(nameOf(flags).slice(2), text, known))
  }
  return [flags, `${help}: ${known.join(', ')}`, parse, preset]
}

/** What a gate, a comparison and a power analysis can be about. */
export const metrics = ['success', 'progress'] as const
/** One of {@link metrics}. */
export type Metric = (typeof metrics)[number]

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
  return loadRegistry(plugin, say)
}

/** Adds the required address of a queue to a command. */
export function addQueueFlag(command: Command): Command {
  return command.requiredOption('--queue <address>', 'the Redis or Valkey server, such as redis://localhost:6379')
}

/** A flag for each option of an environment; the help names the environments that have it. */
export const environmentFlags = {
  data: ['<folder>', "household: ALFWorld's data folder; pddl: AgentBoard's games"],
  split: [
    '<name>',
    'which tasks; household: valid-unseen, valid-seen, valid-train, train; babyai, pddl, scienceworld: test, train',
  ],
  generation: ['<old|new>', 'household: the wording of its games'],
  order: ['<agentboard|sorted>', 'household: the order of its tasks'],
  rules: ['<agentboard|fixed>', "babyai, jericho: AgentBoard's text game, or the same without its faults"],
  labels: ['<file>', "babyai, pddl, scienceworld, jericho: AgentBoard's label file"],
  games: ['<names|folder>', 'pddl: its games to play, separated by commas; jericho: a folder with story files'],
  agentboard: ['<folder>', "jericho: AgentBoard's folder, for the goals and first observations of its games"],
  storySeed: ['<number>', "jericho: the seed of the stories' random numbers"],
  domain: ['<file>', 'pddl: a domain of your own, in PDDL'],
  problem: ['<file>', 'pddl: its problem, or a folder of problems'],
  templates: ['<file>', 'pddl: texts for its predicates and actions, in JSON'],
  prompt: [
    '<file>',
    "household, babyai, pddl, scienceworld, jericho: AgentBoard's prompt file for the environment; hotpotqa: ReAct's",
  ],
  jar: ['<file>', 'scienceworld: its engine, scienceworld.jar (default: $SCIENCEWORLD_JAR)'],
  java: ['<file>', 'scienceworld: the program java (default: that of $JAVA_HOME, or the first in PATH)'],
  progress: ['<score|subgoals>', "scienceworld: the engine's score, or the share of sub-goals"],
  grounding: ['<engine|agentboard>', 'scienceworld, jericho: which actions count as understood'],
  limits: ['<run|eto>', "scienceworld: the step limit of the run, or ETO's for each type of task"],
  simplifications: ['<names>', "scienceworld: the engine's simplifications, separated by commas"],
  jvms: ['<n>', 'scienceworld: Java processes at a time, one an episode (default: 8)'],
  questions: ['<file>', "hotpotqa: HotpotQA's or ReAct's question file"],
  sample: ['<n>', 'hotpotqa: questions to draw from the file; 0 takes all'],
  sampleSeed: ['<n>', 'hotpotqa: seed of the sample'],
  maxSteps: ['<n>', 'hotpotqa: steps an episode, at most those of the run'],
  corpus: ['<path>', 'hotpotqa: pages to search: a folder of text files, JSON lines, or a HotpotQA file'],
  wiki: ['<address>', 'hotpotqa: a MediaWiki site to search, such as https://en.wikipedia.org'],
  way: ['<html|api>', 'hotpotqa: how the site is searched'],
  pages: ['<folder>', 'hotpotqa: keeps the pages of the site for later runs'],
  scripts: ['<paths>', 'scripted: files or folders of scripts, separated by commas'],
  url: ['<address>', 'agentgym: the address of a running server'],
  game: ['<name>', 'agentgym: the game that it serves'],
  command: ['<line>', 'process: the command that starts the environment, such as "python3 my_env.py"'],
  deadline: [
    '<seconds>',
    'agentgym, process, scienceworld, hotpotqa: the longest wait for an answer (default: 300, 60, 60, 30)',
  ],
} as const satisfies Readonly<Record<string, readonly [placeholder: string, help: string]>>

/** The options of environments among those of a command. */
export type EnvironmentFlagValues = { readonly [name in keyof typeof environmentFlags]?: readonly string[] }

/** Adds the options of all environments to a command, under a heading of their own. */
export function addEnvironmentFlags(command: Command): Command {
  for (const [name, [placeholder, help]] of Object.entries(environmentFlags)) {
    const option = new Option(`--${flagOf(name)} ${placeholder}`, help).argParser(several)
    command.addOption(option.helpGroup('Options of environments:'))
  }
  return command
}

/** The last lines of help of a command that plays several environments. */
export const severalEnvironments = `
An option goes to every environment that has it. To give it to one of several environments write
--data pddl=DIR; a path has to be given that way where several environments have the option.`

/** Picks the options of environments from those of a command. */
export function pickEnvironmentFlags(options: EnvironmentFlagValues): EnvironmentFlags {
  const given = Object.keys(environmentFlags) as (keyof typeof environmentFlags)[]
  return Object.fromEntries(given.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))
}
