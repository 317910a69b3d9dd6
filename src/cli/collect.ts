import { setImmediate } from 'node:timers/promises'
import type { Agent } from '../core/agent.js'
import { ShaketableError } from '../core/errors.js'
import type { OpenedEnvironment } from '../environments/index.js'
import { spreadTasks } from '../environments/spread-tasks.js'
import { parseCondition, placeCondition } from '../run/conditions.js'
import { readSettings, settingsFor } from '../run/experiment-flags.js'
import type { Registry } from '../run/registry.js'
import { shipped } from '../run/registry.js'
import type { CollectInTurnOptions } from '../training/collect.js'
import { collectInTurn, createTally, maxSteps } from '../training/collect.js'
import { createRowWriter } from '../training/create-row-writer.js'
import { mistakeKinds, mistakeWeights } from '../training/mistake.js'
import { rowFormats } from '../training/row-formats.js'
import type { OptionsOf } from './_flags.js'
import {
  choice,
  createControl,
  environmentFlags,
  makeCommand,
  names,
  readPlugins,
  refuseExisting,
  required,
  share,
  usageError,
  whole,
} from './_flags.js'
import { number, percent, print, say, textOf } from './_lines.js'
import { interruptible } from './_signals.js'

/** The formats of training data that are written for any environment. */
export const formatNames: readonly string[] = rowFormats.map(({ name }) => name)

const countHelp = 'trajectories to write; tasks are repeated with further seeds (default: each task once)'
const flags = [
  required('--out <file>', 'file to write the trajectories to'),
  ['--env <names>', 'environments, separated by commas, played in turn (default: household)', names],
  [
    '--policy <name>',
    `the control model that plays: ${shipped
      .list('model')
      .map(({ name }) => name)
      .join(', ')} (default: reader:text in the household, else reader)`,
  ],
  ['--agent <name>', 'layout of the conversations: act, react, …', undefined, 'act'],
  whole('--tasks <n>', 'tasks of each environment, all kinds in turn (default: all)', 1, 1_000_000),
  whole('--count <n>', countHelp, 1, 10_000_000),
  share('--with-errors <share>', 'probability of a mistake before each right action', {}, 0),
  ['--perturb <conditions>', 'conditions that the episodes take in turn, such as none,action-failures', names],
  ['--vary-wording', 'reword the actions differently in each episode, and nothing else'],
  choice('--format <name>', 'format of the file', formatNames, 'agentinstruct'),
  whole('--seed <n>', 'seed of the first round of tasks; each further round adds 1', 0, 1_000_000_000, 0),
  share('--temperature <t>', 'temperature of the policy, 0 to 2', { to: 2 }, 0),
  whole('--step-limit <n>', `steps of an episode, at most ${String(maxSteps)}`, 1, maxSteps, 40),
  ['--failures', 'also keep episodes that did not succeed'],
  ['--force', 'replace existing files'],
  ...environmentFlags,
] as const

/** `shaketable data collect --out FILE`: plays tasks with a control model and writes trajectories for training. */
export const collectCommand = () =>
  makeCommand(
    'collect',
    'Plays training tasks with a control model and writes the conversations as training data, in the layout of an evaluation. With --with-errors mistakes are made, answered and corrected; mistaken turns are not learned from.',
    {
      flags,
      below: `Unless --set ENVIRONMENT.split says otherwise, training tasks are played.

Mistakes, when all kinds are possible: ${mistakeKinds.map((kind) => `${kind} ${percent(mistakeWeights[kind])}`).join(', ')}.`,
      run,
    },
  )

async function run(options: OptionsOf<typeof flags>): Promise<void> {
  const { out, env = ['household'], force, count, seed, temperature, stepLimit, withErrors, perturb } = options
  const { varyWording = false, failures = false } = options
  const registry = await readPlugins(options)
  const agent = findTextAgent(registry, options.agent)
  const usual = env.every((name) => name === 'household') ? 'reader:text' : 'reader'
  const policy = createControl(options.policy ?? usual, registry)
  refuseExisting(out, force)
  const settings = readSettings(options.set)
  const known = registry.list('lens')
  const playing = {
    ...{ policy, agent, seed, stepLimit, temperature, varyWording, failures },
    ...(count !== undefined && { count }),
    errors: withErrors,
  }
  const collected = await interruptible(async (signal) => {
    const sources = []
    for (const name of env) {
      const environment = await openTraining(registry, name, settingsFor(name, settings, env))
      const tasks = spreadTasks(environment.tasks).slice(0, options.tasks ?? Infinity)
      if (tasks.length === 0)
        throw new ShaketableError('bad-input', `The environment '${name}' has no tasks with these options.`)
      const conditions = perturb?.map((text) => placeCondition(parseCondition(text, known), [name], known))
      sources.push({ environment, tasks, ...(conditions && { conditions }) })
    }
    return writeCollected(out, options.format, sources, { ...playing, signal })
  })
  if (collected === undefined) return
  const { counts, written } = collected
  const { played, succeeded, turns, masked, mistaken, mistakes } = counts
  const made = mistakeKinds.reduce((sum, kind) => sum + mistakes[kind], 0)
  const kinds = mistakeKinds.map((kind) => `${kind} ${number(mistakes[kind])}`)
  const lines = [
    `${number(written.records)} trajectories of ${number(played)} episodes; ${number(succeeded)} succeeded (${percent(succeeded / played)})`,
    written.records < (count ?? 0) &&
      `  fewer than the requested ${number(count!)}: the policy succeeds too rarely, so collecting stopped`,
    `turns of the policy: ${number(turns)}; ${number(masked)} are not learned from (${percent(masked / turns)})`,
    made > 0 && `mistakes: ${number(made)} in ${number(mistaken)} trajectories: ${kinds.join(', ')}`,
    `Wrote ${out} (${number(written.bytes)} bytes)`,
  ]
  await print(textOf(lines))
}

/** An agent whose layout is text alone. @throws ShaketableError `usage` for one that offers functions */
export function findTextAgent(registry: Registry, name: string): Agent {
  const agent = registry.find('agent', name)
  if (!agent.offersFunctions) return agent
  throw usageError(
    `--agent: expected a layout in text, since training data has no function calls, got '${name}'. Give act or react.`,
  )
}

/** Plays and writes the episodes. */
async function writeCollected(
  out: string,
  format: string,
  sources: Parameters<typeof collectInTurn>[0],
  options: CollectInTurnOptions & { readonly signal: AbortSignal },
) {
  const writer = createRowWriter(out, format)
  try {
    const { counts, add } = createTally()
    for await (const one of collectInTurn(sources, options)) {
      add(one)
      if (one.row !== undefined) writer.write(one.row)
      await setImmediate()
      options.signal.throwIfAborted()
    }
    if (counts.kept === 0) {
      throw new ShaketableError(
        'environment',
        `None of ${number(counts.played)} episodes succeeded, so nothing was kept. Choose another policy, or give --failures.`,
      )
    }
    return { counts, written: writer.close() }
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
