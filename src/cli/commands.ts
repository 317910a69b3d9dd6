import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { ShaketableError, unknownName } from '../core/errors.js'
import { outsideMessageOf } from '../environments/secrets.js'
import { tooFewFiles } from '../files/write-error.js'
import { exitOf, pluginOf, pluginsLoaded, unsettledHook } from '../run/plugin-faults.js'
import { complain, setQuiet, wrap } from './_lines.js'
import { isLeaving, leave } from './_signals.js'

/** A command as the list of all commands shows it. Its file is loaded only when it is used, so that help is fast. */
interface CommandEntry {
  /** Heading in the list. */
  readonly group: string
  readonly summary: string
  /** Command lines without `shaketable`; its help ends with them. */
  readonly examples: readonly string[]
  readonly load: () => Promise<Command>
}

const groups = {
  first: 'Begin here:',
  own: 'Perturbations, environments and agents of your own:',
  many: 'Many runs and machines:',
  why: 'Why a model fails:',
  ci: 'Checks in CI:',
  training: 'Training data and small models:',
  others: 'Other harnesses and benchmarks:',
  tool: 'This tool:',
} as const

/** The commands, by what they are for. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  run: {
    group: groups.first,
    summary: 'play an experiment, or continue one, and write its reports',
    examples: [
      'run',
      'run --env household --tasks 10 --model reader,parrot --perturb synonyms',
      'run --base-url http://localhost:8000/v1 --model my-model --env household --dry-run',
      'run agentrefine-table-3 --base-url http://localhost:8000/v1 --model my-model',
      'run experiment.yaml --quiet --json',
    ],
    load: async () => (await import('./run.js')).runCommand(),
  },
  report: {
    group: groups.first,
    summary: 'write the reports of a run again, or print one',
    examples: [
      'report runs/embedded',
      'report runs/embedded --table robustness --format latex',
      'report runs/shard-1 runs/shard-2 --out report',
    ],
    load: async () => (await import('./report.js')).reportCommand(),
  },
  runs: {
    group: groups.first,
    summary: 'list the runs of a folder with their state and success; show, follow or check one',
    examples: ['runs', 'runs runs/my-model', 'runs runs/my-model --follow', 'runs runs/my-model --check'],
    load: async () => (await import('./runs.js')).runsCommand(),
  },
  show: {
    group: groups.first,
    summary: 'list the episodes of a run, or read one',
    examples: ['show runs/embedded --model parrot --outcome step-limit', 'show runs/embedded 0a1b2c --twin'],
    load: async () => (await import('./show.js')).showCommand(),
  },
  compare: {
    group: groups.first,
    summary: 'compare two runs, or two models of a run, pair by pair',
    examples: ['compare runs/old runs/new', 'compare runs/embedded --model reader=parrot --format markdown'],
    load: async () => (await import('./compare.js')).compareCommand(),
  },
  list: {
    group: groups.first,
    summary: 'list environments, perturbations, models, agents, reports and shipped experiments',
    examples: ['list perturbations', 'list environments household', 'list models --json'],
    load: async () => (await import('./list.js')).listCommand(),
  },
  doctor: {
    group: groups.first,
    summary: 'probe a model server, or an environment: how it behaves, and what that means for a run',
    examples: ['doctor --base-url http://localhost:8000/v1 --model my-model', 'doctor --env household'],
    load: async () => (await import('./doctor.js')).doctorCommand(),
  },
  init: {
    group: groups.first,
    summary: 'ask what to play and write an experiment; or a starter for something of your own',
    examples: ['init', 'init perturbation shorter', 'init environment my-world'],
    load: async () => (await import('./init.js')).initCommand(),
  },
  validate: {
    group: groups.own,
    summary: 'check on real tasks what perturbations promise, including your own',
    examples: ['validate --plugin shorter.ts', 'validate --env household --perturb synonyms,item-style --json'],
    load: async () => (await import('./validate.js')).validateCommand(),
  },
  play: {
    group: groups.own,
    summary: 'play a task by hand, or replay lists of actions',
    examples: ['play household --perturb synonyms', 'play babyai --list'],
    load: async () => (await import('./play.js')).playCommand(),
  },
  paraphrase: {
    group: groups.own,
    summary: 'let a model write other wordings, for perturbations of your own',
    examples: [
      'paraphrase --model qwen2.5-7b --base-url http://localhost:8000/v1 --name qwen --out qwen.json',
      'run --env household --plugin qwen.json --perturb qwen-goals,qwen-goals:draw=2 --model reader',
    ],
    load: async () => (await import('./paraphrase.js')).paraphraseCommand(),
  },
  merge: {
    group: groups.many,
    summary: 'join runs, such as the shards of an experiment, into one',
    examples: ['merge runs/shard-1 runs/shard-2 --out runs/all'],
    load: async () => (await import('./merge.js')).mergeCommand(),
  },
  worker: {
    group: groups.many,
    summary: 'play episodes of runs with --queue, on this or another machine',
    examples: [
      'worker --queue redis://localhost:6379',
      "worker --queue 'rediss://:${REDIS_PASSWORD}@queue.lab:6379' --concurrency 16 --run my-run",
    ],
    load: async () => (await import('./worker.js')).workerCommand(),
  },
  queue: {
    group: groups.many,
    summary: 'show, drain or clean the queue of runs with --queue',
    examples: [
      'queue status --queue redis://localhost:6379',
      'queue drain --queue redis://localhost:6379 --run my-run',
    ],
    load: async () => (await import('./queue.js')).queueCommand(),
  },
  shrink: {
    group: groups.why,
    summary: 'find which change lost a task, by playing it again under parts of the changes',
    examples: ['shrink runs/embedded 0a1b2c', 'shrink runs/my-model --all --budget 500'],
    load: async () => (await import('./shrink.js')).shrinkCommand(),
  },
  check: {
    group: groups.ci,
    summary: 'check a run against a baseline: did anything get worse?',
    examples: [
      'check runs/new --baseline baselines/household.json',
      'check runs/new --baseline baselines/household.json --update-baseline --why "new model"',
      'check runs/new --self --margin 0.1',
    ],
    load: async () => (await import('./check.js')).checkCommand(),
  },
  power: {
    group: groups.ci,
    summary: 'estimate from a pilot run how many seeds and tasks a gate needs',
    examples: ['power runs/my-model --margin 0.05'],
    load: async () => (await import('./power.js')).powerCommand(),
  },
  data: {
    group: groups.training,
    summary: 'make, check, filter, export and measure training data',
    examples: [
      'data collect --with-errors 0.3 --vary-wording --count 8000 --out refine.jsonl',
      'data export-sft refine.jsonl --out data --trainer llama-factory',
    ],
    load: async () => (await import('./data.js')).dataCommand(),
  },
  train: {
    group: groups.training,
    summary: 'train a small model on training data, to be played like any other',
    examples: ['train refine.jsonl --out model.json', 'run --env household --model learned:model.json'],
    load: async () => (await import('./train.js')).trainCommand(),
  },
  proxy: {
    group: groups.others,
    summary: 'perturb the conversations between another harness and its model',
    examples: ['proxy --upstream http://localhost:8000/v1 --forms household --perturb synonyms'],
    load: async () => (await import('./proxy.js')).proxyCommand(),
  },
  serve: {
    group: groups.others,
    summary: 'serve a control model as an OpenAI-compatible server',
    examples: ['serve reader parrot --port 8000'],
    load: async () => (await import('./serve.js')).serveCommand(),
  },
}

/** Commands that went, and what to write instead. An entry has no effect while the command is still there. */
const formerCommands: Readonly<Record<string, string>> = {
  aa: 'shaketable check RUN --self',
  audit: 'the script of docs/reproduce.md',
  collect: 'shaketable data collect',
  completion: 'shaketable --help',
  diversity: 'shaketable data diversity',
  'export-sft': 'shaketable data export-sft',
  'filter-ind': 'shaketable data filter-ind',
  'judge-agreement': 'shaketable data agreement',
  search: 'shaketable run --draws N, and its table of draws',
  synthesise: 'shaketable data synthesise',
  verify: 'shaketable data verify',
  'verify-run': 'shaketable runs RUN --check',
  watch: 'shaketable runs RUN --follow',
}

const formerLimits = {
  '--max-calls': '--max calls=N',
  '--max-cost': '--max cost=N',
  '--max-minutes': '--max minutes=N',
  '--max-tokens-total': '--max tokens=N',
}

/** Flags of `shaketable run` that went, and what to write instead. */
const formerRunFlags: Readonly<Record<string, string>> = {
  ...formerLimits,
  '--attempts': '--set attempts=N',
  '--context-tokens': '--set contextTokens=N',
  '--logprobs': '--set logprobs=true',
  '--max-episodes': '--max episodes=N',
  '--missing-servers': '--skip-missing',
  '--name': '--set name=NAME',
  '--pairing': '--set pairing=KIND',
  '--rate': '--set requestsPerMinute=N',
  '--requests-per-minute': '--set requestsPerMinute=N',
  '--seeds-at-zero': '--set seedsAtZero=N',
  '--timeout': '--set timeoutSeconds=N',
  '--tokens-per-minute': '--set tokensPerMinute=N',
}

const formerFlags: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  run: formerRunFlags,
  data: formerLimits,
}

/** Episodes ended in an error, or a law failed. */
const exitBroken = 1
const exitUsage = 2
/** An unexpected error: a code of its own, which no verdict of a run or a gate has. */
const exitUnexpected = 70
/** A server or a queue that does not answer. */
const exitInfrastructure = 4

/**
 * Runs the command line in this thread and sets the exit code. Errors are printed in one line. A command that is not
 * done while nothing is left to wait for is an error too, on the second `beforeExit`: the first may wake it up. So is
 * one that a plug-in ends.
 */
export async function perform(args: readonly string[]): Promise<void> {
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (thrown: unknown) => leave(explain(thrown)))
  }
  let idle = false
  const endUnfinished = (): void => {
    if (idle) leave(explain(unsettledHook() ?? new Error('the command waits for something that does not come')))
    idle = true
    setImmediate(() => undefined)
  }
  const refuseExit = (code: number): void => {
    if (!isLeaving()) process.exitCode = explain(exitOf(code))
  }
  setQuiet(false)
  process.on('beforeExit', endUnfinished)
  process.on('exit', refuseExit)
  process.exitCode = await runCommand(args).catch(explain)
  process.off('beforeExit', endUnfinished)
  process.off('exit', refuseExit)
}

const maxHelpWidth = 100

/** @returns the exit code */
async function runCommand(args: readonly string[]): Promise<number> {
  const names = Object.keys(commands)
  const wanted = args.find((arg) => !arg.startsWith('-') && arg !== 'help')
  const program = await createProgram(wanted)
  if (wanted !== undefined && !names.includes(wanted)) {
    const now = Object.hasOwn(formerCommands, wanted) ? formerCommands[wanted] : undefined
    throw new ShaketableError(
      'usage',
      now === undefined ? unknownName('command', wanted, names) : `'${wanted}' is no command any more. Use ${now}.`,
    )
  }
  const went = formerFlags[wanted ?? ''] ?? {}
  const former = args.map((arg) => arg.split('=')[0]!).find((flag) => Object.hasOwn(went, flag))
  if (former !== undefined)
    throw new ShaketableError('usage', `${former} is no flag of ${wanted!} any more. Give ${went[former]!}.`)
  if (args.length === 0) {
    program.outputHelp()
    return 0
  }
  await program.parseAsync(args, { from: 'user' })
  return Number(process.exitCode ?? 0)
}

/** The program with all commands; only the wanted one has its options. */
export async function createProgram(wanted: string | undefined): Promise<Command> {
  const { version } = createRequire(import.meta.url)('shaketable/package.json') as { version: string }
  const helpWidth = Math.min(maxHelpWidth, process.stdout.columns || maxHelpWidth)
  const program = new Command('shaketable')
    .description('Perturbs the environment of an LLM agent and measures what still works.')
    .version(version)
    .exitOverride()
    .configureHelp({ helpWidth })
    .configureOutput({ writeOut: (text) => process.stdout.write(foldLines(text, helpWidth)) })
    .commandsGroup(groups.tool)
    .helpCommand('help [command]', 'display help for command')
    .showHelpAfterError(
      '(add --help for all options; those of environments are given as --set ENVIRONMENT.OPTION=VALUE)',
    )
    .addHelpText('after', '\nBegin with `shaketable run`: it plays the embedded experiment and needs nothing else.')
  for (const [name, { group, summary, examples, load }] of Object.entries(commands)) {
    const command = name === wanted ? await load() : new Command(name)
    const lines = examples.map((example) => `  shaketable ${example}`).join('\n')
    program.addCommand(command.summary(summary).helpGroup(group).addHelpText('after', `\nExamples:\n${lines}`))
    inheritSettings(command, program)
  }
  return program
}

/** A command, and those within it, end and print as the program does. */
function inheritSettings(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent)
  for (const inner of command.commands) inheritSettings(inner, command)
}

/** Folds the lines of help that are wider; later lines are indented. */
function foldLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrap(line, width, `${/^ */.exec(line)![0]}  `))
    .join('\n')
}

/** Prints an error in one line, unless commander has printed it. @returns the exit code */
export function explain(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : exitUsage
  if (process.env['SHAKETABLE_DEBUG'] === '1' && thrown instanceof Error) console.error(thrown.stack)
  if (thrown instanceof ShaketableError) {
    complain(thrown.message)
    if (thrown.code === 'model' || thrown.code === 'queue') return exitInfrastructure
    return thrown.code === 'environment' ? exitBroken : exitUsage
  }
  const tooFew = tooFewFiles(thrown)
  if (tooFew !== undefined) {
    complain(tooFew)
    return exitUsage
  }
  const message = outsideMessageOf(thrown).replace(/\.$/, '')
  const plugin = thrown instanceof Error ? pluginOf(thrown.stack) : undefined
  if (plugin !== undefined) {
    complain(`The plug-in ${plugin} threw outside of its hooks: ${message}. Correct it there.`)
    return exitUsage
  }
  const others = pluginsLoaded()
  const first = others.length === 0 ? '' : ` If it is not from ${others.join(', ')}:`
  complain(
    `Unexpected error: ${message}.${first} Please report it with the command that you ran and what SHAKETABLE_DEBUG=1 prints.`,
  )
  return exitUnexpected
}
