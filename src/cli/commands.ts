import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { ShaketableError, messageOf, unknownName } from '../core/errors.js'
import { say } from './_lines.js'

/** The sub-commands. Each is a file of its own that is read only when it is asked for, so that help comes at once. */
const commands: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>> = {
  run: {
    summary: 'play an experiment, or go on with one, and write its reports',
    load: async () => (await import('./run.js')).runCommand(),
  },
  init: {
    summary: 'write a starter of your own: a perturbation, environment, agent, report, experiment or CI',
    load: async () => (await import('./init.js')).initCommand(),
  },
  report: {
    summary: 'write the reports of a run again, or print one',
    load: async () => (await import('./report.js')).reportCommand(),
  },
  show: {
    summary: 'list the episodes of a run, or read one',
    load: async () => (await import('./show.js')).showCommand(),
  },
  check: {
    summary: 'check a run against a baseline: did anything get worse?',
    load: async () => (await import('./check.js')).checkCommand(),
  },
  aa: {
    summary: "measure the gate's own false-alarm rate on a run's repeats",
    load: async () => (await import('./aa.js')).aaCommand(),
  },
  play: {
    summary: 'play a task by hand, or replay lists of actions',
    load: async () => (await import('./play.js')).playCommand(),
  },
  compare: {
    summary: 'compare two runs, or two models of one, pair by pair',
    load: async () => (await import('./compare.js')).compareCommand(),
  },
  power: {
    summary: 'tell from a pilot run how many seeds and tasks a gate needs',
    load: async () => (await import('./power.js')).powerCommand(),
  },
  audit: {
    summary: 'recompute what a table of printed results claims',
    load: async () => (await import('./audit.js')).auditCommand(),
  },
  validate: {
    summary: 'check on real tasks what perturbations promise, your own too',
    load: async () => (await import('./validate.js')).validateCommand(),
  },
  train: {
    summary: 'train a small model on training data, which plays like any other',
    load: async () => (await import('./train.js')).trainCommand(),
  },
  verify: {
    summary: 'verify trajectories for training against their script',
    load: async () => (await import('./verify.js')).verifyCommand(),
  },
  'judge-agreement': {
    summary: 'tell how far two judges agree, beyond chance',
    load: async () => (await import('./judge-agreement.js')).judgeAgreementCommand(),
  },
  doctor: {
    summary: 'look at a server: what it does, and what that means for a run',
    load: async () => (await import('./doctor.js')).doctorCommand(),
  },
  serve: {
    summary: 'offer a control model as an OpenAI-compatible server, with faults on request',
    load: async () => (await import('./serve.js')).serveCommand(),
  },
  proxy: {
    summary: 'perturb the conversations of another harness, between it and its model',
    load: async () => (await import('./proxy.js')).proxyCommand(),
  },
  export: {
    summary: 'write generated tasks as files of the original benchmark',
    load: async () => (await import('./export.js')).exportCommand(),
  },
  collect: {
    summary: 'play tasks with a control model and write trajectories for training',
    load: async () => (await import('./collect.js')).collectCommand(),
  },
  'export-sft': {
    summary: 'write trajectories as training files with a loss flag per turn',
    load: async () => (await import('./export-sft.js')).exportSftCommand(),
  },
  'filter-ind': {
    summary: 'drop the rows of evaluation environments from training data',
    load: async () => (await import('./filter-ind.js')).filterIndCommand(),
  },
  list: {
    summary: 'list environments, perturbations, models, agents and reports',
    load: async () => (await import('./list.js')).listCommand(),
  },
}

/** A run whose episodes, or a check whose laws, did not hold. */
const exitBroken = 1
const exitUsage = 2
/** Something that nobody thought of: a code of its own, so that it is not taken for a run or a gate that says no. */
const exitUnexpected = 70
/** A server that does not answer. */
const exitInfrastructure = 4

/**
 * Runs the command line in this thread and sets the exit code. What goes wrong is said in one line. So it is where
 * nothing is left to wait for and the command is not done: not the first time, as what waits may end on hearing that.
 */
export async function perform(args: readonly string[]): Promise<void> {
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (thrown: unknown) => process.exit(explain(thrown)))
  }
  let idle = false
  const endUnfinished = (): void => {
    if (idle) process.exit(explain(new Error('the command waits for something that does not come')))
    idle = true
    setImmediate(() => undefined)
  }
  process.on('beforeExit', endUnfinished)
  process.exitCode = await runCommand(args).catch(explain)
  process.off('beforeExit', endUnfinished)
}

/** @returns the exit code */
async function runCommand(args: readonly string[]): Promise<number> {
  const { version } = createRequire(import.meta.url)('shaketable/package.json') as { version: string }
  const program = new Command('shaketable')
    .description('Shakes the environment under an LLM agent and measures what still works.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(add --help for all options)')
    .addHelpText('after', '\nBegin with `shaketable run`: it plays the embedded experiment and needs nothing else.')
  const names = Object.keys(commands)
  const wanted = args.find((arg) => !arg.startsWith('-') && arg !== 'help')
  for (const name of names) {
    const { summary, load } = commands[name]!
    const command = name === wanted ? await load() : new Command(name)
    program.addCommand(command.summary(summary).copyInheritedSettings(program))
  }
  if (wanted !== undefined && !names.includes(wanted)) {
    throw new ShaketableError('usage', unknownName('command', wanted, names))
  }
  if (args.length === 0) {
    program.outputHelp()
    return 0
  }
  await program.parseAsync(args, { from: 'user' })
  return Number(process.exitCode ?? 0)
}

/** Says what went wrong in one line and gives the exit code for it. Commander has already said its part. */
export function explain(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : exitUsage
  if (process.env['SHAKETABLE_DEBUG'] === '1' && thrown instanceof Error) console.error(thrown.stack)
  if (thrown instanceof ShaketableError) {
    say(thrown.message)
    if (thrown.code === 'model') return exitInfrastructure
    return thrown.code === 'environment' ? exitBroken : exitUsage
  }
  say(
    `Unexpected error: ${messageOf(thrown)}. Please report it with the command that you ran and what SHAKETABLE_DEBUG=1 prints.`,
  )
  return exitUnexpected
}
