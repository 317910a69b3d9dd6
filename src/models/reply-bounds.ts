import { cutText } from './cut-text.js'
import type { Completion } from '../core/model.js'

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
