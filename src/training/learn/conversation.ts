import type { Message } from '../../core/model.js'
import type { TrainingTurn } from '../data-filter.js'

/** A conversation as a learner reads it: the text before the first action, then actions and observations. */
export interface Conversation {
  /** Instruction and worked examples. */
  readonly head: string
  readonly goal: string
  readonly opening: string
  readonly exchanges: readonly Exchange[]
}

/** An action, and the observation after it. */
export interface Exchange {
  readonly action: string
  /** The observation; empty after the last action of a training row. */
  readonly answer: string
  /** Whether the action is learned from. */
  readonly loss: boolean
}

const goalMarks = ['accomplish the goal: ', 'Your task is to: ', 'Your task is to ']
const helpMark = 'You should use the following commands'
const actionMark = '\nAction: '
const promptMark = '\n> '

/** Reads the turns of a training row. */
export function readTurns(turns: readonly TrainingTurn[]): Conversation {
  const first = turns.findIndex(({ role }) => role === 'assistant')
  const start = first === -1 ? turns.length : first
  const textsOf = (wanted: string): string[] =>
    turns.slice(0, start).flatMap(({ role, text }) => (role === wanted ? [text] : []))
  const top = readTop([...textsOf('system'), textsOf('user').join('\n')].join('\n'))
  const exchanges = turns.slice(start).flatMap(({ role, text, loss = true }, at): Exchange[] => {
    const next = turns[start + at + 1]
    const answer = next !== undefined && next.role !== 'assistant' ? next.text : ''
    return role === 'assistant' ? [{ action: readReply(text), answer: withoutLabel(answer), loss }] : []
  })
  return { ...top, exchanges: [...top.exchanges, ...exchanges] }
}

/** Reads the messages that are sent to a model. */
export function readMessages(messages: readonly Message[]): Conversation {
  return readTurns(messages.map(({ role, content }) => ({ role: role === 'tool' ? 'user' : role, text: content })))
}

/** The action in a reply, whatever surrounds it. */
export function readReply(reply: string): string {
  const tagged = reply.split('<action>').slice(1).at(-1)
  if (tagged !== undefined) return tagged.split('</action>', 1)[0]!.trim()
  const at = reply.toLowerCase().lastIndexOf('action:')
  const text = at === -1 ? reply : reply.slice(at + 7)
  return text.trim().split('\n', 1)[0]!.trim()
}

/**
 * Splits the first message: the text above the goal, the goal, the first observation, and a history in the same
 * message. Without a goal the whole text is the first observation; if the goal comes last, the paragraph above it is.
 */
function readTop(text: string): Conversation {
  const mark = goalMarks.find((goalMark) => text.includes(goalMark))
  if (mark === undefined) return { head: text, goal: '', ...readHistory(text, text) }
  const goalAt = text.lastIndexOf(mark)
  const lineEnd = text.indexOf('\n', goalAt)
  const goal = text.slice(goalAt + mark.length, lineEnd === -1 ? undefined : lineEnd)
  let end = lineEnd === -1 ? text.length : lineEnd + 1
  while (text.startsWith(helpMark, end)) end = text.indexOf('\n', end) + 1 || text.length
  const head = text.slice(0, goalAt)
  if (text.slice(end).trim() !== '') return { head, goal, ...readHistory(text.slice(end), text) }
  const above = head.trimEnd()
  return { head, goal, opening: above.slice(above.lastIndexOf('\n\n') + 1).trim(), exchanges: [] }
}

/** @param whole the message, whose end shows the layout of its history */
function readHistory(text: string, whole: string): Pick<Conversation, 'opening' | 'exchanges'> {
  const pieces = text.split(whole.endsWith('\n>') ? promptMark : actionMark)
  const exchanges: Exchange[] = []
  for (const piece of pieces.slice(1)) {
    const at = piece.indexOf('\n')
    if (at === -1) continue
    const action = piece.slice(0, at)
    if (action.startsWith('think:')) continue
    exchanges.push({ action, answer: withoutLabel(piece.slice(at + 1)), loss: false })
  }
  return { opening: withoutLabel(pieces[0]!), exchanges }
}

/** The text of an observation, without labels around it and thoughts and reminders below it. */
function withoutLabel(text: string): string {
  let line = text.trim()
  if (line.startsWith('Observation:')) line = line.slice(12).trimStart()
  if (line.endsWith('\nAction:')) line = line.slice(0, -8)
  if (line.endsWith('\n>')) line = line.slice(0, -2)
  const end = line.search(/\n(?:Think: |Please )/)
  return end === -1 ? line : line.slice(0, end)
}

const thought = 'I go on with the task.'

/**
 * An action in the layout that a conversation expects: alone if the prompt ends with a label, else after `Action:`,
 * after a thought, or between tags.
 */
export function layReply(action: string, messages: readonly Message[]): string {
  const last = messages.at(-1)?.content ?? ''
  if (last.endsWith('\nAction: ') || last.endsWith('\n>')) return action
  const head = messages
    .filter(({ role }) => role === 'system' || role === 'user')
    .slice(0, 2)
    .map(({ content }) => content)
    .join('\n')
  if (head.includes('\n<think>')) return `<think>${thought}</think>\n<action>${action}</action>`
  return head.includes('\nThought:') ? `Thought: ${thought}\nAction: ${action}` : `Action: ${action}`
}
