import type { Message, ToolDefinition } from '../../src/define.js'
import { actionOf } from '../_reply.js'

/** An action and the observation that followed it. */
export interface Exchange {
  readonly action: string
  readonly observation: string
}

/** A conversation that was read. */
interface Conversation {
  /** The text above the history. */
  readonly head: string
  /** The first observation. */
  readonly opening: string
  readonly exchanges: readonly Exchange[]
  /** Lays an action out as the conversation expects replies. */
  phrase(action: string, thought?: string): string
}

/**
 * Reads a conversation as agents lay them out. Its history is a chat where there are further messages, lines behind `>`
 * where the text ends in one, and lines behind `Action: ` otherwise.
 */
export function readConversation(messages: readonly Message[], tools: readonly ToolDefinition[] = []): Conversation {
  const first = messages.findIndex(({ role }) => role === 'user')
  const [{ content: text } = { content: '' }, ...chat] = messages.slice(Math.max(0, first))
  const end = headEnd(text)
  const head = text.slice(0, end)
  const separator = text.endsWith('\n>') ? promptSeparator : '\nAction: '
  const isChat = chat.length > 0
  const [opening = '', ...pieces] = isChat ? [text.slice(end)] : text.slice(end).split(separator)
  return {
    head,
    opening: observationOf(isChat ? opening : withoutPrompt(opening)),
    exchanges: isChat ? readChat(chat, tools) : pieces.flatMap((piece) => readPiece(piece, separator)),
    phrase: phraseFor(head, messages.at(-1)?.content ?? ''),
  }
}

const promptSeparator = '\n> '
const withoutPrompt = (text: string): string => (text.endsWith('\n>') ? text.slice(0, -2) : text)

/** Where the goal and the helping commands below it end and the history begins. */
function headEnd(text: string): number {
  const task = text.indexOf('accomplish the goal: ')
  const goalAt = Math.max(0, task === -1 ? text.lastIndexOf('Your task is to') : task)
  let end = text.indexOf('\n', goalAt) + 1
  if (end === 0) return text.length
  while (text.startsWith('You should use the following commands', end)) end = text.indexOf('\n', end) + 1
  return end
}

function readChat(chat: readonly Message[], tools: readonly ToolDefinition[]): readonly Exchange[] {
  return chat.flatMap((message, at) => {
    const answer = chat[at + 1]
    if (at % 2 === 1 || answer === undefined) return []
    return [{ action: spokenAction(message, tools), observation: observationOf(answer.content) }]
  })
}

/** The exchange in a piece of history; none for a thought, and for an action that has no observation yet. */
function readPiece(piece: string, separator: string): readonly Exchange[] {
  const at = piece.indexOf('\n')
  const action = piece.slice(0, at)
  if (at === -1 || (separator === promptSeparator && action.startsWith('think:'))) return []
  return [{ action, observation: observationOf(withoutPrompt(piece.slice(at + 1))) }]
}

/**
 * The layout of replies that a prompt asks for: the action alone where it breaks off, or an action between tags or
 * behind a label, with or without a thought.
 */
function phraseFor(head: string, last: string): Conversation['phrase'] {
  if (last.endsWith('\nAction: ') || last.endsWith('\n>')) return (action) => action
  if (head.includes('\n<think>')) {
    return (action, thought = '') => `<think>${thought}</think>\n<action>${action}</action>`
  }
  const hasThought = head.includes('\nThought:')
  return (action, thought = '') => (hasThought ? `Thought: ${thought}\nAction: ${action}` : `Action: ${action}`)
}

/** An observation without its label and without the thoughts and reminders below it. */
function observationOf(text: string): string {
  const start = text.startsWith('Observation: ') ? 13 : 0
  const end = /\n(?:Think: |Please )/.exec(text)
  return text.slice(start, end?.index)
}

function spokenAction({ content, toolCalls }: Message, tools: readonly ToolDefinition[]): string {
  if (toolCalls?.[0] !== undefined) return actionOf(toolCalls[0], tools)
  const tag = content.lastIndexOf('<action>')
  if (tag !== -1)
    return content
      .slice(tag + 8)
      .split('</action>', 1)[0]!
      .trim()
  const label = content.lastIndexOf('Action: ')
  return content
    .slice(label === -1 ? 0 : label + 8)
    .split('\n', 1)[0]!
    .trim()
}
