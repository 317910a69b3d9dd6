import type { Agent } from '../core/agent.js'
import type { World } from '../core/environment.js'
import type { Message } from '../core/model.js'
import { textOf } from '../core/text.js'
import type { TrainingRow, TrainingTurn } from './data-filter.js'
import { type ScriptedTurn, errorsOf } from './verify/turn.js'

/** One call of a model: its prompt and its reply. */
export interface Exchange {
  readonly messages: readonly Message[]
  readonly reply: string
  /** Whether the reply is learned from. */
  readonly loss: boolean
}

/**
 * Converts the calls of an episode to one conversation. The messages of a chat become its turns. For an agent with one
 * growing message, the additions to that message become turns; after the system message they concatenate to the
 * evaluation's prompts.
 * @returns undefined if a prompt does not continue the previous one, as when an agent drops its oldest history
 */
export function layTurns(exchanges: readonly Exchange[]): readonly TrainingTurn[] | undefined {
  const turns: TrainingTurn[] = []
  let before: Exchange | undefined
  for (const exchange of exchanges) {
    const added = before === undefined ? { reply: '', turns: turnsOf(exchange.messages) } : growth(before, exchange)
    if (added === undefined) return undefined
    if (before !== undefined) turns.push({ role: 'assistant', text: added.reply, loss: before.loss })
    turns.push(...added.turns)
    before = exchange
  }
  if (before !== undefined) turns.push({ role: 'assistant', text: before.reply, loss: before.loss })
  return turns
}

function turnsOf(messages: readonly Message[]): TrainingTurn[] {
  return messages.map(({ role, content }) => ({ role: role === 'tool' ? 'user' : role, text: content }))
}

/** What a prompt adds to the previous one: the reply as it occurs there, and the new turns. */
function growth(
  before: Exchange,
  { messages }: Exchange,
): { readonly reply: string; readonly turns: readonly TrainingTurn[] } | undefined {
  const last = before.messages.length - 1
  const isSame = ({ role, content }: Message, index: number): boolean =>
    index === last || (role === messages[index]?.role && content === messages[index].content)
  if (!before.messages.every(isSame)) return undefined
  const [then, now] = [before.messages[last]!.content, messages[last]?.content ?? '']
  if (messages.length > before.messages.length) {
    const [reply, ...rest] = messages.slice(last + 1)
    return then === now && reply?.role === 'assistant' ? { reply: reply.content, turns: turnsOf(rest) } : undefined
  }
  const [, reply, rest] = (now.startsWith(then) && /^(\s*\S[^\n]*)(\n[^]*)?$/.exec(now.slice(then.length))) || []
  if (reply === undefined) return undefined
  return { reply, turns: rest === undefined ? [] : [{ role: 'user', text: rest }] }
}

/**
 * Lays a verified trajectory out as an agent converses in an evaluation of its world: the prompt first, then replies
 * and observations. A reply whose answer signals an error has `loss: false`.
 * @returns undefined where the agent drops its oldest history
 */
export function layTrajectory(
  id: string,
  turns: readonly ScriptedTurn[],
  world: Pick<World, 'briefing' | 'opening'>,
  agent: Agent,
): TrainingRow | undefined {
  const conversation = agent.begin(world.briefing, textOf(world.opening))
  const exchanges = turns.flatMap((turn, place) => {
    if (turn.role !== 'Player') return []
    const answer = turns[place + 1]
    const messages = conversation.messages()
    const reply = agent.phrase(turn.Action, turn.Thought)
    conversation.read(reply)
    conversation.observe(turn.Action, answer?.role === 'DM' ? answer.Observation : '')
    return [{ messages, reply, loss: errorsOf(answer).length === 0 }]
  })
  const laid = layTurns(exchanges)
  return laid && { id, turns: laid }
}
