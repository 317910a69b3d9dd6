import type { Call } from './memory.js'
import type { Offered } from './tools.js'
import { isObject } from './tools.js'

type Json = Readonly<Record<string, unknown>>

/** One message of a request: its texts and function calls. */
interface WireMessage {
  readonly role: string
  readonly texts: readonly string[]
  readonly calls: readonly Call[]
}

/** The texts of a request. A plain completion is one user message. */
export interface WireRequest {
  readonly body: Json
  readonly messages: readonly WireMessage[]
  readonly tools: readonly unknown[]
}

/** Reads a request. @returns the request, or as a string why it cannot be read */
export function readWire(endpoint: 'chat' | 'completions', body: unknown): WireRequest | string {
  if (!isObject(body)) return 'its body is not a JSON object'
  if (endpoint === 'completions') {
    const { prompt } = body
    if (typeof prompt !== 'string') return 'its prompt is not one text'
    if (body.echo === true || typeof body.suffix === 'string') return 'it asks for an echo or has a suffix'
    return { body, messages: [{ role: 'user', texts: [prompt], calls: [] }], tools: [] }
  }
  const { messages, tools = [] } = body
  if (!Array.isArray(messages) || !messages.every(isObject)) return 'it has no list of messages'
  if (body.functions !== undefined) return "it has 'functions' instead of 'tools'"
  return {
    body,
    messages: messages.map((message) => ({
      role: String(message.role),
      texts: textsOf(message.content),
      calls: callsOf(message.tool_calls),
    })),
    tools: Array.isArray(tools) ? tools : [],
  }
}

/** The request with other texts, calls and tools. Everything else stays. */
export function layWire(
  { body, messages }: WireRequest,
  reworded: readonly Pick<WireMessage, 'texts' | 'calls'>[],
  offered: Offered,
): Json {
  if (!Array.isArray(body.messages) || messages.length === 0) return { ...body, prompt: reworded[0]!.texts[0] }
  const choice = body.tool_choice
  const chosen = isObject(choice) && isObject(choice.function) ? choice.function : undefined
  return {
    ...body,
    messages: (body.messages as Json[]).map((message, index) => {
      const { texts, calls } = reworded[index]!
      return {
        ...message,
        ...(messages[index]!.texts.length > 0 && { content: placeTexts(message.content, texts) }),
        ...(calls.length > 0 && { tool_calls: placeCalls(message.tool_calls, calls) }),
        ...(message.role === 'tool' && typeof message.name === 'string' && { name: offered.renamed(message.name) }),
      }
    }),
    ...(Array.isArray(body.tools) && { tools: offered.tools }),
    ...(isObject(choice) &&
      typeof chosen?.name === 'string' && {
        tool_choice: { ...choice, function: { ...chosen, name: offered.renamed(chosen.name) } },
      }),
  }
}

/** Every description in the functions of a request. */
export function describedIn(tools: readonly unknown[]): readonly string[] {
  const found: string[] = []
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look)
    if (!isObject(value)) return
    for (const [key, one] of Object.entries(value)) {
      if (key === 'description' && typeof one === 'string') found.push(one)
      else look(one)
    }
  }
  look(tools)
  return found
}

/** The texts of a content: a string, or the parts that are text. */
export function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: unknown) => (isTextPart(part) ? [part.text] : []))
}

/** The function calls of a message. */
export function callsOf(calls: unknown): readonly Call[] {
  return Array.isArray(calls) ? calls.flatMap((call: unknown) => readCall(call) ?? []) : []
}

/** A content with its texts replaced. */
export function placeTexts(content: unknown, texts: readonly string[]): unknown {
  if (!Array.isArray(content)) return texts[0]
  let next = 0
  return content.map((part: unknown) => (isTextPart(part) ? { ...part, text: texts[next++] } : part))
}

/** Calls with their functions and arguments replaced. */
export function placeCalls(calls: unknown, others: readonly Call[]): unknown {
  let next = 0
  return (calls as readonly unknown[]).map((call) => {
    if (readCall(call) === undefined) return call
    const { name, arguments: given } = others[next++]!
    return { ...(call as Json), function: { ...((call as Json).function as Json), name, arguments: given } }
  })
}

function readCall(call: unknown): Call | undefined {
  const called = isObject(call) ? call.function : undefined
  if (!isObject(called) || typeof called.name !== 'string') return undefined
  return { name: called.name, arguments: typeof called.arguments === 'string' ? called.arguments : '' }
}

function isTextPart(part: unknown): part is Json & { readonly text: string } {
  return isObject(part) && part.type === 'text' && typeof part.text === 'string'
}
