import { Command } from 'commander'
import { closingWorlds } from '../core/close-worlds.js'
import type { EnvironmentKind, OpenedEnvironment } from '../environments/index.js'
import { ShaketableError } from '../core/errors.js'
import type { AppliedPerturbation } from '../core/perturbation.js'
import { parseOneColumn, placeColumn } from '../run/columns.js'
import { optionsFromFlags } from '../run/experiment-flags.js'
import type { Registry } from '../run/registry.js'
import { shipped } from '../run/registry.js'
import type { EnvironmentFlagValues } from './_environment-flags.js'
import { addEnvironmentFlags, pickEnvironmentFlags } from './_environment-flags.js'
import type { PluginFlag } from './_plugin-flag.js'
import { addPluginFlag, readPlugins } from './_plugin-flag.js'
import { playBatch } from './play-batch.js'
import { playInTerminal } from './play-terminal.js'
import { print, say } from './_lines.js'
import { harmlessLine } from './_harmless.js'

interface Options extends EnvironmentFlagValues, PluginFlag {
  readonly engine?: string
  readonly batch?: true
  readonly perturb?: string
  readonly messages?: string
  readonly task?: string
  readonly list?: true
  readonly seed: string
}

/** `shaketable play`: plays tasks by hand, or replays lists of actions and shows what the environment says. */
export function playCommand(): Command {
  const command = new Command('play')
    .description('play a task by hand, or replay lists of actions from standard input')
    .argument(
      '[environment]',
      `one of ${shipped
        .list('environment')
        .map(({ name }) => name)
        .join(', ')}, or one of your own`,
      'household',
    )
  return addEnvironmentFlags(addPluginFlag(command))
    .option('--engine <raw>', "raw: the engine's own text, without the benchmark's protocol")
    .option('--batch', 'read {"id", "task", "actions"} as JSON lines and write one JSON line for each')
    .option(
      '--perturb <a+b>',
      'play through these perturbations, the first nearest the environment, and show both wordings',
    )
    .option(
      '--messages <agent>',
      'with --batch: add what this agent would send to a model (default with --prompt: act)',
    )
    .option('--task <id>', 'the task to play by hand, by id, or by its number in --list (default: the first)')
    .option('--list', 'list the tasks')
    .option('--seed <text>', 'seed of what perturbations draw', '0')
    .addHelpText(
      'after',
      `
A line for --batch:
  {"id": 1, "task": "<id>", "actions": ["go to desk 1", "look"]}
Without --data, household takes its games from $ALFWORLD_DATA where that is set.`,
    )
    .action(async (name: string, options: Options) => {
      if (options.engine !== undefined && options.engine !== 'raw') {
        throw new ShaketableError(
          'usage',
          `--engine takes 'raw', got '${options.engine}'. Leave it out to play by the benchmark's rules.`,
        )
      }
      const raw = options.engine === 'raw'
      if (raw && (options.perturb ?? options.messages) !== undefined) {
        throw new ShaketableError(
          'usage',
          '--engine raw is the bare engine: it takes neither --perturb nor --messages.',
        )
      }
      const registry = await readPlugins(options)
      const environment = await openNamed(registry, name, options)
      if (options.list) await listTasks(environment)
      for (const note of environment.notes) say(`note: ${note}`)
      if (options.list) return
      const applied = readColumn(registry, environment, options)
      const layout = options.messages ?? (options.prompt === undefined || raw ? undefined : 'act')
      const agent = layout === undefined ? undefined : registry.find('agent', layout)
      const shared = { environment, applied, raw, seed: options.seed }
      if (options.batch) await playBatch({ ...shared, agent })
      else {
        const task = findTask(environment, options.task)
        await closingWorlds(environment, (environment) => playInTerminal({ ...shared, environment, task }))
      }
    })
}

function openNamed(registry: Registry, name: string, options: Options): ReturnType<EnvironmentKind['open']> {
  const kind = registry.find('environment', name)
  return kind.open({ ...kind.byHand?.(), ...optionsFromFlags(name, pickEnvironmentFlags(options), [name], registry) })
}

/** @throws ShaketableError `usage` for several conditions, as only one is played by hand */
function readColumn(
  registry: Registry,
  { name, speaks }: OpenedEnvironment,
  { perturb }: Options,
): readonly AppliedPerturbation[] {
  if (perturb === undefined) return []
  const known = registry.list('lens')
  const spoken = new Map(speaks === undefined ? [] : [[name, speaks]])
  return placeColumn(parseOneColumn(perturb, known), [name], known, spoken).applied
}

/** A task by its id, or by its place in the list where ids are no numbers themselves. */
function findTask(environment: OpenedEnvironment, given: string | undefined) {
  const { tasks } = environment
  const areNumbers = tasks.some(({ id }) => isNumber(id))
  if (given !== undefined && (areNumbers || !isNumber(given))) return environment.find(given)
  const task = tasks[Number(given ?? 1) - 1]
  if (task !== undefined) return task
  throw new ShaketableError(
    'usage',
    `There is no task number ${given ?? 1}. Give a number from 1 to ${String(tasks.length)}, or an id; --list shows them.`,
  )
}

const isNumber = (text: string): boolean => /^\d+$/.test(text)

function listTasks({ tasks }: OpenedEnvironment): Promise<void> {
  const lines = tasks.map(({ id, goal }, index) => harmlessLine(`${String(index + 1).padStart(4)}  ${id}  ${goal}`))
  return print(lines.join('\n'))
}
