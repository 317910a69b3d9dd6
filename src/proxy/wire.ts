import { parseJson } from '../files/json.js'
import type { Json } from '../models/frames.js'
import { isObject } from '../models/frames.js'

/** The interfaces of model servers that a proxy translates. */
export type Endpoint = 'chat' | 'completions' | 'responses'

/** One message of a request: its texts and function calls. */
export interface WireMessage {
  readonly role: string
  readonly texts: readonly string[]
  readonly calls: readonly Call[]
}

type Reworded = Pick<WireMessage, 'texts' | 'calls'>

/** The functions of a request under their names for the model. */
interface Functions {
  readonly tools: readonly unknown[]
  renamed(name: string): string
}

/** The texts of a request. A plain completion is one user message. */
export interface WireRequest {
  readonly messages: readonly WireMessage[]
  readonly tools: readonly unknown[]
  /** What the server has and the proxy has not. */
  readonly hidden?: string
  /** The request with other texts, calls and tools. Everything else stays. */
  lay(reworded: readonly Reworded[], offered: Functions): Json
}

/** Reads a request. @returns the request, or as a string why it cannot be read */
export function readWire(endpoint: Endpoint, body: unknown): WireRequest | string {
  if (!isObject(body)) return 'its body is not a JSON object'
  return readers[endpoint](body)
}

const readers: Readonly<Record<Endpoint, (body: Json) => WireRequest | string>> = {
  completions(body) {
    const { prompt } = body
    if (typeof prompt !== 'string') return 'its prompt is not one text'
    if (body.echo === true || typeof body.suffix === 'string') return 'it asks for an echo or has a suffix'
    return {
      messages: [{ role: 'user', texts: [prompt], calls: [] }],
      tools: [],
      lay: (reworded) => ({ ...body, prompt: reworded[0]!.texts[0] }),
    }
  },
  chat(body) {
    const { messages, tools = [] } = body
    if (!Array.isArray(messages) || !messages.every(isObject)) return 'it has no list of messages'
    if (body.functions !== undefined) return "it has 'functions' instead of 'tools'"
    const given: readonly Json[] = messages
    return {
      messages: given.map((message) => ({
        role: String(message.role),
        texts: textsOf(message.content),
        calls: callsOf(message.tool_calls),
      })),
      tools: Array.isArray(tools) ? tools : [],
      lay: (reworded, offered) => ({
        ...body,
        messages: given.map((message, index) => {
          const { texts, calls } = reworded[index]!
          return {
            ...message,
            ...(textsOf(message.content).length > 0 && { content: placeTexts(message.content, texts) }),
            ...(calls.length > 0 && { tool_calls: placeCalls(message.tool_calls, calls) }),
            ...(message.role === 'tool' && typeof message.name === 'string' && { name: offered.renamed(message.name) }),
          }
        }),
        ...layTools(body, offered),
      }),
    }
  },
  responses(body) {
    const { input, instructions, tools = [] } = body
    const items: unknown = typeof input === 'string' ? [{ role: 'user', content: input }] : input
    if (!Array.isArray(items) || !items.every(isObject)) return 'its input is neither a text nor a list of items'
    if (body.background === true) return 'it asks for a reply in the background'
    const messages: { role: string; texts: string[]; calls: Call[] }[] = []
    const begin = (role: string) => messages[messages.push({ role, texts: [], calls: [] }) - 1]!
    if (typeof instructions === 'string') begin('system').texts.push(instructions)
    // The items of one reply are one message, as in a chat.
    const places = items.map((item) => {
      const [call, texts] = [readCall(item), textsOf(contentOf(item))]
      if (call === undefined && texts.length === 0) return undefined
      const role = call === undefined ? String(item.role ?? 'tool') : 'assistant'
      const message = role === 'assistant' && messages.at(-1)?.role === role ? messages.at(-1)! : begin(role)
      const place = { message: messages.length - 1, text: message.texts.length, call: message.calls.length }
      if (call !== undefined) message.calls.push(call)
      message.texts.push(...texts)
      return place
    })
    const isHidden =
      body.previous_response_id ??
      body.conversation ??
      body.prompt ??
      items.find(({ type }) => type === 'item_reference')
    return {
      messages,
      tools: Array.isArray(tools) ? tools : [],
      ...(isHidden && { hidden: 'a part of its conversation is kept by the server alone' }),
      lay(reworded, offered) {
        const laid = items.map((item, index) => {
          const place = places[index]
          if (place === undefined) return item
          const { texts, calls } = reworded[place.message]!
          if (readCall(item) !== undefined) return placeCall(item, calls[place.call]!)
          const content = placeTexts(contentOf(item), texts.slice(place.text))
          return { ...item, [item.output === undefined ? 'content' : 'output']: content }
        })
        return {
          ...body,
          ...(typeof instructions === 'string' && { instructions: reworded[0]!.texts[0] }),
          input: typeof input === 'string' ? reworded.at(-1)!.texts[0] : laid,
          ...layTools(body, offered),
        }
      },
    }
  },
}

function contentOf({ content, output }: Json): unknown {
  return output ?? content
}

function layTools(body: Json, offered: Functions): Json {
  return {
    ...(Array.isArray(body.tools) && { tools: offered.tools }),
    ...(isObject(body.tool_choice) && { tool_choice: mapTexts(body.tool_choice, /^name$/, offered.renamed) }),
  }
}

/** The texts of a content: a string, or the parts that are text. */
export function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: unknown) => (isTextPart(part) ? [part.text] : []))
}

/** A content with its texts replaced. */
export function placeTexts(content: unknown, texts: readonly string[]): unknown {
  if (!Array.isArray(content)) return texts[0]
  let next = 0
  return content.map((part: unknown) => (isTextPart(part) ? { ...part, text: texts[next++] } : part))
}

function isTextPart(part: unknown): part is Json & { readonly text: string } {
  return isObject(part) && /^(?:input_|output_)?text$/.test(String(part.type)) && typeof part.text === 'string'
}

/** A function call as chat completions writes it. */
export interface Call {
  readonly name: string
  /** JSON text, as it came. */
  readonly arguments: string
}

/** The arguments of a call; undefined if they are not the JSON of an object. */
export function readArguments(text: string): Json | undefined {
  const value = text.trim() === '' ? {} : parseJson(text)
  return isObject(value) ? value : undefined
}

/** The function calls of a message. */
export function callsOf(calls: unknown): readonly Call[] {
  return Array.isArray(calls) ? calls.flatMap((call: unknown) => readCall(call) ?? []) : []
}

/** Entries with the calls among them replaced. */
export function placeCalls(entries: unknown, calls: readonly Call[]): unknown {
  let next = 0
  return (entries as readonly unknown[]).map((entry) =>
    readCall(entry) === undefined ? entry : placeCall(entry as Json, calls[next++]!),
  )
}

/**
 * Where a call, or a function that is offered, has its name and what is given to it: in itself, or below a key. Custom
 * tools take a text as input.
 */
function placeIn(entry: unknown) {
  if (!isObject(entry)) return undefined
  const { type, function: called, custom } = entry
  if (isObject(called)) return { part: called, field: 'arguments', key: 'function' }
  if (isObject(custom)) return { part: custom, field: 'input', key: 'custom' }
  if (type === 'custom_tool_call') return { part: entry, field: 'input' }
  return /^(?:function|function_call|custom)$/.test(String(type)) ? { part: entry, field: 'arguments' } : undefined
}

/** The fields of a call, or of a function that is offered. */
export function fieldsOf(entry: unknown): Json | undefined {
  return placeIn(entry)?.part
}

/**
 * The call of an entry of `tool_calls`, of an item of a response, or of an offered function; undefined if it is none.
 */
export function readCall(entry: unknown): Call | undefined {
  const { part, field = '' } = placeIn(entry) ?? {}
  if (part === undefined || typeof part.name !== 'string') return undefined
  const given = part[field]
  return { name: part.name, arguments: typeof given === 'string' ? given : '' }
}

/** An entry with other fields of its call. */
export function placeFields<T>(entry: T, fields: Json): T | Json {
  const { part, key } = placeIn(entry) ?? {}
  if (part === undefined) return entry
  const placed = { ...part, ...fields }
  return key === undefined ? placed : { ...(entry as Json), [key]: placed }
}

/** An entry with another name and other arguments, as far as they are given. */
export function placeCall(entry: Json, { name, arguments: given }: Partial<Call>): Json {
  const { field = '' } = placeIn(entry) ?? {}
  return placeFields(entry, { ...(name !== undefined && { name }), ...(given !== undefined && { [field]: given }) })
}

/** A value with its texts under some keys replaced, also those of lists. */
export function mapTexts(value: unknown, keys: RegExp, map: (text: string) => string, key = ''): unknown {
  if (typeof value === 'string') return keys.test(key) ? map(value) : value
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, keys, map, key))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, keys, map, name)]))
}

/** The keys of an offered function whose texts a model reads. */
export const toldKeys = /^(?:description|enum|const|examples)$/
