import { after } from '../core/after.js'
import type { Agent } from '../core/agent.js'
import type { Turn, World } from '../core/environment.js'
import { ShaketableError } from '../core/errors.js'
import type { Model, Sampling } from '../core/model.js'
import type { Random } from '../core/random.js'
import { textOf } from '../core/text.js'
import { type Mistake, type MistakeKind, drawMistake } from './mistake.js'
import type { Exchange } from './training-turns.js'

/**
 * Adds mistakes to a policy: some of its actions are preceded by a plausible mistake and the answer to it. The policy
 * sees only its own actions and the mistakes that the world understood, so it need not handle refusals.
 * @param share probability of a mistake before each right action, 0 to 1; never two in a row
 * @throws ShaketableError `usage` for mistakes in a world without `understands` or `admissible`
 */
export function createFallible({
  policy,
  world,
  agent,
  share,
  random,
}: {
  readonly policy: Model
  readonly world: World
  readonly agent: Agent
  readonly share: number
  readonly random: Random
}) {
  if (share > 0 && (world.understands === undefined || world.admissible === undefined)) {
    throw new ShaketableError(
      'usage',
      'Expected an environment with `admissible` and `understands`, which mistakes need, got one without. ' +
        'Leave mistakes out, or add them.',
    )
  }
  const phrase = (action: string, thought?: string): string => agent.phrase(action, thought)
  const look = (): Model => policy.withWorld?.(world, phrase) ?? policy
  const conversation = agent.begin(world.briefing, textOf(world.opening))
  const exchanges: (Omit<Exchange, 'loss'> & { readonly step: number })[] = []
  const mistakes = new Map<number, MistakeKind>()
  let playing = look()
  let step = 0
  let detours = 0
  let mistake: Mistake | undefined
  /** A reply of the policy, which is kept while a mistake is made in its place. */
  let kept: Awaited<ReturnType<typeof ask>> | undefined
  let thought: string | undefined
  let hasErred = false

  const model: Model = {
    name: policy.name,
    settings: policy.settings,
    async complete(messages, sampling) {
      const recordReply = (reply: string) => {
        exchanges.push({ messages, reply, step })
        return { text: reply, finish: 'stop' as const }
      }
      const alone = thought === undefined ? undefined : agent.think?.(thought)
      if (alone !== undefined) {
        thought = undefined
        return recordReply(alone)
      }
      const right = kept ?? (await ask(sampling))
      kept = undefined
      if (share > 0 && right.action !== undefined && !hasErred && random.next() < share) {
        mistake = await drawMistake(world, right.action, random)
        if (mistake !== undefined) {
          mistakes.set(step, mistake.kind)
          kept = right
          return recordReply(agent.phrase(mistake.action))
        }
      }
      return recordReply(
        thought === undefined || right.action === undefined ? right.text : agent.phrase(right.action, thought),
      )
    },
  }
  const ask = async (sampling: Sampling) => {
    const { text } = await playing.complete(conversation.messages(), sampling)
    return { text, action: conversation.read(text).action }
  }

  const take = (action: string, turn: Turn): Turn => {
    step++
    hasErred = mistake !== undefined
    thought = mistake?.thought(turn.understood === true)
    const observation = textOf(turn.observation)
    if (mistake === undefined) {
      conversation.observe(action, observation)
      return turn
    }
    mistake = undefined
    if (!turn.understood) return turn
    detours++
    conversation.read(agent.phrase(action))
    conversation.observe(action, observation)
    playing = look()
    kept = undefined
    return turn
  }
  return {
    model,
    /** Prompts and replies so far, in order; `step` is the index of the resulting action, from 0. */
    exchanges: exchanges as readonly (typeof exchanges)[number][],
    /** Mistakes so far, by the index of their action from 0. */
    mistakes: mistakes as ReadonlyMap<number, MistakeKind>,
    /** Number of mistakes that the world understood. */
    detours: () => detours,
    world: {
      ...world,
      step(action: string) {
        return after(world.step(action), (turn) => take(action, turn))
      },
    },
  }
}
