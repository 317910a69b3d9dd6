import { after } from '../core/after.js'
import type { Agent } from '../core/agent.js'
import type { Turn, World } from '../core/environment.js'
import { ShaketableError } from '../core/errors.js'
import type { Model, Sampling } from '../core/model.js'
import type { Random } from '../core/random.js'
import { messagesSent } from '../core/perturb.js'
import { textOf } from '../core/text.js'
import type { Mistake, MistakeKind } from './mistake.js'
import { drawMistake } from './mistake.js'
import type { Exchange } from './training-turns.js'

/** A policy at play that errs now and then, and the world that it plays in. */
export interface Fallible {
  readonly model: Model
  readonly world: World
  /** What was asked and said so far, in order; `step` is the number of the action, from 0, to which it led. */
  readonly exchanges: readonly (Omit<Exchange, 'loss'> & { readonly step: number })[]
  /** The mistakes so far, by the number of their action from 0. */
  readonly mistakes: ReadonlyMap<number, MistakeKind>
  /** How many of them the world understood, so that they changed something or only took time. */
  detours(): number
}

/** How often a policy errs. */
interface FallibleOptions {
  readonly policy: Model
  readonly world: World
  readonly agent: Agent
  /** Chance of a mistake before each right action, 0 to 1; never two in a row. */
  readonly share: number
  readonly random: Random
}

/** What the policy said, put by while a mistake is made in its place. */
interface Said {
  readonly text: string
  readonly action: string | undefined
}

/**
 * Makes a policy err: before some of its actions a plausible mistake is made, its answer seen, and then the action
 * taken. The policy itself hears only of what it did and of mistakes that changed something, so that any policy can be
 * made to err, whatever it makes of a refusal.
 */
export function createFallible({ policy, world, agent, share, random }: FallibleOptions): Fallible {
  if (share > 0 && (world.understands === undefined || world.admissible === undefined)) {
    throw new ShaketableError(
      'usage',
      'Mistakes need an environment that tells its admissible actions and what it understands, and this one does not. ' +
        'Leave mistakes out, or give it `admissible`.',
    )
  }
  const phrase = (action: string, thought?: string): string => agent.phrase(action, thought)
  const look = (): Model => policy.sighted?.(world, phrase) ?? policy
  const heard = agent.begin(world.briefing, textOf(world.opening))
  const exchanges: (Omit<Exchange, 'loss'> & { readonly step: number })[] = []
  const mistakes = new Map<number, MistakeKind>()
  let playing = look()
  let step = 0
  let detours = 0
  let mistake: Mistake | undefined
  let put: Said | undefined
  let thought: string | undefined
  let hasErred = false

  const model: Model = {
    name: policy.name,
    settings: policy.settings,
    async complete(messages, sampling) {
      const say = (reply: string) => {
        exchanges.push({ messages, reply, step })
        return { text: reply, finish: 'stop' as const }
      }
      if (thought !== undefined && agent.think !== undefined) {
        const alone = agent.think(thought)
        thought = undefined
        return say(alone)
      }
      const known = put ?? (await ask(sampling))
      put = undefined
      if (share > 0 && known.action !== undefined && !hasErred && random.next() < share) {
        mistake = await drawMistake(world, known.action, random)
        if (mistake !== undefined) {
          mistakes.set(step, mistake.kind)
          put = known
          return say(agent.phrase(mistake.action))
        }
      }
      return say(thought === undefined || known.action === undefined ? known.text : agent.phrase(known.action, thought))
    },
  }
  const ask = async (sampling: Sampling): Promise<Said> => {
    const { text } = await playing.complete(messagesSent(world, heard.messages()), sampling)
    return { text, action: heard.read(text).action }
  }

  const take = (action: string, turn: Turn): Turn => {
    step++
    hasErred = mistake !== undefined
    thought = mistake?.thought(turn.understood === true)
    const observation = textOf(turn.observation)
    if (mistake === undefined) {
      heard.observe(action, observation)
      return turn
    }
    mistake = undefined
    if (!turn.understood) return turn
    detours++
    heard.read(agent.phrase(action))
    heard.observe(action, observation)
    playing = look()
    put = undefined
    return turn
  }
  return {
    model,
    exchanges,
    mistakes,
    detours: () => detours,
    world: {
      ...world,
      step(action) {
        return after(world.step(action), (turn) => take(action, turn))
      },
    },
  }
}
