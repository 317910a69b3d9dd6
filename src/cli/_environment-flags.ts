import type { Command } from 'commander'
import type { EnvironmentFlags } from '../run/experiment-flags.js'

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
