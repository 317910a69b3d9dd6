import { createInterface } from 'node:readline'
import colours from 'picocolors'
import type { Task, Turn } from '../core/environment.js'
import { perturbWorld } from '../core/perturb.js'
import type { AppliedPerturbation } from '../core/perturbation.js'
import { createRandom } from '../core/random.js'
import { textOf } from '../core/text.js'
import type { OpenedEnvironment } from '../environments/index.js'
import { ShaketableError } from '../core/errors.js'

/** What is played by hand. */
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

/** One task played by a person: a line is an action; `quit` or the end of the input leaves. */
export async function playInTerminal(options: TerminalOptions): Promise<void> {
  const session = options.raw ? beginRaw(options) : await beginProtocol(options)
  const { input = process.stdin, output = process.stdout } = options
  const say = (text: string): boolean => output.write(`${text}\n`)
  say(colours.dim(`${options.environment.name}  ${options.task.id}  ('quit' leaves)`))
  say(session.opening)
  const lines = createInterface({ input, output, prompt: '> ' })
  lines.on('SIGINT', () => {
    process.exitCode = 130
    lines.close()
  })
  lines.prompt()
  for await (const line of lines) {
    if (line.trim() === 'quit') break
    const { text, ended } = await session.step(line)
    say(text)
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
      `The environment '${environment.name}' has no engine below its protocol. Leave --engine out.`,
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
    opening: [`Goal: ${world.briefing.goal}`, opening, ...beneath(world.originalOpening, opening)].join('\n'),
    async step(line) {
      const action = environment.normalise?.(line) ?? line
      const turn = await world.step(action)
      return { text: describe(action, turn), ended: turn.ended !== false }
    },
  }
}

/** What came of an action, and under it how the environment worded both, where it worded them differently. */
function describe(action: string, turn: Turn): string {
  const seen = textOf(turn.observation)
  const said = turn.command === undefined ? ['refused for its wording'] : beneath(turn.command, action)
  const status = `progress ${turn.progress.toFixed(2)}${turn.understood === false ? ', not understood' : ''}`
  const end = turn.ended === false ? [] : [colours.bold(turn.ended)]
  const notes = [...said, ...beneath(turn.original, seen), status].map((note) => colours.dim(`  ${note.trim()}`))
  return [seen, ...notes, ...end].join('\n')
}

function beneath(original: string, seen: string): string[] {
  return original === seen ? [] : [`environment: ${original}`]
}
