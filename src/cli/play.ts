import { createInterface } from 'node:readline'
import { closingWorlds } from '../core/close-worlds.js'
import type { Task, Turn } from '../core/environment.js'
import { perturbWorld } from '../core/perturb.js'
import type { AppliedPerturbation } from '../core/perturbation.js'
import { createRandom } from '../core/random.js'
import { textOf } from '../core/text.js'
import type { OpenedEnvironment } from '../environments/index.js'
import { parseOneCondition, placeCondition } from '../run/conditions.js'
import { shipped } from '../run/registry.js'
import { coloursOf } from '../tables/colours.js'
import { type OptionsOf, environmentFlags, makeCommand, openNamed, readPlugins } from './_flags.js'
import { printLines, say } from './_lines.js'

const colours = coloursOf(process.stdout)

const flags = [
  ...environmentFlags,
  ['--perturb <a+b>', 'apply these perturbations, the first nearest the environment', undefined, 'none'],
  ['--task <id>', 'the task to play by hand (default: the first of --list)'],
  ['--list', 'list the tasks'],
  ['--seed <text>', 'seed of the perturbations', undefined, '0'],
] as const

/** `shaketable play`: plays a task by hand. */
export function playCommand() {
  const known = shipped.list('environment').map(({ name }) => name)
  return makeCommand({
    places: [['[environment]', `one of ${known.join(', ')}, or one of your own`, 'household']],
    flags,
    run: play,
  })
}

async function play(name: string, options: OptionsOf<typeof flags>): Promise<void> {
  const { list, perturb, seed } = options
  const registry = await readPlugins(options)
  const environment = await openNamed(registry, name, options)
  const { tasks, notes } = environment
  if (list) await printLines(tasks.map(({ id, goal }) => `${id}  ${goal}`))
  for (const note of notes) say(`note: ${note}`)
  if (list) return
  const condition = parseOneCondition(perturb, registry)
  const { applied } = placeCondition(condition, [environment.name], registry.list('lens'))
  const task = options.task === undefined ? tasks[0]! : environment.find(options.task)
  await closingWorlds(environment, (environment) => playInTerminal({ environment, applied, seed, task }))
  process.stdin.destroy()
}

/** What to play by hand; the perturbation nearest the environment comes first. */
interface TerminalOptions {
  readonly environment: OpenedEnvironment
  readonly task: Task
  readonly applied: readonly AppliedPerturbation[]
  readonly seed: string
  readonly input?: NodeJS.ReadableStream
  readonly output?: NodeJS.WritableStream
}

/** Plays one task with a person: each line is an action; `quit` or the end of the input ends it. */
export async function playInTerminal(options: TerminalOptions): Promise<void> {
  const { environment, task, applied, seed, input = process.stdin, output = process.stdout } = options
  const write = (...lines: string[]): boolean => output.write(lines.map((line) => `${line}\n`).join(''))
  const random = createRandom(`${seed}/${task.id}`)
  const world = perturbWorld(await environment.begin(task, random), applied, random)
  const opening = textOf(world.opening)
  write(colours.dim(`${environment.name}  ${task.id}  ('quit' leaves)`))
  write(`Goal: ${world.briefing.goal}`, opening, ...originalNotes(world.originalOpening, opening))
  const lines = createInterface({ input, output, prompt: '> ' })
  lines.on('SIGINT', () => {
    process.exitCode = 130
    lines.close()
  })
  lines.prompt()
  for await (const line of lines) {
    if (line.trim() === 'quit') break
    const action = environment.normalise?.(line) ?? line
    const turn = await world.step(action)
    write(...describe(action, turn))
    if (turn.ended !== false) break
    lines.prompt()
  }
  lines.close()
}

/** The observation after an action; below it the environment's own wording of both, if different. */
function describe(action: string, turn: Turn): string[] {
  const { command, memorised, original, progress, understood, ended } = turn
  const seen = textOf(turn.observation)
  const refused = memorised ? 'refused: the old wording' : 'not passed to the environment'
  const notes = [
    ...(command === undefined ? [refused] : originalNotes(command, action)),
    ...originalNotes(original, seen),
    `progress ${progress.toFixed(2)}${understood === false ? ', not understood' : ''}`,
  ]
  return [seen, ...notes.map((note) => colours.dim(`  ${note}`)), ...(ended === false ? [] : [colours.bold(ended)])]
}

function originalNotes(original: string, seen: string): string[] {
  return original === seen ? [] : [`environment: ${original}`]
}
