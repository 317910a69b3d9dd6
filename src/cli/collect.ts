import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { findAgent } from '../agents/index.js'
import type { Collected } from '../collect/collect.js'
import { collect, mostSteps } from '../collect/collect.js'
import { ShaketableError } from '../core/errors.js'
import { createRowWriter } from '../data/formats/create-row-writer.js'
import { findRowFormat, rowFormats } from '../data/formats/row-formats.js'
import { openEnvironment } from '../environments/index.js'
import { spreadTasks } from '../environments/spread-tasks.js'
import { chooseModel } from '../run/choose-model.js'
import { optionsFromFlags } from '../run/environment-flags.js'
import { isServed } from '../run/model-choice.js'
import type { EnvironmentFlagValues } from './_environment-flags.js'
import { addEnvironmentFlags, pickEnvironmentFlags, severalEnvironments } from './_environment-flags.js'
import { harmless } from './_harmless.js'
import { number, print } from './_lines.js'
import { readShare } from './_read-share.js'

interface Options extends EnvironmentFlagValues {
  readonly env: readonly string[]
  readonly policy: string
  readonly agent: string
  readonly tasks?: string
  readonly count?: string
  readonly withErrors: string
  readonly varyWording?: boolean
  readonly format: string
  readonly seed: string
  readonly temperature: string
  readonly stepLimit: string
  readonly failures?: boolean
  readonly out: string
  readonly force?: boolean
}

const exitInterrupted = 130
const names = (value: string): string[] => value.split(',')

/** `shaketable collect --out FILE`: plays tasks with a control model and writes trajectories for training. */
export function collectCommand(): Command {
  const command = new Command('collect')
    .description(
      'Plays tasks with a control model and writes what was said as training data, laid out as evaluation lays it out. With --with-errors mistakes are made, answered and corrected; mistaken turns are not learned from.',
    )
    .option('--env <names>', 'environments, separated by commas, taking turns', names, ['household'])
    .requiredOption('--out <file>', 'where the trajectories go')
    .option('--policy <name>', 'which control plays: oracle, reader, …', 'reader')
    .option('--agent <name>', 'how conversations are laid out: act, react, …', 'act')
    .option('--tasks <n>', 'so many tasks of each environment, of every kind in turn (default: all)')
    .option('--count <n>', 'so many trajectories; tasks are played again with further seeds (default: each task once)')
    .option('--with-errors <share>', 'chance of a mistake before each right action, 0 to 1', '0')
    .option('--vary-wording', 'word the actions anew in each episode')
    .option('--format <name>', `format of the file: ${rowFormats.map(({ name }) => name).join(', ')}`, 'agentinstruct')
    .option('--seed <n>', 'seed of the first round of tasks; every further round takes the next', '0')
    .option('--temperature <t>', 'temperature of the policy', '0')
    .option('--step-limit <n>', `steps of an episode, at most ${String(mostSteps)}`, '40')
    .option('--failures', 'keep what did not succeed too')
    .option('--force', 'replace a file that is there already')
  return addEnvironmentFlags(command)
    .addHelpText(
      'after',
      `${severalEnvironments} Unless --split says otherwise, training tasks are played.

Example:
  shaketable collect --with-errors 0.3 --vary-wording --count 8000 --out refine.jsonl
`,
    )
    .action(run)
}

async function run(options: Options): Promise<void> {
  const { out, force = false } = options
  const format = findRowFormat(options.format)
  const agent = findAgent(options.agent)
  if (agent.name === 'tools') {
    throw new ShaketableError(
      'usage',
      "--agent: expected a layout in text, got 'tools', whose function calls the formats of training data do not hold. Give act or react.",
    )
  }
  const choice = { name: options.policy }
  if (isServed(choice)) {
    // Says which controls there are, and that a name may be mistyped.
    chooseModel(choice, undefined, {})
  }
  const count = options.count === undefined ? undefined : readWhole('--count', options.count, 1, 10_000_000)
  const mostTasks = options.tasks === undefined ? Infinity : readWhole('--tasks', options.tasks, 1, 1_000_000)
  const seed = readWhole('--seed', options.seed, 0, 1_000_000_000)
  const stepLimit = readWhole('--step-limit', options.stepLimit, 1, mostSteps)
  const errors = readShare('--with-errors', options.withErrors, {})
  if (!force && existsSync(out)) {
    throw new ShaketableError('usage', `--out: ${out} is there already. Give another path, or --force to replace it.`)
  }
  if (errors > 0 && format.loss === 'none') {
    throw new ShaketableError(
      'usage',
      `--format: '${format.name}' cannot say which turns are not learned from, and mistakes are not. Choose one that can: agentinstruct.`,
    )
  }
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  const flags = { split: ['train'], ...pickEnvironmentFlags(options) }
  const sources: AsyncGenerator<Collected, never, undefined>[] = []
  let planned = 0
  for (const name of options.env) {
    const environment = await openEnvironment(name, optionsFromFlags(name, flags, options.env))
    const tasks = spreadTasks(environment.tasks).slice(0, mostTasks)
    if (tasks.length === 0) {
      throw new ShaketableError('bad-input', `The environment '${name}' has no tasks with these options.`)
    }
    planned += tasks.length
    sources.push(
      collect({
        environment,
        tasks,
        policy: chooseModel(choice, undefined, {}).model,
        agent,
        seed,
        errors,
        varyWording: options.varyWording ?? false,
        temperature: Number(options.temperature),
        stepLimit,
        failures: options.failures ?? false,
        signal: stop.signal,
      }),
    )
  }
  const writer = createRowWriter(out, format)
  try {
    let played = 0
    let kept = 0
    const most = count === undefined ? planned : 10 * count + 100
    while (played < most && kept < (count ?? Infinity)) {
      const { value } = await sources[played % sources.length]!.next()
      played++
      if (played % 32 === 0) await new Promise((resolve) => setImmediate(resolve))
      if (value.row === undefined) continue
      writer.write(value.row)
      kept++
    }
    writer.close()
    await print(harmless(`Wrote ${number(kept)} of ${number(played)} trajectories to ${out}`))
  } catch (thrown) {
    if (!stop.signal.aborted) throw thrown
    process.stderr.write('Interrupted. Nothing was written.\n')
    process.exitCode = exitInterrupted
  } finally {
    writer.abandon()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  }
}

function readWhole(flag: string, text: string, from: number, to: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN
  if (value >= from && value <= to) return value
  throw new ShaketableError(
    'usage',
    `${flag}: expected a whole number from ${number(from)} to ${number(to)}, got '${text.slice(0, 100)}'.`,
  )
}
