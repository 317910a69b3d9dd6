import type { Message } from '../core/model.js'
import type { TrainingTurn } from '../core/training.js'

/** One call of a model: its prompt and its reply. */
export interface Exchange {
  readonly messages: readonly Message[]
  readonly reply: string
  /** Whether it is learned from. */
  readonly loss: boolean
}

/**
 * Lays out the calls of an episode as one conversation. The turns of a chat are its messages. Of an agent with one
 * growing message they are its growth: after the system message, concatenated, they equal the evaluation's prompts.
 * @returns undefined if a prompt does not continue the one before, as when an agent drops its oldest history
 */
export function layTurns(exchanges: readonly Exchange[]): readonly TrainingTurn[] | undefined {
  const turns: TrainingTurn[] = []
  let before: Exchange | undefined
  for (const exchange of exchanges) {
    const added = before === undefined ? asTurns(exchange.messages) : growth(before, exchange.messages)
    if (added === undefined) return undefined
    if (before !== undefined) turns.push({ role: 'assistant', text: added.reply, loss: before.loss })
    turns.push(...added.turns)
    before = exchange
  }
  if (before !== undefined) turns.push({ role: 'assistant', text: before.reply, loss: before.loss })
  return turns
}

interface Growth {
  /** The reply as the next prompt holds it. */
  readonly reply: string
  readonly turns: readonly TrainingTurn[]
}

function asTurns(messages: readonly Message[]): Growth {
  return {
    reply: '',
    turns: messages.map(({ role, content }) => ({ role: role === 'tool' ? 'user' : role, text: content })),
  }
}

/** What a prompt adds to the one before: the reply and the new turns. */
function growth(before: Exchange, messages: readonly Message[]): Growth | undefined {
  const last = before.messages.length - 1
  if (!before.messages.every((message, index) => index === last || isSame(message, messages[index]))) return undefined
  const [then, now] = [before.messages[last]!.content, messages[last]?.content ?? '']
  if (messages.length > before.messages.length) {
    const [reply, ...rest] = messages.slice(last + 1)
    if (then !== now || reply?.role !== 'assistant') return undefined
    return { reply: reply.content, turns: asTurns(rest).turns }
  }
  if (!now.startsWith(then)) return undefined
  const grown = now.slice(then.length)
  const start = grown.search(/\S/)
  if (start === -1) return undefined
  const end = grown.indexOf('\n', start)
  if (end === -1) return { reply: grown, turns: [] }
  return { reply: grown.slice(0, end), turns: [{ role: 'user', text: grown.slice(end) }] }
}

function isSame(one: Message, other: Message | undefined): boolean {
  return one.role === other?.role && one.content === other.content
}
