import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { Command } from 'commander'
import type { Agent } from '../core/agent.js'
import { ShaketableError } from '../core/errors.js'
import type { Model } from '../core/model.js'
import type { OpenedEnvironment } from '../environments/index.js'
import { spreadTasks } from '../environments/spread-tasks.js'
import { writeWhole } from '../files/write-whole.js'
import { parseColumn, placeColumn } from '../run/columns.js'
import { readSettings, settingsFor } from '../run/experiment-flags.js'
import type { Registry } from '../run/registry.js'
import { shipped } from '../run/registry.js'
import type { CollectCounts } from '../training/collect.js'
import { CollectTally, collectInTurn, maxSteps } from '../training/collect.js'
import type { Written } from '../training/create-row-writer.js'
import { createRowWriter } from '../training/create-row-writer.js'
import { mistakeKinds, mistakeWeights } from '../training/mistake.js'
import type { RowFormat } from '../training/row-formats.js'
import { rowFormats } from '../training/row-formats.js'
import type { PluginFlag, SetFlag } from './_flags.js'
import {
  addPluginFlag,
  addSetFlag,
  choice,
  createControl,
  names,
  readPlugins,
  refuseExisting,
  share,
  usageError,
  whole,
} from './_flags.js'
import { escapeLine, number, percent, print, say, version } from './_lines.js'
import { interruptible } from './_signals.js'

interface CollectFlags extends SetFlag, PluginFlag {
  readonly env: readonly string[]
  readonly policy?: string
  readonly agent?: string
  readonly tasks?: number
  readonly count?: number
  readonly withErrors: number
  readonly perturb?: readonly string[]
  readonly varyWording?: boolean
  readonly format: string
  readonly seed: number
  readonly temperature: number
  readonly stepLimit: number
  readonly failures?: boolean
  readonly out: string
  readonly manifest?: string | true
  readonly force?: boolean
}

/** AgentRefine's format: a Player who thinks and acts, and a DM who signals errors. */
export const scriptedFormat = 'agentrefine'

/** Trajectories that are remembered to count repeated ones; bounds memory. */
const maxSeen = 500_000

/** `shaketable data collect --out FILE`: plays tasks with a control model and writes trajectories for training. */
export function collectCommand(): Command {
  const formats = [...rowFormats.map(({ name }) => name), scriptedFormat]
  const kinds = mistakeKinds.map((kind) => `${kind} ${percent(mistakeWeights[kind])}`)
  const models = shipped.list('model').map(({ name }) => name)
  const command = new Command('collect')
    .description(
      'Plays training tasks with a control model and writes the conversations as training data, in the layout of an evaluation. With --with-errors mistakes are made, answered and corrected; mistaken turns are not learned from.',
    )
    .requiredOption('--out <file>', 'file to write the trajectories to')
    .option('--env <names>', 'environments, separated by commas, played in turn', (text) => text.split(','), [
      'household',
    ])
    .option(
      '--policy <name>',
      `the control model that plays: ${models.join(', ')} (default: reader:text in the household, else reader)`,
    )
    .option('--agent <name>', 'layout of the conversations: act, react, … (default: act; react for agentrefine)')
    .option(...whole('--tasks <n>', 'tasks of each environment, all kinds in turn (default: all)', 1, 1_000_000))
    .option(
      ...whole(
        '--count <n>',
        'trajectories to write; tasks are repeated with further seeds (default: each task once)',
        1,
        10_000_000,
      ),
    )
    .option(...share('--with-errors <share>', 'probability of a mistake before each right action', {}, 0))
    .option('--perturb <conditions>', 'conditions that the episodes take in turn, such as none,action-failures', names)
    .option('--vary-wording', 'reword the actions differently in each episode, and nothing else')
    .option(...choice('--format <name>', 'format of the file', formats, 'agentinstruct'))
    .option(...whole('--seed <n>', 'seed of the first round of tasks; each further round adds 1', 0, 1_000_000_000, 0))
    .option(...share('--temperature <t>', 'temperature of the policy, 0 to 2', { to: 2 }, 0))
    .option(...whole('--step-limit <n>', `steps of an episode, at most ${String(maxSteps)}`, 1, maxSteps, 40))
    .option('--failures', 'also keep episodes that did not succeed')
    .option('--manifest [file]', 'write a description of how the file was collected (default: beside --out)')
    .option('--force', 'replace existing files')
  return addSetFlag(addPluginFlag(command))
    .addHelpText(
      'after',
      `
Unless --set ENVIRONMENT.split says otherwise, training tasks are played.

Mistakes, when all kinds are possible: ${kinds.join(', ')}.`,
    )
    .action(run)
}

async function run(flags: CollectFlags): Promise<void> {
  const { out, force } = flags
  const registry = await readPlugins(flags)
  const format = rowFormats.find(({ name }) => name === flags.format)
  const agent = findTextAgent(registry, flags.agent ?? (format === undefined ? 'react' : 'act'))
  if (format === undefined && agent.name !== 'react') {
    throw usageError(
      `--agent: expected react, the layout with the thoughts and actions that ${scriptedFormat} needs, got '${agent.name}'. Leave it out.`,
    )
  }
  if (flags.withErrors > 0) refuseWithoutLoss(format)
  const usual = flags.env.every((name) => name === 'household') ? 'reader:text' : 'reader'
  const policy = createControl(flags.policy ?? usual, registry)
  const manifest = flags.manifest === true ? `${out}.manifest.json` : flags.manifest
  for (const path of [out, manifest]) if (path !== undefined) refuseExisting(path, force)
  if (manifest === out) throw usageError(`--manifest and --out are both ${out}. Give one of them another path.`)
  const plan = { policy, agent, format }
  const collected = await interruptible((signal) => collectFile(flags, plan, registry, signal))
  if (collected === undefined) return
  if (manifest !== undefined) writeWhole(manifest, manifestOf(flags, plan, collected), 'Give --manifest another path')
  await print(describeCollected(collected, flags, manifest))
}

/** An agent whose layout is text alone. @throws ShaketableError `usage` for one that offers functions */
export function findTextAgent(registry: Registry, name: string): Agent {
  const agent = registry.find('agent', name)
  if (!agent.offersFunctions) return agent
  throw usageError(
    `--agent: expected a layout in text, since training data has no function calls, got '${name}'. Give act or react.`,
  )
}

/** Mistakes need a format that says which turns are learned from. */
export function refuseWithoutLoss(format: RowFormat | undefined): void {
  if (format?.loss !== 'none') return
  throw usageError(
    `--format: '${format.name}' cannot mark turns that are not learned from, and mistakes need that mark. Choose agentinstruct.`,
  )
}

interface Plan {
  readonly policy: Model
  readonly agent: Agent
  /** Undefined for AgentRefine's format. */
  readonly format: RowFormat | undefined
}

interface CollectedFile {
  readonly counts: CollectCounts
  readonly written: Written
  readonly environments: readonly { readonly name: string; readonly version: string; readonly tasks: number }[]
}

async function collectFile(
  flags: CollectFlags,
  { policy, agent, format }: Plan,
  registry: Registry,
  signal: AbortSignal,
): Promise<CollectedFile> {
  const { count, env, seed, stepLimit, temperature, withErrors: errors } = flags
  const settings = readSettings(flags.set)
  const known = registry.list('lens')
  const sources = []
  for (const name of env) {
    const environment = await openTraining(registry, name, settingsFor(name, settings, env))
    const tasks = spreadTasks(environment.tasks).slice(0, flags.tasks ?? Infinity)
    if (tasks.length === 0)
      throw new ShaketableError('bad-input', `The environment '${name}' has no tasks with these options.`)
    const conditions = flags.perturb?.map((text) => placeColumn(parseColumn(text, known), [name], known))
    sources.push({ environment, tasks, ...(conditions && { conditions }) })
  }
  const trajectories = collectInTurn(sources, {
    policy,
    agent,
    seed,
    stepLimit,
    errors,
    temperature,
    ...(count !== undefined && { count }),
    varyWording: flags.varyWording ?? false,
    failures: flags.failures ?? false,
    scripted: format === undefined,
    signal,
  })
  const writer = createRowWriter(flags.out, format ?? 'lines')
  try {
    const tally = new CollectTally()
    const seen = new Set<string>()
    for await (const one of trajectories) {
      const { row, scripted } = one
      const fingerprint = createHash('sha256')
        .update(JSON.stringify(row?.turns ?? ''))
        .digest('base64')
        .slice(0, 16)
      tally.add(one, seen.has(fingerprint))
      if (seen.size < maxSeen) seen.add(fingerprint)
      if (row !== undefined && scripted === undefined) writer.write(row)
      else if (row !== undefined) writer.writeRaw(JSON.stringify({ id: row.id, ...row.labels, turns: scripted }))
      await setImmediate()
      signal.throwIfAborted()
    }
    const written = writer.finish()
    if (written.records === 0) {
      throw new ShaketableError(
        'environment',
        `None of ${number(tally.result().played)} episodes succeeded, so nothing was kept. Choose another policy, or give --failures.`,
      )
    }
    writer.close()
    const environments = sources.map(({ environment: { name, version }, tasks }) => {
      return { name, version, tasks: tasks.length }
    })
    return { counts: tally.result(), written, environments }
  } finally {
    writer.abandon()
  }
}

/** Opens an environment on its training tasks, or, with a note, on all tasks if its options have no training split. */
async function openTraining(
  registry: Registry,
  name: string,
  options: Readonly<Record<string, string>>,
): Promise<OpenedEnvironment> {
  const kind = registry.find('environment', name)
  if (options['split'] !== undefined) return kind.open(options)
  try {
    return await kind.open({ ...options, split: 'train' })
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError) || thrown.code !== 'usage') throw thrown
    const environment = await kind.open(options)
    say(`${name}: no training split with these options; all tasks are played.`)
    return environment
  }
}

/** Everything needed to collect the same file again. */
function manifestOf(flags: CollectFlags, { policy, agent }: Plan, collected: CollectedFile): string {
  const { format, count, seed, temperature, stepLimit, withErrors, varyWording = false, failures = false } = flags
  const { perturb } = flags
  const { counts, written, environments } = collected
  const manifest = {
    schema: 1,
    shaketable: version,
    environments,
    options: readSettings(flags.set),
    policy: policy.name,
    policySettings: policy.settings,
    agent: agent.name,
    agentSettings: agent.settings,
    format,
    ...(count !== undefined && { count }),
    seed,
    temperature,
    stepLimit,
    withErrors,
    ...(withErrors > 0 && { mistakeWeights }),
    ...(perturb && { perturb }),
    varyWording,
    failures,
    counts,
    written,
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

function describeCollected(
  { counts, written }: CollectedFile,
  { count = 0, out }: CollectFlags,
  manifest: string | undefined,
): string {
  const { played, succeeded, repeated, turns, masked, mistaken, mistakes } = counts
  const made = mistakeKinds.reduce((sum, kind) => sum + mistakes[kind], 0)
  const kinds = mistakeKinds.map((kind) => `${kind} ${number(mistakes[kind])}`)
  const files = [`${out} (${number(written.bytes)} bytes)`, ...(manifest === undefined ? [] : [manifest])]
  return [
    `${number(written.records)} trajectories of ${number(played)} episodes; ${number(succeeded)} succeeded (${percent(succeeded / played)})`,
    written.records < count &&
      `  fewer than the requested ${number(count)}: the policy succeeds too rarely, so collecting stopped`,
    repeated > 0 && `  ${number(repeated)} of them repeat an earlier one`,
    `turns of the policy: ${number(turns)}; ${number(masked)} are not learned from (${percent(masked / turns)})`,
    made > 0 && `mistakes: ${number(made)} in ${number(mistaken)} trajectories: ${kinds.join(', ')}`,
    escapeLine(`Wrote ${files.join(' and ')}`),
  ]
    .filter((line) => line !== false)
    .join('\n')
}
