import type { Completion } from '../core/model.js'
import { copyText } from '../core/text.js'

/** Length reserved for the mark of a cut text. */
const markLength = 64

/**
 * A text of at most `max` UTF-16 code units (more than 64); a longer one is cut, with a mark such as
 * `… [cut: 131,008 of 3,000,000 characters]`. Cutting again with the same bound changes nothing.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return copyText(text)
  const end = max - markLength
  const kept = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
  return `${copyText(text.slice(0, kept))}… [cut: ${grouped(kept)} of ${grouped(text.length)} characters]`
}

/** Maximum text of an episode in UTF-16 code units; a line of the store holds it in any encoding. */
export const episodeRoom = 1 << 22
const shortText = 256

/** A JSON value as it is kept in an episode: once the episode's room is used up, every text is cut to 256. */
export function keepWithin<Value>(value: Value, room: { left: number }): Value {
  const size = lengthOf(value)
  if (size <= room.left) {
    room.left -= size
    return value
  }
  return cutAll(value) as Value
}

/** Characters of a value as JSON; Infinity for more than a string can have. */
function lengthOf(value: unknown): number {
  try {
    return JSON.stringify(value).length
  } catch (thrown) {
    if (thrown instanceof RangeError) return Infinity
    throw thrown
  }
}

function cutAll(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, shortText)
  if (Array.isArray(value)) return value.map(cutAll)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutAll(inner)]))
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}

/** Maximum sizes of one reply; texts in UTF-16 code units. */
export const replyBounds = {
  /** What the action is read from: about 32,000 tokens. */
  text: 1 << 17,
  /** About 128,000 tokens. */
  reasoning: 1 << 19,
  toolCalls: 32,
  toolName: 200,
  servedBy: 200,
  toolArguments: 1 << 14,
} as const

/**
 * A reply within the bounds: long texts are cut with a mark of their length. It shares no memory with the body that it
 * came in. Bounding a bounded reply changes nothing.
 */
export function boundReply(reply: Completion): Completion {
  let isCut = reply.tooLong === true
  const cut = (text: string, max: number): string => {
    isCut ||= text.length > max
    return cutText(text, max)
  }
  const { text, reasoning, toolCalls = [], servedBy, ...others } = reply
  const calls = toolCalls.slice(0, replyBounds.toolCalls).map((call) => ({
    name: cut(call.name, replyBounds.toolName),
    arguments: cut(call.arguments, replyBounds.toolArguments),
  }))
  const kept = {
    text: cut(text, replyBounds.text),
    ...(reasoning !== undefined && { reasoning: cut(reasoning, replyBounds.reasoning) }),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(servedBy !== undefined && { servedBy: cutText(servedBy, replyBounds.servedBy) }),
  }
  return { ...others, ...kept, ...((isCut || calls.length < toolCalls.length) && { tooLong: true }) }
}
