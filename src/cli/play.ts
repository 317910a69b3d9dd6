import { createInterface } from 'node:readline'
import { Command } from 'commander'
import { closingWorlds } from '../core/close-worlds.js'
import type { Task, Turn } from '../core/environment.js'
import { ShaketableError } from '../core/errors.js'
import { perturbWorld } from '../core/perturb.js'
import type { AppliedPerturbation } from '../core/perturbation.js'
import { createRandom } from '../core/random.js'
import { textOf } from '../core/text.js'
import type { EnvironmentKind, OpenedEnvironment } from '../environments/index.js'
import { parseOneColumn, placeColumn } from '../run/columns.js'
import { readSettings, settingsFor } from '../run/experiment-flags.js'
import type { Registry } from '../run/registry.js'
import { shipped } from '../run/registry.js'
import { coloursOf } from '../tables/colours.js'
import type { SetFlag, PluginFlag } from './_flags.js'
import { addSetFlag, addPluginFlag, readPlugins } from './_flags.js'
import { escapeLine, print, say } from './_lines.js'
import { playBatch } from './play-batch.js'

const colours = coloursOf(process.stdout)

interface Options extends SetFlag, PluginFlag {
  readonly engine?: string
  readonly batch?: true
  readonly perturb?: string
  readonly messages?: string
  readonly task?: string
  readonly list?: true
  readonly seed: string
}

/** `shaketable play`: plays a task by hand, or replays lists of actions. */
export function playCommand(): Command {
  const command = new Command('play')
    .description('Plays a task by hand, or replays lists of actions from standard input.')
    .argument(
      '[environment]',
      `one of ${shipped
        .list('environment')
        .map(({ name }) => name)
        .join(', ')}, or one of your own`,
      'household',
    )
  return addSetFlag(addPluginFlag(command))
    .option('--engine <raw>', "raw: the engine's own text, without the rules of the benchmark")
    .option('--batch', 'read {"id", "task", "actions"} as JSON lines and write one JSON line for each')
    .option('--perturb <a+b>', 'apply these perturbations, the first nearest the environment, and show both wordings')
    .option(
      '--messages <agent>',
      'with --batch: add the messages that this agent would send to a model (default with a prompt file: act)',
    )
    .option('--task <id>', 'the task to play by hand, by id or by its number in --list (default: the first)')
    .option('--list', 'list the tasks')
    .option('--seed <text>', 'seed of the perturbations', '0')
    .addHelpText(
      'after',
      `
A line for --batch:
  {"id": 1, "task": "<id>", "actions": ["go to desk 1", "look"]}
With "lists": false the possible actions are left out, which some worlds take long to find.
Without household.data, household takes its games from $ALFWORLD_DATA where that is set.`,
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
          '--engine raw plays the engine alone and takes neither --perturb nor --messages. Leave them out.',
        )
      }
      const registry = await readPlugins(options)
      const environment = await openNamed(registry, name, options)
      if (options.list) await listTasks(environment)
      for (const note of environment.notes) say(`note: ${note}`)
      if (options.list) return
      const applied = readColumn(registry, environment, options)
      const layout =
        options.messages ?? (readSettings(options.set)[name]?.['prompt'] === undefined || raw ? undefined : 'act')
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
  return kind.open({ ...kind.interactiveDefaults?.(), ...settingsFor(name, readSettings(options.set), [name]) })
}

/** The perturbations to apply. @throws ShaketableError `usage` for several conditions */
function readColumn(
  registry: Registry,
  { name, sameActionsAs }: OpenedEnvironment,
  { perturb }: Options,
): readonly AppliedPerturbation[] {
  if (perturb === undefined) return []
  const known = registry.list('lens')
  const spoken = new Map(sameActionsAs === undefined ? [] : [[name, sameActionsAs]])
  return placeColumn(parseOneColumn(perturb, registry), [name], known, spoken).applied
}

/** A task by its id or, unless ids are numbers, by its number in the list. */
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
  const lines = tasks.map(({ id, goal }, index) => escapeLine(`${String(index + 1).padStart(4)}  ${id}  ${goal}`))
  return print(lines.join('\n'))
}

/** What to play by hand. */
export interface TerminalOptions {
  readonly environment: OpenedEnvironment
  readonly task: Task
  /** Nearest the environment first. */
  readonly applied: readonly AppliedPerturbation[]
  readonly raw: boolean
  readonly seed: string
  readonly input?: NodeJS.ReadableStream
  readonly output?: NodeJS.WritableStream
}

/** Plays one task with a person: each line is an action; `quit` or the end of the input ends it. */
export async function playInTerminal(options: TerminalOptions): Promise<void> {
  const session = options.raw ? beginRaw(options) : await beginProtocol(options)
  const { input = process.stdin, output = process.stdout } = options
  const write = (text: string): boolean => output.write(`${text}\n`)
  write(colours.dim(`${options.environment.name}  ${options.task.id}  ('quit' leaves)`))
  write(session.opening)
  const lines = createInterface({ input, output, prompt: '> ' })
  lines.on('SIGINT', () => {
    process.exitCode = 130
    lines.close()
  })
  lines.prompt()
  for await (const line of lines) {
    if (line.trim() === 'quit') break
    const { text, ended } = await session.step(line)
    write(text)
    if (ended) break
    lines.prompt()
  }
  lines.close()
}

interface Session {
  readonly opening: string
  step(action: string): Promise<{ readonly text: string; readonly ended: boolean }>
}

function beginRaw({ environment, task }: TerminalOptions): Session {
  const game = environment.raw?.(task)
  if (game === undefined) {
    throw new ShaketableError(
      'usage',
      `The environment '${environment.name}' has no engine of its own to play. Leave --engine out.`,
    )
  }
  return {
    opening: game.opening,
    step(action) {
      const { observation } = game.step(action)
      return Promise.resolve({ text: observation + (game.won ? colours.green('  won') : ''), ended: false })
    },
  }
}

async function beginProtocol({ environment, task, applied, seed }: TerminalOptions): Promise<Session> {
  const random = createRandom(`${seed}/${task.id}`)
  const world = perturbWorld(await environment.begin(task, random), applied, random)
  const opening = textOf(world.opening)
  return {
    opening: [`Goal: ${world.briefing.goal}`, opening, ...originalNotes(world.originalOpening, opening)].join('\n'),
    async step(line) {
      const action = environment.normalise?.(line) ?? line
      const turn = await world.step(action)
      return { text: describe(action, turn), ended: turn.ended !== false }
    },
  }
}

/** The observation after an action; below it the environment's own wording of both, if different. */
function describe(action: string, turn: Turn): string {
  const seen = textOf(turn.observation)
  const status = `progress ${turn.progress.toFixed(2)}${turn.understood === false ? ', not understood' : ''}`
  const end = turn.ended === false ? [] : [colours.bold(turn.ended)]
  const notes = [...commandNotes(action, turn), ...originalNotes(turn.original, seen), status].map((note) =>
    colours.dim(`  ${note.trim()}`),
  )
  return [seen, ...notes, ...end].join('\n')
}

function commandNotes(action: string, { command, memorised }: Turn): string[] {
  if (command !== undefined) return originalNotes(command, action)
  return [memorised ? 'refused: the old wording' : 'not passed to the environment']
}

function originalNotes(original: string, seen: string): string[] {
  return original === seen ? [] : [`environment: ${original}`]
}
