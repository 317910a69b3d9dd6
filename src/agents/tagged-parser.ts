import { readReactReply, tidyAction } from './react-parser.js'

/** What a reply in tags holds. */
interface TaggedReply {
  /** Empty where there is none. */
  readonly thought: string
  /** The first action that says something; without one, the best that can be read instead. */
  readonly action: string
  /** What is not as it should be; absent where the reply is `<think>…</think><action>…</action>`. */
  readonly fault?: string
}

const longestThought = 20_000

/**
 * Reads `<think>…</think><action>…</action>`. Tags are known in capitals too, and an action that is spoken of within a
 * thought is none. What verl-agent calls invalid (a tag that is missing) is a fault here, and read as well as it can
 * be. Takes time in proportion to the reply's length.
 * @param parted whether a thought was already parted from the reply
 */
export function readTaggedReply(reply: string, parted = false): TaggedReply {
  const small = asciiLower(reply)
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
    return { thought, action: labelled.at(-1) ?? firstLine, fault }
  }
  const fault = faultOf(opened !== -1, closed !== -1, parted, action.isClosed, actions.length)
  return { thought, action: action.text, ...(fault !== undefined && { fault }) }
}

function faultOf(
  opened: boolean,
  closed: boolean,
  parted: boolean,
  isActionClosed: boolean,
  actions: number,
): string | undefined {
  if (opened && !closed) return 'no </think> in the reply'
  if (!opened && closed) return 'no <think> in the reply'
  if (!opened && !parted) return 'no <think> in the reply'
  if (!isActionClosed) return 'no </action> in the reply'
  return actions > 1 ? `${String(actions)} actions in one reply; the first one is taken` : undefined
}

interface Found {
  readonly text: string
  readonly isClosed: boolean
}

/** The actions that say something, in order. One that is not closed ends where the next begins. */
function findActions(reply: string, small: string, from: number): readonly Found[] {
  const found: Found[] = []
  for (let at = small.indexOf('<action>', from); at !== -1;) {
    const start = at + '<action>'.length
    const next = small.indexOf('<action>', start)
    const within = small.slice(start, next === -1 ? undefined : next)
    const end = within.indexOf('</action>')
    const line = reply
      .slice(start, start + (end === -1 ? within.length : end))
      .split(/[\r\n]+/)
      .find((one) => one.trim() !== '')
    const text = line === undefined ? '' : tidyAction(line)
    if (text !== '') found.push({ text, isClosed: end !== -1 })
    at = next
  }
  return found
}

/** The thought between its tags; its beginning is the reply's where the first tag is missing. */
function cut(reply: string, opened: number, end: number): string {
  const start = opened === -1 ? 0 : opened + '<think>'.length
  return reply
    .slice(start, end === -1 ? undefined : end)
    .trim()
    .slice(0, longestThought)
}

function withoutTags(text: string): string {
  return text.replace(/<\/?(?:think|action)>/gi, '\n')
}

/** Capitals of tags made small, character by character, so that places stay what they were. */
function asciiLower(text: string): string {
  return text.replace(/<\/?(?:think|action)>/gi, (tag) => tag.toLowerCase())
}
