import { Command, CommanderError } from 'commander'
import { ShaketableError, unknownName } from '../core/errors.js'
import { outsideMessageOf } from '../environments/secrets.js'
import { tooFewFiles } from '../files/write-error.js'
import { wrap } from '../tables/plain.js'
import { usageError, inList } from './_flags.js'
import { complain, setQuiet, version } from './_lines.js'
import { Interrupted, exits } from './_signals.js'

/** A command: its file, which is loaded only when it is used, so that help is fast; a summary; and examples. */
type Entry = readonly [load: () => Promise<object>, summary: string, ...examples: string[]]

/** The commands by what they are for. Examples are command lines without `shaketable`; its help ends with them. */
export const commands: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  'Begin here:': {
    run: [
      () => import('./run.js'),
      'play an experiment, or continue one, and write its reports; without a file or flags the embedded experiment',
      'run --env household --tasks 10 --model reader,parrot --perturb synonyms',
      'run agentrefine-table-3 --base-url http://localhost:8000/v1 --model my-model',
    ],
    report: [
      () => import('./report.js'),
      'write the reports of a run again, or print one; several runs are read as one',
      'report runs/embedded --table robustness --format latex',
      'report runs/shard-1 runs/shard-2 --out report',
    ],
    runs: [
      () => import('./runs.js'),
      'list the runs of a folder with their state and success; show, follow or check one',
      'runs runs/my-model --follow',
    ],
    show: [
      () => import('./show.js'),
      'list the episodes of a run, or read one',
      'show runs/embedded --only model=parrot --outcome step-limit',
      'show runs/embedded 0a1b2c --twin',
    ],
    compare: [
      () => import('./compare.js'),
      'compare two runs, or two models of a run, on the tasks that both have, pair by pair',
      'compare runs/old runs/new',
      'compare runs/embedded --model reader=parrot --format markdown',
    ],
    list: [
      () => import('./list.js'),
      'list environments, perturbations, models, agents, reports, laws and shipped experiments',
      'list environments household',
    ],
    doctor: [
      () => import('./doctor.js'),
      'probe a model server, or an environment: how it behaves, and what that means for a run',
      'doctor --base-url http://localhost:8000/v1 --model my-model',
      'doctor --env household',
    ],
    init: [
      () => import('./init.js'),
      'ask what to play and write an experiment; or a starter for something of your own',
      'init perturbation shorter',
    ],
  },
  'Perturbations, environments and agents of your own:': {
    validate: [
      () => import('./validate.js'),
      'check on real tasks what perturbations promise, including your own; exit code 1 if a law fails',
      'validate --plugin shorter.ts',
      'validate --env household --perturb synonyms,item-style',
    ],
    play: [() => import('./play.js'), 'play a task by hand, an action a line', 'play household --perturb synonyms'],
    paraphrase: [
      () => import('./paraphrase.js'),
      'let a model write other wordings, for perturbations of your own',
      'paraphrase --model qwen2.5-7b --base-url http://localhost:8000/v1 --name qwen --out qwen.json',
      'run --env household --plugin qwen.json --perturb qwen-goals,qwen-goals:draw=2 --model reader',
    ],
  },
  'Many runs and machines:': {
    merge: [
      () => import('./merge.js'),
      'join runs, such as the shards of an experiment, into one, or continue that',
      'merge runs/shard-1 runs/shard-2 --out runs/all',
    ],
    worker: [
      () => import('./queue.js'),
      'play episodes of runs with --queue, on this or another machine; Ctrl-C finishes them first',
      "worker --queue 'rediss://:${REDIS_PASSWORD}@queue.lab:6379' --concurrency 16 --run my-run",
    ],
    queue: [
      () => import('./queue.js'),
      'show, drain or clean the queue of runs with --queue',
      'queue status --queue redis://localhost:6379',
    ],
  },
  'Why a model fails:': {
    shrink: [
      () => import('./shrink.js'),
      'find which change lost a task, by playing it again under parts of the changes',
      'shrink runs/embedded 0a1b2c',
    ],
  },
  'Checks in CI:': {
    check: [
      () => import('./check.js'),
      'check a run against a baseline: did anything get worse by more than a margin?',
      'check runs/new --baseline baselines/household.json',
      'check runs/new --baseline baselines/household.json --update-baseline --why "new model"',
    ],
    power: [
      () => import('./power.js'),
      'estimate from a pilot run how many seeds and tasks a gate needs',
      'power runs/my-model --margin 0.05',
    ],
  },
  'Training data and small models:': {
    data: [
      () => import('./data.js'),
      'make, check, filter, export and measure training data',
      'data collect --with-errors 0.3 --vary-wording --count 8000 --out refine.jsonl',
    ],
    train: [
      () => import('./train.js'),
      'train a small model on training data, to be played like any other: --model learned:FILE',
      'train refine.jsonl --out model.json',
    ],
  },
  'Other harnesses and benchmarks:': {
    proxy: [
      () => import('./proxy.js'),
      'perturb the conversations between another harness and its model, or the tools of an MCP server',
      'proxy --upstream http://localhost:8000/v1 --forms household --perturb synonyms',
    ],
    serve: [
      () => import('./serve.js'),
      'serve control models as an OpenAI-compatible server until Ctrl-C',
      'serve reader parrot --port 8000',
    ],
  },
}

/** Commands that went, and what to write instead. */
const formerCommands: ReadonlyMap<string, string> = new Map([
  ['aa', 'shaketable check RUN --self'],
  ['audit', 'the script of docs/reproduce.md'],
  ['completion', 'shaketable --help'],
  ['judge-agreement', 'shaketable data agreement'],
  ['search', 'shaketable run --draws N, and its table of draws'],
  ['verify-run', 'shaketable runs RUN --check'],
  ['watch', 'shaketable runs RUN --follow'],
  ...['collect', 'diversity', 'export-sft', 'filter-ind', 'synthesise', 'verify'].map(
    (name) => [name, `shaketable data ${name}`] as const,
  ),
])

/** Runs the command line and sets the exit code. Errors are printed in one line. */
export async function perform(args: readonly string[]): Promise<void> {
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (thrown: unknown) => process.exit(explain(thrown)))
  setQuiet(false)
  process.exitCode = await runCommand(args).catch(explain)
}

const maxHelpWidth = 100

/** @returns the exit code */
async function runCommand(args: readonly string[]): Promise<number> {
  const known = Object.values(commands).flatMap((entries) => Object.keys(entries))
  const wanted = args.find((arg) => !arg.startsWith('-') && arg !== 'help') ?? ''
  const program = await createProgram(wanted)
  if (wanted !== '' && !known.includes(wanted)) {
    const now = formerCommands.get(wanted)
    if (now !== undefined) throw usageError(`'${wanted}' is not a command any more. Use ${now}.`)
    throw usageError(unknownName('command', wanted, known))
  }
  if (args.length === 0) program.outputHelp()
  else await program.parseAsync(args, { from: 'user' })
  return Number(process.exitCode ?? 0)
}

/** The program with all commands; only the wanted one has its options. */
export async function createProgram(wanted: string | undefined): Promise<Command> {
  const helpWidth = Math.min(maxHelpWidth, process.stdout.columns || maxHelpWidth)
  const program = new Command('shaketable')
    .description('Perturbs the environment of an LLM agent and measures what still works.')
    .version(version)
    .exitOverride()
    .configureHelp({ helpWidth })
    .configureOutput({ writeOut: (text) => process.stdout.write(foldLines(text, helpWidth)) })
    .commandsGroup('This tool:')
    .helpCommand('help [command]', 'display help for command')
    .showHelpAfterError(
      '(add --help for all options; those of environments are given as --set ENVIRONMENT.OPTION=VALUE)',
    )
    .addHelpText('after', '\nBegin with `shaketable run`: it plays the embedded experiment and needs nothing else.')
  for (const [group, entries] of Object.entries(commands)) {
    for (const [name, [load, summary, ...examples]] of Object.entries(entries)) {
      const file = name === wanted ? ((await load()) as Readonly<Record<string, () => Command>>) : {}
      const command = file[`${name}Command`]?.() ?? new Command()
      program.addCommand(inList(command, name, summary, examples).helpGroup(group))
      inheritSettings(command, program)
    }
  }
  return program
}

/** A command, and those within it, end and print as the program does. */
function inheritSettings(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent)
  for (const subcommand of command.commands) inheritSettings(subcommand, command)
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
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : exits.usage
  if (process.env['SHAKETABLE_DEBUG'] === '1' && thrown instanceof Error) console.error(thrown.stack)
  if (thrown instanceof Interrupted) {
    complain(thrown.message)
    return exits.interrupted
  }
  if (thrown instanceof ShaketableError) {
    complain(thrown.message)
    if (thrown.code === 'model' || thrown.code === 'queue') return exits.stopped
    return thrown.code === 'environment' ? exits.wrong : exits.usage
  }
  const tooFew = tooFewFiles(thrown)
  const message = outsideMessageOf(thrown).replace(/\.$/, '')
  complain(
    tooFew ??
      `Unexpected error: ${message}. If the command reads a run, \`shaketable runs RUN --check\` names what is damaged; else please report it with the command and what SHAKETABLE_DEBUG=1 prints.`,
  )
  return tooFew === undefined ? exits.unexpected : exits.usage
}
