import { setImmediate } from 'node:timers/promises'
import type { Agent } from '../core/agent.js'
import { ShaketableError } from '../core/errors.js'
import { spreadTasks } from '../environments/spread-tasks.js'
import { parseCondition, placeCondition } from '../run/conditions.js'
import { type Registry, shipped } from '../run/registry.js'
import { collectInTurn, createTally } from '../training/collect.js'
import { createRowWriter } from '../training/create-row-writer.js'
import { mistakeKinds, mistakeWeights } from '../training/mistake.js'
import { rowFormats } from '../training/row-formats.js'
import type { OptionsOf } from './_flags.js'
import * as flag from './_flags.js'
import { number, percent, printLines, say } from './_lines.js'
import { stopSignal } from './_signals.js'

/** The formats of training data that are written for any environment. */
export const formatNames: readonly string[] = rowFormats.map(({ name }) => name)

const policies = shipped.list('model').map(({ name }) => name)
const countHelp = 'trajectories to write; tasks are repeated with further seeds (default: each task once)'
const flags = [
  flag.required('--out <file>', 'file to write the trajectories to'),
  ['--env <names>', 'environments, separated by commas, played in turn (default: household)', flag.names],
  ['--policy <name>', `control model: ${policies.join(', ')} (default: reader:text in the household, else reader)`],
  ['--agent <name>', 'layout of the conversations: act, react, …', undefined, 'act'],
  flag.whole('--tasks <n>', 'tasks of each environment, all kinds in turn (default: all)', 1, 1_000_000),
  flag.whole('--count <n>', countHelp, 1, 10_000_000),
  flag.share('--with-errors <share>', 'probability of a mistake before each right action', 0, 1, 0),
  ['--perturb <conditions>', 'conditions that the episodes take in turn, such as none,action-failures', flag.names],
  ['--vary-wording', 'reword the actions differently in each episode, and nothing else'],
  flag.choice('--format <name>', 'format of the file', formatNames, 'agentinstruct'),
  flag.whole('--seed <n>', 'seed of the first round of tasks; each further round adds 1', 0, 1_000_000_000, 0),
  flag.share('--temperature <t>', 'temperature of the policy, 0 to 2', 0, 2, 0),
  ['--force', 'replace existing files'],
  ...flag.environmentFlags,
] as const

/** `shaketable data collect --out FILE`: plays tasks with a control model and writes trajectories for training. */
export const collectCommand = () =>
  flag.makeCommand({
    flags,
    below: `Unless --set ENVIRONMENT.split says otherwise, training tasks are played.

Mistakes, when all kinds are possible: ${mistakeKinds.map((kind) => `${kind} ${percent(mistakeWeights[kind])}`).join(', ')}.`,
    run,
  })

const stepLimit = 40

async function run(options: OptionsOf<typeof flags>): Promise<void> {
  const { out, env = ['household'], count, seed, temperature, varyWording = false } = options
  const registry = await flag.readPlugins(options)
  const agent = findTextAgent(registry, options.agent)
  const usual = env.every((name) => name === 'household') ? 'reader:text' : 'reader'
  const policy = flag.createControl(options.policy ?? usual, registry)
  flag.refuseExisting(out, options.force)
  const playing = {
    ...{ policy, agent, seed, stepLimit, temperature, varyWording, failures: false },
    ...{ errors: options.withErrors, ...(count !== undefined && { count }) },
  }
  const { counts, add } = createTally()
  const stop = stopSignal()
  const sources = []
  for (const name of env) sources.push(await openSource(name, registry, options))
  const writer = createRowWriter(out, options.format)
  let written: ReturnType<typeof writer.close>
  try {
    for await (const collected of collectInTurn(sources, playing)) {
      add(collected)
      if (collected.row !== undefined) writer.write(collected.row)
      await setImmediate()
      stop.throwIfAborted()
    }
    if (counts.kept === 0)
      throw new ShaketableError(
        'environment',
        `None of ${number(counts.played)} episodes succeeded, so nothing was kept. Choose another policy.`,
      )
    written = writer.close()
  } finally {
    writer.abandon()
  }
  const { played, succeeded, turns, masked, mistaken, mistakes } = counts
  const made = mistakeKinds.reduce((sum, kind) => sum + mistakes[kind], 0)
  const kinds = mistakeKinds.map((kind) => `${kind} ${number(mistakes[kind])}`)
  await printLines([
    `${number(written.records)} trajectories of ${number(played)} episodes; ${number(succeeded)} succeeded (${percent(succeeded / played)})`,
    written.records < (count ?? 0) &&
      `  fewer than the requested ${number(count!)}: the policy succeeds too rarely, so collecting stopped`,
    `turns of the policy: ${number(turns)}; ${number(masked)} are not learned from (${percent(masked / turns)})`,
    made > 0 && `mistakes: ${number(made)} in ${number(mistaken)} trajectories: ${kinds.join(', ')}`,
    `Wrote ${out} (${number(written.bytes)} bytes)`,
  ])
}

/** An agent whose layout is text alone. @throws ShaketableError `usage` for one that offers functions */
export function findTextAgent(registry: Registry, name: string): Agent {
  const agent = registry.find('agent', name)
  if (!agent.offersFunctions) return agent
  throw flag.usageError(
    `--agent: expected a layout in text, since training data has no function calls, got '${name}'. Give act or react.`,
  )
}

/**
 * The tasks of an environment that are played, and the conditions that they take in turn: its training tasks, unless
 * `--set` chooses a split, or it has none.
 */
async function openSource(name: string, registry: Registry, options: OptionsOf<typeof flags>) {
  const { set = [], env } = options
  const hasSplit = Object.hasOwn(registry.find('environment', name).options, 'split')
  const training = hasSplit && !set.some((text) => text.startsWith(`${name}.split=`)) ? [`${name}.split=train`] : []
  const environment = await flag.openNamed(registry, name, { set: [...set, ...training] }, env)
  if (!hasSplit) say(`${name}: it has no training split; all tasks are played.`)
  const tasks = spreadTasks(environment.tasks).slice(0, options.tasks ?? Infinity)
  const known = registry.list('lens')
  const conditions = options.perturb?.map((text) => placeCondition(parseCondition(text, known), [name], known))
  return { environment, tasks, ...(conditions && { conditions }) }
}
