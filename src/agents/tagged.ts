import type { Agent } from '../core/agent.js'
import { separateReasoning } from '../models/reasoning.js'
import { beginTextChat, createChat, historySize } from './_chat.js'
import { type Labels, layBriefing } from './_layout.js'
import { maxThoughtLength, readReactReply, tidyAction } from './react-parser.js'

const labels: Labels = { action: '<action>', afterAction: '</action>', observation: 'Observation: ' }
const format = `Answer each observation with one thought and one action, each between its tags, like this:
<think>why you do what you do next</think>
<action>what you do next</action>`

/**
 * A thought and an action between tags, as a chat: the way verl-agent trains its models to answer. Replies stay in the
 * conversation as they came; reasoning that the server separates from its reply counts as the thought, and is not
 * repeated.
 */
export const tagged: Agent = {
  name: 'tagged',
  summary: '`<think>…</think><action>…</action>` in one reply, observation by observation, as a chat',
  source: 'verl-agent',
  settings: { layout: 'think-action-tags-chat', history: historySize },
  stop: ['\nObservation:'],
  begin: (briefing, opening) =>
    beginTextChat(
      createChat(briefing, layBriefing(briefing, labels, { format }), opening, labels),
      (reply, reasoning) => {
        const { thought, action, fault } = readTaggedReply(reply, reasoning !== undefined)
        return { action, ...(thought !== '' && { thought }), ...(fault !== undefined && { formatError: fault }) }
      },
      (action) => `<action>${action}</action>`,
      labels,
    ),
  phrase: (action, thought = '') => `<think>${thought}</think>\n<action>${action}</action>`,
}

/** A parsed reply in tags. */
interface TaggedReply {
  /** Empty where there is none. */
  readonly thought: string
  /** The first action that is not empty; without one, the best reading of the reply. */
  readonly action: string
  /** The format error; absent where the reply is `<think>…</think><action>…</action>`. */
  readonly fault?: string
}

/**
 * Reads `<think>…</think><action>…</action>`. Tags may be in capitals, and an action within a thought does not count.
 * What verl-agent calls invalid (a missing tag) is a fault here, and the reply is read all the same. Takes time linear
 * in the reply's length.
 * @param parted whether the server separated a thought from the reply
 */
export function readTaggedReply(reply: string, parted = false): TaggedReply {
  const { text, reasoning = '' } = /<\/?think>/i.test(reply) ? { text: reply } : separateReasoning(reply)
  if (reasoning === '' || text === '') return readTags(reply, parted)
  return { ...readTags(text, true), thought: reasoning.trim().slice(0, maxThoughtLength) }
}

function readTags(reply: string, parted: boolean): TaggedReply {
  const small = lowerTags(reply)
  const opened = small.indexOf('<think>')
  const closed = small.indexOf('</think>', Math.max(opened, 0))
  const from = closed === -1 ? 0 : closed + '</think>'.length
  const behind = findActions(reply, small, from)
  const actions = behind.length > 0 ? behind : findActions(reply, small.slice(0, Math.max(opened, 0)), 0)
  const action = actions[0]
  const thoughtEnd = closed === -1 ? small.indexOf('<action>', Math.max(opened, 0)) : closed
  const thought = opened === -1 && closed === -1 ? '' : cut(reply, opened, thoughtEnd)
  if (action === undefined) {
    const rest = withoutTags(closed === -1 && opened !== -1 ? reply.slice(opened) : reply.slice(from))
    const { actions: labelled, firstLine } = readReactReply(rest)
    const fault = reply.trim() === '' ? 'the reply is empty' : 'no <action> in the reply'
    return { thought, action: labelled[0] ?? firstLine, fault }
  }
  const missing =
    opened === -1 && (closed !== -1 || !parted)
      ? '<think>'
      : opened !== -1 && closed === -1
        ? '</think>'
        : action.isClosed
          ? undefined
          : '</action>'
  const several =
    actions.length > 1 ? `${String(actions.length)} actions in one reply; the first one is taken` : undefined
  const fault = missing === undefined ? several : `no ${missing} in the reply`
  return { thought, action: action.text, ...(fault !== undefined && { fault }) }
}

interface Found {
  readonly text: string
  readonly isClosed: boolean
}

/** The actions that are not empty, in order. One that is not closed ends where the next begins. */
function findActions(reply: string, small: string, from: number): readonly Found[] {
  const actions: Found[] = []
  for (let at = small.indexOf('<action>', from); at !== -1;) {
    const start = at + '<action>'.length
    const next = small.indexOf('<action>', start)
    const within = small.slice(start, next === -1 ? undefined : next)
    const end = within.indexOf('</action>')
    const line = reply
      .slice(start, start + (end === -1 ? within.length : end))
      .split(/[\r\n]+/)
      .find((line) => line.trim() !== '')
    const text = line === undefined ? '' : tidyAction(line)
    if (text !== '') actions.push({ text, isClosed: end !== -1 })
    at = next
  }
  return actions
}

/** The thought between its tags; it begins with the reply where the first tag is missing. */
function cut(reply: string, opened: number, end: number): string {
  const start = opened === -1 ? 0 : opened + '<think>'.length
  return reply
    .slice(start, end === -1 ? undefined : end)
    .trim()
    .slice(0, maxThoughtLength)
}

function withoutTags(text: string): string {
  return text.replace(/<\/?(?:think|action)>/gi, '\n')
}

/** Tags in lower case; indices stay the same. */
function lowerTags(text: string): string {
  return text.replace(/<\/?(?:think|action)>/gi, (tag) => tag.toLowerCase())
}
