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
  const { text, reasoning, toolCalls, tooLong, servedBy, ...others } = reply
  const kept = {
    text: cutText(text, replyBounds.text),
    ...(reasoning !== undefined && { reasoning: cutText(reasoning, replyBounds.reasoning) }),
    ...(toolCalls && { toolCalls: boundCalls(toolCalls) }),
  }
  const isCut =
    kept.text.length < text.length ||
    (kept.reasoning?.length ?? 0) < (reasoning?.length ?? 0) ||
    sizeOf(kept.toolCalls) < sizeOf(toolCalls)
  return {
    ...others,
    ...kept,
    ...(servedBy !== undefined && { servedBy: cutText(servedBy, replyBounds.servedBy) }),
    ...((isCut || tooLong) && { tooLong: true }),
  }
}

type Calls = NonNullable<Completion['toolCalls']>

function boundCalls(calls: Calls): Calls {
  return calls.slice(0, replyBounds.toolCalls).map((call) => ({
    name: cutText(call.name, replyBounds.toolName),
    arguments: cutText(call.arguments, replyBounds.toolArguments),
  }))
}

function sizeOf(calls: Calls = []): number {
  return calls.reduce((sum, call) => sum + 1 + call.name.length + call.arguments.length, 0)
}
