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

/** Reads a conversation as agents lay them out. */
export function readConversation(messages: readonly Message[], tools: readonly ToolDefinition[] = []): Conversation {
  const first = Math.max(
    0,
    messages.findIndex(({ role }) => role === 'user'),
  )
  const text = messages[first]?.content ?? ''
  const end = headEnd(text)
  const head = text.slice(0, end)
  return {
    head,
    opening: openingAfter(messages, first, end),
    exchanges: exchangesAfter(messages, first, end, tools),
    phrase: endsOpen(messages.at(-1)?.content ?? '') ? (action) => action : phraseFor(head),
  }
}

/** Whether the prompt breaks off where an action belongs. */
function endsOpen(text: string): boolean {
  return text.endsWith('\nAction: ') || text.endsWith('\n>')
}

/** Where the goal and the helping commands below it end and the history begins. */
function headEnd(text: string): number {
  const task = text.indexOf('accomplish the goal: ')
  const goalAt = Math.max(0, task === -1 ? text.lastIndexOf('Your task is to') : task)
  let end = text.indexOf('\n', goalAt) + 1
  if (end === 0) return text.length
  while (text.startsWith('You should use the following commands', end)) end = text.indexOf('\n', end) + 1
  return end
}

/** The first observation, below the head. */
function openingAfter(messages: readonly Message[], first: number, end: number): string {
  const text = messages[first]?.content ?? ''
  if (messages.length > first + 1) return observationOf(text.slice(end))
  const at = text.indexOf(separatorOf(text), end)
  return observationOf(withoutPrompt(text.slice(end, at === -1 ? undefined : at)))
}

/**
 * The exchanges of a history. It is a chat where there are further messages, lines behind `>` where the text ends in
 * one, and lines behind `Action: ` otherwise.
 */
function exchangesAfter(
  messages: readonly Message[],
  first: number,
  end: number,
  tools: readonly ToolDefinition[],
): readonly Exchange[] {
  if (messages.length > first + 1) {
    const exchanges: Exchange[] = []
    for (let at = first + 1; at + 1 < messages.length; at += 2) {
      exchanges.push({
        action: spokenAction(messages[at]!, tools),
        observation: observationOf(messages[at + 1]!.content),
      })
    }
    return exchanges
  }
  const text = messages[first]?.content ?? ''
  const separator = separatorOf(text)
  const [, ...pieces] = text.slice(end).split(separator)
  return pieces.flatMap((piece) => readPiece(piece, separator) ?? [])
}

const promptSeparator = '\n> '

function separatorOf(text: string): string {
  return text.endsWith('\n>') ? promptSeparator : '\nAction: '
}

/** The exchange in a piece of history; undefined for a thought, and for an action that has no observation yet. */
function readPiece(piece: string, separator: string): Exchange | undefined {
  const at = piece.indexOf('\n')
  if (at === -1) return undefined
  const action = piece.slice(0, at)
  if (separator === promptSeparator && action.startsWith('think:')) return undefined
  return { action, observation: observationOf(withoutPrompt(piece.slice(at + 1))) }
}

const withoutPrompt = (text: string): string => (text.endsWith('\n>') ? text.slice(0, -2) : text)

/** The layout of replies that a head asks for: an action between tags or behind a label, with or without a thought. */
function phraseFor(head: string): Conversation['phrase'] {
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
  const label = content.lastIndexOf('Action: ')
  const [action] =
    tag === -1
      ? content.slice(label === -1 ? 0 : label + 8).split('\n', 1)
      : content.slice(tag + 8).split('</action>', 1)
  return action!.trim()
}
