import { type Json, isObject, objectsIn, parseJson } from '../files/json.js'

/** The interfaces of model servers that a proxy translates. */
export type Endpoint = 'chat' | 'completions' | 'responses'

/** A function call as chat completions writes it. */
export interface Call {
  readonly name: string
  /** JSON text, as it came. */
  readonly arguments: string
}

/** A text or a call in a body, which can be replaced there. */
export interface Slot<T> {
  readonly value: T
  set(value: T): void
}

/** One message of a request, or one reply: its texts and function calls. */
export interface Message {
  readonly role: string
  readonly texts: Slot<string>[]
  readonly calls: Slot<Call>[]
}

/** The texts of a request. A plain completion is one user message. */
export interface WireRequest {
  /** A copy of the request, of which the slots are parts. */
  readonly body: Growing
  readonly messages: readonly Message[]
  readonly tools: readonly unknown[]
  /** What the server has and the proxy has not. */
  readonly hidden?: string
}

/** A JSON object that is changed in place. */
export type Growing = Record<string, unknown>

/** Reads a request. @returns the request, or as a string why it cannot be read */
export function readWire(endpoint: Endpoint, request: unknown): WireRequest | string {
  if (!isObject(request)) return 'its body is not a JSON object'
  const body = structuredClone(request) as Growing
  const messages = readers[endpoint](body)
  if (typeof messages === 'string') return messages
  const isHidden =
    endpoint === 'responses' &&
    (body.previous_response_id ?? body.conversation ?? body.prompt ?? itemsOf(body.input).find(isReference))
  return {
    body,
    messages,
    tools: Array.isArray(body.tools) ? body.tools : [],
    ...(isHidden && { hidden: 'a part of its conversation is kept by the server alone' }),
  }
}

const itemsOf = (input: unknown): readonly Growing[] => objectsIn(input) as readonly Growing[]
const isReference = ({ type }: Json): boolean => type === 'item_reference'

const readers: Readonly<Record<Endpoint, (body: Growing) => readonly Message[] | string>> = {
  completions(body) {
    if (typeof body.prompt !== 'string') return 'its prompt is not one text'
    if (body.echo === true || typeof body.suffix === 'string') return 'it asks for an echo or has a suffix'
    return [{ role: 'user', texts: textsIn(body, 'prompt'), calls: [] }]
  },
  chat({ messages, functions }) {
    if (!Array.isArray(messages) || !messages.every(isObject)) return 'it has no list of messages'
    if (functions !== undefined) return "it has 'functions' instead of 'tools'"
    return itemsOf(messages).map((message) => ({
      role: String(message.role),
      texts: textsIn(message, 'content'),
      calls: callsIn(message.tool_calls),
    }))
  },
  responses(body) {
    const { input } = body
    const isText = typeof input === 'string'
    if (!isText && !(Array.isArray(input) && input.every(isObject)))
      return 'its input is neither a text nor a list of items'
    if (body.background === true) return 'it asks for a reply in the background'
    const messages: Message[] = []
    const begin = (role: string): Message => messages[messages.push({ role, texts: [], calls: [] }) - 1]!
    begin('system').texts.push(...textsIn(body, 'instructions'))
    if (isText) begin('user').texts.push(...textsIn(body, 'input'))
    // The items of one reply are one message, as in a chat.
    for (const item of itemsOf(input)) {
      const calls = callsIn([item])
      const texts = textsIn(item, item.output === undefined ? 'content' : 'output')
      if (calls.length === 0 && texts.length === 0) continue
      const role = calls.length === 0 ? String(item.role ?? 'tool') : 'assistant'
      const last = messages.at(-1)!
      const message = role === 'assistant' && last.role === role ? last : begin(role)
      message.calls.push(...calls)
      message.texts.push(...texts)
    }
    return messages.filter(({ texts, calls }) => texts.length + calls.length > 0)
  },
}

/** The texts of a field: a string, or the parts of a list that are text. */
export function textsIn(holder: Growing, field: string): Slot<string>[] {
  const content = holder[field]
  const slot = (at: Growing, key: string, value: string): Slot<string> => ({ value, set: (text) => (at[key] = text) })
  if (typeof content === 'string') return [slot(holder, field, content)]
  return itemsOf(content).flatMap((part) =>
    /^(?:input_|output_)?text$/.test(String(part.type)) && typeof part.text === 'string'
      ? [slot(part, 'text', part.text)]
      : [],
  )
}

/** The function calls among entries of `tool_calls`, or items of a response. */
export function callsIn(entries: unknown): Slot<Call>[] {
  return itemsOf(entries).flatMap((entry) => {
    const { part, field } = placeIn(entry) ?? {}
    if (part === undefined || typeof part.name !== 'string') return []
    const value = part[field!]
    const set = (call: Call): void => void Object.assign(part, { name: call.name, [field!]: call.arguments })
    return [{ value: { name: part.name, arguments: typeof value === 'string' ? value : '' }, set }]
  })
}

/**
 * Where a call, or a function that is offered, has its name and what is given to it: in itself, or below a key. Custom
 * tools take a text as input.
 */
function placeIn(entry: Growing): { readonly part: Growing; readonly field: string } | undefined {
  const { type, function: called, custom } = entry
  if (isObject(called)) return { part: called as Growing, field: 'arguments' }
  if (isObject(custom)) return { part: custom as Growing, field: 'input' }
  if (type === 'custom_tool_call') return { part: entry, field: 'input' }
  return /^(?:function|function_call|custom)$/.test(String(type)) ? { part: entry, field: 'arguments' } : undefined
}

/** The fields of a call, or of a function that is offered, in place. */
export function fieldsOf(entry: unknown): Growing | undefined {
  return isObject(entry) ? placeIn(entry as Growing)?.part : undefined
}

/** The arguments of a call; undefined if they are not the JSON of an object. */
export function readArguments(text: string): Json | undefined {
  const value = text.trim() === '' ? {} : parseJson(text)
  return isObject(value) ? value : undefined
}

/** A value with its texts under some keys replaced, also those of lists. */
export function mapTexts(value: unknown, keys: RegExp, map: (text: string) => string, key = ''): unknown {
  if (typeof value === 'string') return keys.test(key) ? map(value) : value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, keys, map, key))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, keys, map, name)]))
}

/** The keys of an offered function whose texts a model reads. */
export const toldKeys = /^(?:description|enum|const|examples)$/
