import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Command } from 'commander'
import type { Collected, CollectCounts } from '../training/collect.js'
import { collectInTurn, maxSteps, CollectTally } from '../training/collect.js'
import { mistakeKinds, mistakeWeights } from '../training/mistake.js'
import { ShaketableError } from '../core/errors.js'
import type { RowWriter, Written } from '../training/create-row-writer.js'
import { createRowWriter } from '../training/create-row-writer.js'
import { rowFormats } from '../training/row-formats.js'
import type { OpenedEnvironment } from '../environments/index.js'
import { spreadTasks } from '../environments/spread-tasks.js'
import { writeWhole } from '../files/write-whole.js'
import { readSettings, settingsFor } from '../run/experiment-flags.js'
import type { Registry } from '../run/registry.js'
import { shipped } from '../run/registry.js'
import type { CollectFlags, CollectPlan } from './_collect-plan.js'
import { readCollectPlan, scriptedFormat } from './_collect-plan.js'
import { addSetFlag, addPluginFlag, readPlugins, share, whole } from './_flags.js'
import { escapeLine, number, percent, print, say, version } from './_lines.js'
import { interruptible } from './_signals.js'

/** Trajectories that are remembered to count repeated ones; bounds memory. */
const maxSeen = 500_000

/** `shaketable data collect --out FILE`: plays tasks with a control model and writes trajectories for training. */
export function collectCommand(): Command {
  const formats = [...rowFormats.map(({ name }) => name), scriptedFormat]
  const kinds = mistakeKinds.map((kind) => `${kind} ${percent(mistakeWeights[kind])}`)
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
      `the control model that plays: ${shipped
        .list('model')
        .map(({ name }) => name)
        .join(', ')} (default: reader:text in the household, else reader)`,
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
    .option('--vary-wording', 'reword the actions differently in each episode, and nothing else')
    .option('--format <name>', `format of the file: ${formats.join(', ')}`, 'agentinstruct')
    .option(...whole('--seed <n>', 'seed of the first round of tasks; each further round adds 1', 0, 1_000_000_000, 0))
    .option('--temperature <t>', 'temperature of the policy, 0 to 2', '0')
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

async function run(options: CollectFlags): Promise<void> {
  const { out, force = false } = options
  const registry = await readPlugins(options)
  const plan = readCollectPlan(options, registry)
  const manifest = options.manifest === true ? `${out}.manifest.json` : options.manifest
  for (const path of [out, manifest]) {
    if (path === undefined || force || !existsSync(path)) continue
    throw new ShaketableError('usage', `${path} exists already. Give another path, or --force to replace it.`)
  }
  if (manifest === out) {
    throw new ShaketableError('usage', `--manifest and --out are both ${out}. Give one of them another path.`)
  }
  const collected = await interruptible((signal) => collectFile(options, plan, registry, signal))
  if (collected === undefined) return
  if (manifest !== undefined) writeWhole(manifest, manifestOf(options, plan, collected), 'Give --manifest another path')
  await print(describeCollected(collected, plan, out, manifest))
}

async function collectFile(
  options: CollectFlags,
  plan: CollectPlan,
  registry: Registry,
  signal: AbortSignal,
): Promise<CollectedFile> {
  const { count, maxTasks, format, ...playing } = plan
  const flags = readSettings(options.set)
  const sources = []
  for (const name of options.env) {
    const environment = await openTraining(registry, name, settingsFor(name, flags, options.env))
    const tasks = spreadTasks(environment.tasks).slice(0, maxTasks)
    if (tasks.length === 0) {
      throw new ShaketableError('bad-input', `The environment '${name}' has no tasks with these options.`)
    }
    sources.push({ environment, tasks })
  }
  const trajectories = collectInTurn(sources, {
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
    for await (const one of trajectories) {
      const fingerprint = createHash('sha256')
        .update(JSON.stringify(one.row?.turns ?? ''))
        .digest('base64')
        .slice(0, 16)
      tally.add(one, seen.has(fingerprint))
      if (seen.size < maxSeen) seen.add(fingerprint)
      write(writer, one)
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

function write(writer: RowWriter, { row, scripted }: Collected): void {
  if (row === undefined) return
  if (scripted === undefined) writer.write(row)
  else writer.writeRaw(JSON.stringify({ id: row.id, ...row.labels, turns: scripted }))
}

interface CollectedFile {
  readonly counts: CollectCounts
  readonly written: Written
  readonly environments: readonly { readonly name: string; readonly version: string; readonly tasks: number }[]
}

/** Everything needed to collect the same file again. */
function manifestOf(
  options: CollectFlags,
  plan: CollectPlan,
  { counts, written, environments }: CollectedFile,
): string {
  const { policy, agent, seed, errors, temperature, stepLimit, count } = plan
  const manifest = {
    schema: 1,
    shaketable: version,
    environments,
    options: readSettings(options.set),
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

function describeCollected(
  { counts, written }: CollectedFile,
  { count = 0 }: CollectPlan,
  out: string,
  manifest: string | undefined,
): string {
  const { played, succeeded, repeated, turns, masked, mistaken, mistakes } = counts
  const made = mistakeKinds.reduce((sum, kind) => sum + mistakes[kind], 0)
  return [
    `${number(written.records)} trajectories of ${number(played)} episodes; ${number(succeeded)} succeeded (${percent(succeeded / played)})`,
    ...(written.records >= count
      ? []
      : [`  fewer than the requested ${number(count)}: the policy succeeds too rarely, so collecting stopped`]),
    ...(repeated === 0 ? [] : [`  ${number(repeated)} of them repeat an earlier one`]),
    `turns of the policy: ${number(turns)}; ${number(masked)} are not learned from (${percent(masked / turns)})`,
    ...(made === 0
      ? []
      : [
          `mistakes: ${number(made)} in ${number(mistaken)} trajectories: ${mistakeKinds.map((kind) => `${kind} ${number(mistakes[kind])}`).join(', ')}`,
        ]),
    `Wrote ${escapeLine(out)} (${number(written.bytes)} bytes)${manifest === undefined ? '' : ` and ${escapeLine(manifest)}`}`,
  ].join('\n')
}
