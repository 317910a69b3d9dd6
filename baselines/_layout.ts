import type { Completion, Message, ToolDefinition } from 'shaketable'
import { actionOf, callFor } from './_calls.js'

/** How a reply has to look: an action alone, behind `Action: `, behind a thought, or between tags behind one. */
export type Layout = 'action' | 'labelled' | 'thought' | 'tagged'

/** An action and what came of it. */
export interface Exchange {
  readonly action: string
  readonly observation: string
}

/** Where the goal is spoken of, and where it and the helping commands below it end and the history begins. */
export function cutHead(text: string): { readonly goalAt: number; readonly end: number } {
  const task = text.indexOf('accomplish the goal: ')
  const goalAt = Math.max(0, task === -1 ? text.lastIndexOf('Your task is to') : task)
  let end = text.indexOf('\n', goalAt) + 1
  if (end === 0) return { goalAt, end: text.length }
  while (text.startsWith('You should use the following commands', end)) end = text.indexOf('\n', end) + 1
  return { goalAt, end }
}

/** The first observation, below the head. */
export function openingAfter(messages: readonly Message[], first: number, end: number): string {
  const text = messages[first]?.content ?? ''
  if (messages.length > first + 1) return observationOf(text.slice(end))
  const at = text.indexOf(separatorOf(text), end)
  return observationOf(withoutPrompt(text.slice(end, at === -1 ? undefined : at)))
}

/**
 * The exchanges of a history, or of what was added to `earlier` messages. The history is a chat where there are further
 * messages, lines behind `>` where the text ends in one, and lines behind `Action: ` otherwise.
 */
export function exchangesAfter(
  messages: readonly Message[],
  first: number,
  end: number,
  earlier: readonly Message[] | undefined,
  tools: readonly ToolDefinition[],
): readonly Exchange[] {
  const exchanges: Exchange[] = []
  if (messages.length > first + 1) {
    for (let at = earlier?.length ?? first + 1; at + 1 < messages.length; at += 2) {
      exchanges.push({
        action: spokenAction(messages[at]!, tools),
        observation: observationOf(messages[at + 1]!.content),
      })
    }
    return exchanges
  }
  const text = messages[first]?.content ?? ''
  const separator = separatorOf(text)
  let from = earlier === undefined ? end : earlier[first]!.content.length
  // What was read before may break off within a separator.
  if (earlier !== undefined) from -= separator.length
  for (let at = text.indexOf(separator, from); at !== -1;) {
    const start = at + separator.length
    at = text.indexOf(separator, start)
    const exchange = readPiece(text.slice(start, at === -1 ? undefined : at), separator)
    if (exchange !== undefined) exchanges.push(exchange)
  }
  return exchanges
}

const promptSeparator = '\n> '

function separatorOf(text: string): string {
  return text.endsWith('\n>') ? promptSeparator : '\nAction: '
}

/** The exchange in a piece of history; undefined for a thought, and for an action that is still to come. */
function readPiece(piece: string, separator: string): Exchange | undefined {
  const at = piece.indexOf('\n')
  if (at === -1) return undefined
  const action = piece.slice(0, at)
  if (separator === promptSeparator && action.startsWith('think:')) return undefined
  return { action, observation: observationOf(withoutPrompt(piece.slice(at + 1))) }
}

const withoutPrompt = (text: string): string => (text.endsWith('\n>') ? text.slice(0, -2) : text)

/** How a head asks for replies. */
export function replyLayout(head: string): Layout {
  if (head.includes('\n<think>')) return 'tagged'
  return head.includes('\nThought:') ? 'thought' : 'labelled'
}

/**
 * A reply that does an action as the layout of the conversation asks for it; a call where there are functions to be
 * called.
 */
export function reply(
  layout: Layout,
  thought: string,
  action: string,
  tools: readonly ToolDefinition[] = [],
): Completion {
  if (tools.length > 0) return { text: '', finish: 'tool', toolCalls: [callFor(action, tools)] }
  return { text: layText(layout, thought, action), finish: 'stop' }
}

function layText(layout: Layout, thought: string, action: string): string {
  if (layout === 'action') return action
  if (layout === 'tagged') return `<think>${thought}</think>\n<action>${action}</action>`
  return layout === 'thought' ? `Thought: ${thought}\nAction: ${action}` : `Action: ${action}`
}

/** What an observation says, without its label and without the thoughts and reminders below it. */
function observationOf(text: string): string {
  const start = text.startsWith('Observation: ') ? 13 : 0
  const end = /\n(?:Think: |Please )/.exec(text)
  return text.slice(start, end?.index)
}

function spokenAction({ content: reply, toolCalls }: Message, tools: readonly ToolDefinition[]): string {
  if (toolCalls?.[0] !== undefined) return actionOf(toolCalls[0], tools)
  const tag = reply.lastIndexOf('<action>')
  if (tag !== -1)
    return reply
      .slice(tag + 8)
      .split('</action>', 1)[0]!
      .trim()
  const at = reply.lastIndexOf('Action: ')
  return (at === -1 ? reply : reply.slice(at + 8)).split('\n', 1)[0]!.trim()
}
