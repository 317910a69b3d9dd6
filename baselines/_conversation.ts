import type { Message, ToolDefinition } from 'shaketable'
import type { Exchange, Layout } from './_layout.js'
import { cutHead, exchangesAfter, openingAfter, replyLayout } from './_layout.js'

/** What is to be kept of a conversation: a value for its beginning, and the next value for each exchange. */
interface Fold<State> {
  begin(head: string, opening: string): State
  next(state: State, exchange: Exchange): State
}

/** Where a conversation stands. */
export interface Moment<State> {
  readonly state: State
  readonly layout: Layout
  /** Actions so far. */
  readonly steps: number
}

/** What stands above a history, as it was met, and what its first observation led to. */
interface Topic<State> {
  readonly head: string
  readonly layout: Layout
  readonly openings: Map<string, State>
}

/** A conversation that was read. */
interface Memory<State> {
  readonly topic: Topic<State>
  readonly messages: readonly Message[]
  readonly state: State
  readonly steps: number
}

/** Beginnings of conversations after which all of them are forgotten. */
const maxTopics = 2000
const maxMemories = 64

/**
 * Reads conversations as agents lay them out. A conversation is mostly an earlier one and one more exchange, so the
 * last few are remembered and only what is new is read. This is memory of work alone: the answer depends on the
 * messages only.
 */
export function createFollower<State>(
  fold: Fold<State>,
): (messages: readonly Message[], tools?: readonly ToolDefinition[]) => Moment<State> {
  const topics = new Map<string, Topic<State>[]>()
  const memories: Memory<State>[] = []
  let met = 0

  const topicOf = (text: string, goalAt: number, end: number): Topic<State> => {
    const goal = text.slice(goalAt, end)
    const group = topics.get(goal) ?? []
    const known = group.find(({ head }) => head.length === end && startsWith(text, head))
    if (known !== undefined) return known
    if (met > maxTopics) {
      topics.clear()
      met = 0
    }
    const head = text.slice(0, end)
    const topic = { head, layout: replyLayout(head), openings: new Map<string, State>() }
    topics.set(goal, [...(topics.get(goal) ?? []), topic])
    return topic
  }
  const begin = ({ head, openings }: Topic<State>, opening: string): State => {
    const known = openings.get(opening)
    if (known !== undefined) return known
    met++
    const state = fold.begin(head, opening)
    openings.set(opening, state)
    return state
  }
  return (messages, tools = []) => {
    const first = Math.max(
      0,
      messages.findIndex(({ role }) => role === 'user'),
    )
    const text = messages[first]?.content ?? ''
    const { goalAt, end } = cutHead(text)
    const topic = topicOf(text, goalAt, end)
    const memory = memories.findLast((one) => one.topic === topic && continues(messages, one.messages))
    let state = memory?.state ?? begin(topic, openingAfter(messages, first, end))
    let steps = memory?.steps ?? 0
    for (const exchange of exchangesAfter(messages, first, end, memory?.messages, tools)) {
      state = fold.next(state, exchange)
      steps++
    }
    memories.push({ topic, messages, state, steps })
    if (memories.length > maxMemories) memories.shift()
    return { state, steps, layout: endsOpen(messages.at(-1)?.content ?? '') ? 'action' : topic.layout }
  }
}

/** Whether messages are earlier ones and more: further messages, or further lines in the last one. */
function continues(messages: readonly Message[], earlier: readonly Message[]): boolean {
  if (messages.length !== earlier.length) {
    return messages.length > earlier.length && samePrefix(messages, earlier, earlier.length)
  }
  const last = earlier.length - 1
  const before = earlier[last]!.content
  const now = messages[last]!.content
  const whole = now.length === before.length || now[before.length] === '\n' || endsOpen(before)
  return whole && startsWith(now, before) && samePrefix(messages, earlier, last)
}

/** Like String.startsWith, which takes ten times as long over texts of this length. */
function startsWith(text: string, start: string): boolean {
  return text.length >= start.length && text.slice(0, start.length) === start
}

function samePrefix(messages: readonly Message[], earlier: readonly Message[], length: number): boolean {
  for (let at = 0; at < length; at++) if (!isSame(messages[at]!, earlier[at]!)) return false
  return true
}

function isSame(one: Message, other: Message): boolean {
  if (one === other) return true
  const sameCalls =
    one.toolCalls === other.toolCalls || JSON.stringify(one.toolCalls) === JSON.stringify(other.toolCalls)
  return one.content === other.content && sameCalls
}

/** Whether the prompt breaks off where an action belongs. */
function endsOpen(text: string): boolean {
  return text.endsWith('\nAction: ') || text.endsWith('\n>')
}
