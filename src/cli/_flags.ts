import type { Command } from 'commander'
import { ShaketableError } from '../core/errors.js'
import type { EnvironmentFlags } from '../run/experiment-flags.js'
import { loadRegistry } from '../run/plugins.js'
import type { Registry } from '../run/registry.js'
import { number, say } from './_lines.js'

/** A flag for each option that some environment has, with which of them have it. */
export const environmentFlags = {
  data: ['<folder>', "household: ALFWorld's data folder; pddl: AgentBoard's games"],
  split: ['<name>', 'which tasks; household: valid-unseen, valid-seen, valid-train, train; babyai, pddl: test, train'],
  generation: ['<old|new>', 'household: the wording of its games'],
  order: ['<agentboard|sorted>', 'household: the order of its tasks'],
  rules: ['<agentboard|fixed>', "babyai: AgentBoard's text game, or the same without its faults"],
  labels: ['<file>', "babyai, pddl: AgentBoard's label file"],
  games: ['<names>', 'pddl: which of its games, separated by commas'],
  domain: ['<file>', 'pddl: a domain of your own, in PDDL'],
  problem: ['<file>', 'pddl: its problem, or a folder of problems'],
  templates: ['<file>', 'pddl: texts for its predicates and actions, in JSON'],
  prompt: ['<file>', "household, babyai, pddl: AgentBoard's prompt file for the environment"],
  url: ['<address>', 'agentgym: the address of a running server'],
  game: ['<name>', 'agentgym: the game that it serves'],
  command: ['<line>', 'process: the command that starts the environment, such as "python3 my_env.py"'],
  deadline: ['<seconds>', 'agentgym, process: how long an answer is waited for (default: 300, 60)'],
} as const satisfies Readonly<Record<string, readonly [placeholder: string, help: string]>>

/** The options of environments among those of a command. */
export type EnvironmentFlagValues = { readonly [name in keyof typeof environmentFlags]?: readonly string[] }

const several = (value: string, before: readonly string[] = []): string[] => [...before, value]

/** Lets a command take the options of environments. */
export function addEnvironmentFlags(command: Command): Command {
  for (const [name, [placeholder, help]] of Object.entries(environmentFlags)) {
    command.option(`--${name} ${placeholder}`, help, several)
  }
  return command
}

/** What stands below the help of a command that plays several environments. */
export const severalEnvironments = `
An option goes to every environment that has it. For one of several environments write --data pddl=DIR; a path needs
that where several have the option.`

/** Picks the options of environments out of those of a command. */
export function pickEnvironmentFlags(options: EnvironmentFlagValues): EnvironmentFlags {
  const names = Object.keys(environmentFlags) as (keyof typeof environmentFlags)[]
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))
}

/** The option of every command that names an environment, a perturbation, a model, an agent, a report or a law. */
export interface PluginFlag {
  readonly plugin?: readonly string[]
}

/** Lets a command take plug-ins. */
export function addPluginFlag(command: Command): Command {
  return command.option(
    '--plugin <file>',
    'a file, or an installed package, that defines anything of your own (see docs/plugins.md); may be given again',
    (value: string, before: readonly string[] = []) => [...before, value],
  )
}

/** All that a command can name. @throws ShaketableError `bad-input` for a plug-in that cannot be used */
export function readPlugins({ plugin = [] }: PluginFlag): Promise<Registry> {
  return loadRegistry(plugin, say)
}

/** Bounds of a share: `from` and `to` may be reached, `above` and `below` may not. */
interface Bounds {
  readonly from?: number
  readonly to?: number
  readonly above?: number
  readonly below?: number
}

/**
 * Reads a share of 1 that an option gives, such as 0.05.
 * @throws ShaketableError `usage` for anything else, a percentage above all.
 */
export function readShare(flag: string, text: string, { from = 0, to = 1, above, below }: Bounds): number {
  const share = /^\d{0,3}(?:\.\d{1,12})?$/.test(text) && text !== '' ? Number(text) : NaN
  if (share >= from && share <= to && !(share <= (above ?? -1)) && !(share >= (below ?? 2))) return share
  const low = above === undefined ? `from ${String(from)}` : `above ${String(above)}`
  const high = below === undefined ? `to ${String(to)}` : `and below ${String(below)}`
  const hint = share > 1 && share <= 100 ? ` Write ${String(share / 100)} for ${text} %.` : ''
  throw new ShaketableError('usage', `${flag}: expected a number ${low} ${high}, got '${text.slice(0, 100)}'.${hint}`)
}

/** Reads a whole number that a flag gives. @throws ShaketableError `usage` for anything else, or beyond the bounds. */
export function readWhole(flag: string, text: string, low: number, high: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN
  if (value >= low && value <= high) return value
  throw new ShaketableError(
    'usage',
    `${flag}: expected a whole number from ${number(low)} to ${number(high)}, got '${text.slice(0, 100)}'.`,
  )
}
