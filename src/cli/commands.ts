import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { ShaketableError, messageOf, unknownName } from '../core/errors.js'
import { say } from './_lines.js'

/** The commands. The file of each is loaded only when it is used, so that help is fast. */
const commands: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>> = {
  run: {
    summary: 'play an experiment, or continue one, and write its reports',
    load: async () => (await import('./run.js')).runCommand(),
  },
  init: {
    summary: 'write a starter: a perturbation, environment, agent, report, experiment or CI workflow',
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
  shrink: {
    summary: 'find which change lost a task, by playing it again under parts of the changes',
    load: async () => (await import('./shrink.js')).shrinkCommand(),
  },
  search: {
    summary: 'look for the draw of a family that harms most, and measure its harm on held-out tasks',
    load: async () => (await import('./search.js')).searchCommand(),
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
    summary: 'compare two runs, or two models of a run, pair by pair',
    load: async () => (await import('./compare.js')).compareCommand(),
  },
  power: {
    summary: 'estimate from a pilot run how many seeds and tasks a gate needs',
    load: async () => (await import('./power.js')).powerCommand(),
  },
  audit: {
    summary: 'recompute the averages and differences in a table of published results',
    load: async () => (await import('./audit.js')).auditCommand(),
  },
  validate: {
    summary: 'check on real tasks what perturbations promise, including your own',
    load: async () => (await import('./validate.js')).validateCommand(),
  },
  train: {
    summary: 'train a small model on training data, to be played like any other',
    load: async () => (await import('./train.js')).trainCommand(),
  },
  verify: {
    summary: 'verify training trajectories against their script',
    load: async () => (await import('./verify.js')).verifyCommand(),
  },
  'judge-agreement': {
    summary: 'measure how far two judges agree, beyond chance',
    load: async () => (await import('./judge-agreement.js')).judgeAgreementCommand(),
  },
  doctor: {
    summary: 'probe a model server, or an environment: how it behaves, and what that means for a run',
    load: async () => (await import('./doctor.js')).doctorCommand(),
  },
  serve: {
    summary: 'serve a control model as an OpenAI-compatible server, with faults on request',
    load: async () => (await import('./serve.js')).serveCommand(),
  },
  proxy: {
    summary: 'perturb the conversations between another harness and its model',
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
  paraphrase: {
    summary: 'let a model write other wordings, for perturbations of your own',
    load: async () => (await import('./paraphrase.js')).paraphraseCommand(),
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

/** Episodes ended in an error, or a law failed. */
const exitBroken = 1
const exitUsage = 2
/** An unexpected error: a code of its own, which no verdict of a run or a gate has. */
const exitUnexpected = 70
/** A server that does not answer. */
const exitInfrastructure = 4

/**
 * Runs the command line in this thread and sets the exit code. Errors are printed in one line. A command that is not
 * done while nothing is left to wait for is an error too, on the second `beforeExit`: the first may wake it up.
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
    .description('Perturbs the environment of an LLM agent and measures what still works.')
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

/** Prints an error in one line, unless commander has printed it. @returns the exit code */
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
