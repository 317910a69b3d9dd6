import type { Message } from '../core/model.js'
import type { TrainingTurn } from '../training/data-filter.js'

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
  /** The reply as it occurs in the next prompt. */
  readonly reply: string
  readonly turns: readonly TrainingTurn[]
}

function asTurns(messages: readonly Message[]): Growth {
  return {
    reply: '',
    turns: messages.map(({ role, content }) => ({ role: role === 'tool' ? 'user' : role, text: content })),
  }
}

/** What a prompt adds to the previous one: the reply and the new turns. */
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
