import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Agent } from '../core/agent.js'
import type { World } from '../core/environment.js'
import { closingWorlds } from '../core/close-worlds.js'
import { messageOf } from '../core/errors.js'
import { perturbWorld } from '../core/perturb.js'
import type { AppliedPerturbation } from '../core/perturbation.js'
import { createRandom } from '../core/random.js'
import { textOf } from '../core/text.js'
import type { OpenedEnvironment } from '../environments/index.js'
import { parseJsonInput } from '../files/read-json.js'
import { escapeJson, say } from './_lines.js'

/** How a batch is played. */
export interface BatchOptions {
  readonly environment: OpenedEnvironment
  /** Nearest the environment first. */
  readonly applied: readonly AppliedPerturbation[]
  readonly agent: Agent | undefined
  readonly seed: string
  readonly input?: Readable
  readonly output?: NodeJS.WritableStream
}

const request = z.object({
  id: z.union([z.string(), z.number()]),
  // Some benchmarks number their tasks.
  task: z.union([z.string(), z.number().transform(String)]),
  actions: z.array(z.string()),
  /** Whether the lists of possible actions are asked for; some worlds take long to make them. */
  lists: z.boolean().default(true),
})
type Request = z.infer<typeof request>
const shape = 'Expected {"id": …, "task": "<id>", "actions": ["…"]}.'

/**
 * Replays lists of actions: one JSON line in, one out, in order. A line that cannot be played gets an error as its
 * answer and makes the exit code 2; the others are played. Ctrl-C finishes the current line.
 */
export async function playBatch(options: BatchOptions): Promise<void> {
  const input = options.input ?? process.stdin
  const output = options.output ?? process.stdout
  let interrupted = false
  const stop = (): void => {
    interrupted = true
    process.exitCode = 130
    input.destroy()
  }
  process.once('SIGINT', stop)
  let number = 0
  try {
    for await (const line of linesOf(input)) {
      number++
      if (line.trim() === '') continue
      const reply = escapeJson(JSON.stringify(await answer(line, number, options)))
      await new Promise<void>((resolve) => output.write(`${reply}\n`, () => resolve()))
      if (interrupted) break
    }
  } catch (thrown) {
    if (!interrupted) throw thrown
  }
  process.off('SIGINT', stop)
}

/** The lines of a stream. Node's readline ends lines at U+2028 and U+2029 too, which JSON may have within strings. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = (text + String(chunk)).split('\n')
    text = lines.pop()!
    yield* lines
  }
  yield text
}

async function answer(line: string, number: number, options: BatchOptions): Promise<object> {
  let id: unknown = null
  try {
    const { value: json, fault } = parseJsonInput(line)
    if (fault !== undefined) throw new Error(`it is not JSON: ${fault}. ${shape}`)
    if (typeof json === 'object' && json !== null && 'id' in json) id = json.id
    const { data, error } = request.safeParse(json)
    if (data !== undefined)
      return await closingWorlds(options.environment, (environment) => playProtocol(data, { ...options, environment }))
    const { path, message } = error.issues[0]!
    throw new Error(`${path.length === 0 ? '' : `'${path.join('.')}': `}${message}. ${shape}`)
  } catch (thrown) {
    const error = messageOf(thrown)
    say(`line ${String(number)}: ${error}`)
    process.exitCode = 2
    return { id, error }
  }
}

/** Plays until the episode or the list ends; there is no step limit. */
async function playProtocol({ id, task, actions, lists }: Request, options: BatchOptions): Promise<object> {
  const { environment, applied, agent, seed } = options
  const random = createRandom(`${seed}/${task}`)
  const world: World = perturbWorld(await environment.begin(environment.find(task), random), applied, random)
  const isPerturbed = applied.length > 0
  const seen = textOf(world.opening)
  const conversation = agent?.begin(world.briefing, seen)
  const messages = () => conversation && { messages: conversation.messages() }
  const admissible = async () => lists && world.admissible && { admissible: await world.admissible() }
  const opening = {
    observation: seen,
    ...(isPerturbed && { original: world.originalOpening }),
    goal: world.briefing.goal,
    ...(await admissible()),
    ...messages(),
  }
  const steps: object[] = []
  for (const action of actions) {
    const tidied = environment.normalise?.(action) ?? action
    const turn = await world.step(tidied)
    const observation = textOf(turn.observation)
    conversation?.observe(tidied, observation)
    steps.push({
      action,
      observation,
      ...(isPerturbed && { original: turn.original, command: turn.command ?? null }),
      ...(await admissible()),
      progress: turn.progress,
      ended: turn.ended,
      ...(turn.understood !== undefined && { grounded: turn.understood }),
      ...messages(),
    })
    if (turn.ended !== false) break
  }
  return { id, opening, steps }
}
