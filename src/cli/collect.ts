import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { Command } from 'commander'
import { baselines } from '../../baselines/index.js'
import { findAgent } from '../agents/index.js'
import type { Collected } from '../collect/collect.js'
import { collectInTurn, mostSteps } from '../collect/collect.js'
import { mistakeKinds, mistakeWeights } from '../collect/mistake.js'
import type { CollectCounts } from '../collect/tally.js'
import { CollectTally } from '../collect/tally.js'
import type { Agent } from '../core/agent.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { Model } from '../core/model.js'
import type { RowWriter, Written } from '../data/formats/create-row-writer.js'
import { createRowWriter } from '../data/formats/create-row-writer.js'
import type { RowFormat } from '../data/formats/row-formats.js'
import { findRowFormat, rowFormats } from '../data/formats/row-formats.js'
import { openEnvironment } from '../environments/index.js'
import { spreadTasks } from '../environments/spread-tasks.js'
import { asWriteError } from '../files/write-error.js'
import { writeWhole } from '../files/write-whole.js'
import { optionsFromFlags } from '../run/environment-flags.js'
import { findControl } from '../run/model-choice.js'
import type { EnvironmentFlagValues } from './_environment-flags.js'
import { addEnvironmentFlags, pickEnvironmentFlags, severalEnvironments } from './_environment-flags.js'
import { harmlessLine } from './_harmless.js'
import { interruptible } from './_interruptible.js'
import { number, percent, print } from './_lines.js'
import { readShare } from './_read-share.js'

interface Options extends EnvironmentFlagValues {
  readonly env: readonly string[]
  readonly policy: string
  readonly agent?: string
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
  readonly manifest?: string | true
  readonly force?: boolean
}

/** AgentRefine's own form: a Player who thinks and acts, and a DM who signals errors. */
const scriptedFormat = 'agentrefine'
/** So many trajectories are remembered in search of repeated ones, so that memory stays bounded. */
const mostSeen = 500_000
const names = (value: string): string[] => value.split(',')

/** `shaketable collect --out FILE`: plays tasks with a control model and writes trajectories for training. */
export function collectCommand(): Command {
  const formats = [...rowFormats.map(({ name }) => name), scriptedFormat]
  const kinds = mistakeKinds.map((kind) => `${kind} ${percent(mistakeWeights[kind])}`)
  const command = new Command('collect')
    .description(
      'Plays training tasks with a control model and writes what was said as training data, laid out as evaluation lays it out. With --with-errors mistakes are made, answered and corrected; mistaken turns are not learned from.',
    )
    .requiredOption('--out <file>', 'where the trajectories go')
    .option('--env <names>', 'environments, separated by commas, taking turns', names, ['household'])
    .option('--policy <name>', `which control plays: ${baselines.map(({ name }) => name).join(', ')}`, 'reader')
    .option('--agent <name>', 'how conversations are laid out: act, react, … (default: act; react for agentrefine)')
    .option('--tasks <n>', 'so many tasks of each environment, of every kind in turn (default: all)')
    .option('--count <n>', 'so many trajectories; tasks are played again with further seeds (default: each task once)')
    .option('--with-errors <share>', 'chance of a mistake before each right action, 0 to 1', '0')
    .option('--vary-wording', 'word the actions anew in each episode, and nothing else')
    .option('--format <name>', `format of the file: ${formats.join(', ')}`, 'agentinstruct')
    .option('--seed <n>', 'seed of the first round of tasks; every further round takes the next', '0')
    .option('--temperature <t>', 'temperature of the policy, 0 to 2', '0')
    .option('--step-limit <n>', `steps of an episode, at most ${String(mostSteps)}`, '40')
    .option('--failures', 'keep what did not succeed too')
    .option('--manifest [file]', 'write down what was collected how (default: beside --out)')
    .option('--force', 'replace files that are there already')
  return addEnvironmentFlags(command)
    .addHelpText(
      'after',
      `${severalEnvironments} Unless --split says otherwise, training tasks are played.

Mistakes, where all kinds are possible: ${kinds.join(', ')}.

Example:
  shaketable collect --with-errors 0.3 --vary-wording --count 8000 --out refine.jsonl
`,
    )
    .action(run)
}

/** What was asked for, read. */
interface Plan {
  readonly policy: Model
  readonly agent: Agent
  /** Undefined for the form of a Player and a DM. */
  readonly format: RowFormat | undefined
  readonly count: number | undefined
  readonly mostTasks: number
  readonly seed: number
  readonly stepLimit: number
  readonly errors: number
  readonly temperature: number
}

async function run(options: Options): Promise<void> {
  const { out, force = false } = options
  const plan = readPlan(options)
  const manifest = options.manifest === true ? `${out}.manifest.json` : options.manifest
  for (const path of [out, manifest]) {
    if (path === undefined || force || !existsSync(path)) continue
    throw new ShaketableError('usage', `${path} is there already. Give another path, or --force to replace it.`)
  }
  if (manifest === out) {
    throw new ShaketableError('usage', `--manifest and --out are both ${out}. Give one of them another path.`)
  }
  const done = await interruptible((signal) => collectFile(options, plan, signal))
  if (done === undefined) return
  if (manifest !== undefined) writeManifest(manifest, makeManifest(options, plan, done))
  await print(describe(done, plan, out, manifest))
}

function readPlan(options: Options): Plan {
  const isScripted = options.format === scriptedFormat
  const format = isScripted ? undefined : findFormat(options.format)
  const agent = findAgent(options.agent ?? (isScripted ? 'react' : 'act'))
  if (agent.name === 'tools' || (isScripted && agent.name !== 'react')) {
    const why = isScripted
      ? `react, the layout of thought and action that ${scriptedFormat} tells`
      : 'a layout in text, since training data holds no function calls'
    throw new ShaketableError('usage', `--agent: expected ${why}, got '${agent.name}'. Give act or react.`)
  }
  const errors = readShare('--with-errors', options.withErrors, {})
  if (errors > 0 && format?.loss === 'none') {
    throw new ShaketableError(
      'usage',
      `--format: '${format.name}' cannot say which turns are not learned from, and mistakes are not. Choose one that can: agentinstruct.`,
    )
  }
  return {
    policy: findPolicy(options.policy),
    agent,
    format,
    count: options.count === undefined ? undefined : readWhole('--count', options.count, 1, 10_000_000),
    mostTasks: options.tasks === undefined ? Infinity : readWhole('--tasks', options.tasks, 1, 1_000_000),
    seed: readWhole('--seed', options.seed, 0, 1_000_000_000),
    stepLimit: readWhole('--step-limit', options.stepLimit, 1, mostSteps),
    errors,
    temperature: readTemperature(options.temperature),
  }
}

function findFormat(name: string): RowFormat {
  if (rowFormats.some((one) => one.name === name)) return findRowFormat(name)
  const known = [...rowFormats.map((one) => one.name), scriptedFormat]
  throw new ShaketableError('usage', unknownName('format of training data', name, known))
}

function findPolicy(name: string): Model {
  const [, ...option] = name.split(':')
  const control = findControl({ name })
  if (control !== undefined) return option.length === 0 ? control.create() : control.create(option.join(':'))
  throw new ShaketableError(
    'usage',
    unknownName(
      'control model',
      name,
      baselines.map((one) => one.name),
    ),
  )
}

/** What came of it. */
interface Done {
  readonly counts: CollectCounts
  readonly written: Written
  readonly environments: readonly { readonly name: string; readonly version: string; readonly tasks: number }[]
}

async function collectFile(options: Options, plan: Plan, signal: AbortSignal): Promise<Done> {
  const { count, mostTasks, format, ...playing } = plan
  const flags = { split: ['train'], ...pickEnvironmentFlags(options) }
  const sources = []
  for (const name of options.env) {
    const environment = await openEnvironment(name, optionsFromFlags(name, flags, options.env))
    const tasks = spreadTasks(environment.tasks).slice(0, mostTasks)
    if (tasks.length === 0) {
      throw new ShaketableError('bad-input', `The environment '${name}' has no tasks with these options.`)
    }
    sources.push({ environment, tasks })
  }
  const collected = collectInTurn(sources, {
    ...playing,
    ...(count !== undefined && { count }),
    varyWording: options.varyWording ?? false,
    failures: options.failures ?? false,
    scripted: format === undefined,
    signal,
  })
  const writer = createRowWriter(options.out, format ?? 'lines')
  try {
    const tally = new CollectTally()
    const seen = new Set<string>()
    for await (const one of collected) {
      const fingerprint = createHash('sha256')
        .update(JSON.stringify(one.row?.turns ?? ''))
        .digest('base64')
        .slice(0, 16)
      tally.add(one, seen.has(fingerprint))
      if (seen.size < mostSeen) seen.add(fingerprint)
      write(writer, one)
      await setImmediate()
      signal.throwIfAborted()
    }
    const written = writer.finish()
    if (written.records === 0) {
      throw new ShaketableError(
        'environment',
        `None of ${number(tally.result().played)} episodes succeeded, so that nothing was kept. Choose another policy, or give --failures.`,
      )
    }
    writer.close()
    const environments = sources.map(({ environment: { name, version }, tasks }) => ({
      name,
      version,
      tasks: tasks.length,
    }))
    return { counts: tally.result(), written, environments }
  } finally {
    writer.abandon()
  }
}

function write(writer: RowWriter, { row, scripted }: Collected): void {
  if (row === undefined) return
  if (scripted === undefined) writer.write(row)
  else writer.writeRaw(JSON.stringify({ id: row.id, ...row.labels, turns: scripted }))
}

/** What was collected how, so that it can be collected again and a paper can say it. */
function makeManifest(options: Options, plan: Plan, { counts, written, environments }: Done): string {
  const { version } = createRequire(import.meta.url)('shaketable/package.json') as { version: string }
  const { policy, agent, seed, errors, temperature, stepLimit, count } = plan
  const manifest = {
    schema: 1,
    shaketable: version,
    environments,
    options: pickEnvironmentFlags(options),
    policy: policy.name,
    policySettings: policy.settings,
    agent: agent.name,
    agentSettings: agent.settings,
    format: options.format,
    ...(count !== undefined && { count }),
    seed,
    temperature,
    stepLimit,
    withErrors: errors,
    ...(errors > 0 && { mistakeWeights }),
    varyWording: options.varyWording ?? false,
    failures: options.failures ?? false,
    counts,
    written,
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

function writeManifest(path: string, text: string): void {
  try {
    writeWhole(path, text)
  } catch (thrown) {
    throw asWriteError(thrown, path, 'Give --manifest another path')
  }
}

function describe({ counts, written }: Done, { count = 0 }: Plan, out: string, manifest: string | undefined): string {
  const { played, succeeded, repeated, turns, masked, mistaken, mistakes } = counts
  const made = mistakeKinds.reduce((sum, kind) => sum + mistakes[kind], 0)
  return [
    `${number(written.records)} trajectories of ${number(played)} episodes, of which ${number(succeeded)} succeeded (${percent(succeeded / played)})`,
    ...(written.records >= count
      ? []
      : [`  fewer than the ${number(count)} that were asked for: the policy succeeds too seldom, so it was given up`]),
    ...(repeated === 0 ? [] : [`  ${number(repeated)} of them say what an earlier one says`]),
    `turns of the policy: ${number(turns)}, of which ${number(masked)} are not learned from (${percent(masked / turns)})`,
    ...(made === 0
      ? []
      : [
          `mistakes: ${number(made)} in ${number(mistaken)} trajectories: ${mistakeKinds.map((kind) => `${kind} ${number(mistakes[kind])}`).join(', ')}`,
        ]),
    `Wrote ${harmlessLine(out)} (${number(written.bytes)} bytes)${manifest === undefined ? '' : ` and ${harmlessLine(manifest)}`}`,
  ].join('\n')
}

function readWhole(flag: string, text: string, from: number, to: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN
  if (value >= from && value <= to) return value
  throw new ShaketableError(
    'usage',
    `${flag}: expected a whole number from ${number(from)} to ${number(to)}, got '${text.slice(0, 100)}'.`,
  )
}

function readTemperature(text: string): number {
  const value = /^\d(?:\.\d{1,6})?$/.test(text) ? Number(text) : NaN
  if (value >= 0 && value <= 2) return value
  throw new ShaketableError('usage', `--temperature: expected a number from 0 to 2, got '${text.slice(0, 100)}'.`)
}
