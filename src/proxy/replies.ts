import type { Reply, TranslatedReply } from './conversation.js'
import type { Json } from './calls.js'
import { callsOf, fieldsOf, isObject, placeCall, placeCalls, placeFields, readCall } from './calls.js'
import { placeTexts, textsOf } from './wire.js'

/** Translates one choice of a reply. */
type Answer = (reply: Reply) => TranslatedReply

/** A server-sent event: its text, and its JSON if it has some. */
type Event = { readonly raw: string; readonly data?: Json }

interface TranslatedStream {
  readonly stream: string
  readonly replies: readonly TranslatedReply[]
}

/** Splits a stream of server-sent events. */
export function readEvents(stream: string): readonly Event[] {
  const events: Event[] = []
  const end = /\r?\n\r?\n/g
  for (let start = 0; start < stream.length; start = end.lastIndex) {
    end.lastIndex = start
    if (end.exec(stream) === null) end.lastIndex = stream.length
    events.push(readEvent(stream.slice(start, end.lastIndex)))
  }
  return events
}

function readEvent(raw: string): Event {
  const text = dataOf(raw.trimEnd())
  // An error of JSON takes far longer than a look at the text.
  if (!/^\s*\{/.test(text)) return { raw }
  try {
    const data = JSON.parse(text) as unknown
    return isObject(data) ? { raw, data } : { raw }
  } catch {
    return { raw }
  }
}

function dataOf(event: string): string {
  if (event.startsWith('data:') && !event.includes('\n')) return event.slice(5)
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  return lines.map((line) => line.slice(5)).join('\n')
}

/** An event with other data. */
function layEvent({ raw }: Event, data: Json): string {
  const others = raw.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('data:'))
  return [...others, `data: ${JSON.stringify(data)}\n\n`].join('\n')
}

/**
 * Translates the events of a reply: the first event with text carries all of the translated text, the others none.
 * Everything else stays unchanged, except that a changed reply loses its log-probabilities.
 * @param given the request as it came, whose texts a response repeats
 */
export function translateEvents(events: readonly Event[], answer: Answer, given: Json): TranslatedStream {
  const isResponse = events.some(({ data }) => typeof data?.type === 'string' && data.type.startsWith('response.'))
  return isResponse ? translateItemEvents(events, answer, given) : translateChoiceEvents(events, answer)
}

/** One choice of a streamed reply, joined. */
interface Choice {
  text: string
  readonly calls: { readonly id: unknown; name: string; arguments: string }[]
  /** The place of the latest call with an index. */
  readonly current: Map<number, number>
}

function translateChoiceEvents(events: readonly Event[], answer: Answer): TranslatedStream {
  const choices = new Map<number, Choice>()
  /** The call that a part of a stream belongs to: servers leave the index out, or give it to several calls. */
  const places = new Map<unknown, number>()
  for (const { index, text, calls } of events.flatMap(({ data }) => partsOf(data))) {
    const choice = choices.get(index) ?? { text: '', calls: [], current: new Map() }
    choices.set(index, choice)
    choice.text += text
    for (const call of calls) {
      const { name = '', arguments: more = '' } =
        readCall(placeFields(call, { name: String(fieldsOf(call)?.name ?? '') })) ?? {}
      const place = placeOf(call, choice)
      places.set(call, place)
      const joined = (choice.calls[place] ??= { id: call.id, name: '', arguments: '' })
      joined.name += name
      joined.arguments += more
    }
  }
  const answers = new Map(
    [...choices].map(([index, { text, calls: joined }]) => {
      const calls = Array.from(joined, (call) => ({ name: call?.name ?? '', arguments: call?.arguments ?? '' }))
      const translated = answer({ text, calls })
      return [index, { translated, isUnchanged: isSame({ reply: { text, calls }, translated }) }]
    }),
  )
  const sent = new Set<string>()
  const first = (key: string): boolean => !sent.has(key) && sent.add(key) !== undefined
  const stream = events.map((event) => {
    const { raw, data } = event
    if (data === undefined || !Array.isArray(data.choices)) return raw
    let isChanged = false
    const translated = (data.choices as unknown[]).map((choice) => {
      const index = isObject(choice) ? (indexOf(choice) ?? 0) : 0
      const known = answers.get(index)
      if (!isObject(choice) || known === undefined || known.isUnchanged) return choice
      isChanged = true
      return translateChoice(choice, known.translated, places, (key) => first(`${String(index)} ${key}`))
    })
    return isChanged ? layEvent(event, { ...data, choices: translated }) : raw
  })
  return { stream: stream.join(''), replies: [...answers.values()].map(({ translated }) => translated) }
}

const maxPlace = 1000

/** The place of a part of a call. Another id begins another call, whatever its index is. */
function placeOf(call: Json, { calls, current }: Choice): number {
  const { id } = call
  const index = indexOf(call)
  const known = index === undefined ? calls.length - 1 : (current.get(index) ?? index)
  const isOther = id !== undefined && id !== null && calls[known] !== undefined && calls[known].id !== id
  const place = Math.min(isOther ? calls.length : Math.max(0, known), maxPlace)
  if (index !== undefined) current.set(index, place)
  return place
}

/** Translates each choice of a reply that is one JSON object, or the items of a response. */
export function translateReply(
  body: Json,
  answer: Answer,
  given: Json,
): { readonly body: Json; readonly replies: readonly TranslatedReply[]; readonly isChanged: boolean } {
  if (Array.isArray(body.output)) {
    const { output, reply, isChanged } = translateItems(body.output, answer, body.id)
    const translated = layResponse(body, output, given)
    return { body: translated, replies: [reply], isChanged: isChanged || isOther(translated, body) }
  }
  const replies: TranslatedReply[] = []
  let isChanged = false
  const choices = Array.isArray(body.choices) ? (body.choices as unknown[]) : []
  const translated = choices.map((choice) => {
    if (!isObject(choice)) return choice
    const message = isObject(choice.message) ? choice.message : undefined
    const text = message === undefined ? choice.text : textsOf(message.content).join('')
    const reply = { text: typeof text === 'string' ? text : '', calls: callsOf(message?.tool_calls) }
    const one = answer(reply)
    replies.push(one)
    if (isSame({ reply, translated: one })) return choice
    isChanged = true
    const bare = 'logprobs' in choice ? { ...choice, logprobs: null } : choice
    if (message === undefined) return { ...bare, text: one.text }
    const calls = one.calls.length > 0 && { tool_calls: placeCalls(message.tool_calls, one.calls) }
    return { ...bare, message: { ...message, content: placeText(message.content, one.text), ...calls } }
  })
  return { body: { ...body, choices: translated }, replies, isChanged }
}

/** A content with all of the text in its first part. */
function placeText(content: unknown, text: string): unknown {
  const parts = textsOf(content)
  return parts.length === 0 ? content : placeTexts(content, [text, ...parts.slice(1).map(() => '')])
}

/** Whether a reply stays unchanged. */
function isSame({ reply, translated }: { readonly reply: Reply; readonly translated: Reply }): boolean {
  return reply.text === translated.text && !isOther(reply.calls, translated.calls)
}

function isOther(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other)
}

function translateChoice(
  choice: Json,
  { text, calls }: Reply,
  places: ReadonlyMap<unknown, number>,
  first: (key: string) => boolean,
): Json {
  const bare = 'logprobs' in choice ? { ...choice, logprobs: null } : choice
  const textFor = (part: string): string => (part !== '' && first('text') ? text : '')
  if (typeof choice.text === 'string') return { ...bare, text: textFor(choice.text) }
  const { delta } = choice
  if (!isObject(delta)) return bare
  return {
    ...bare,
    delta: {
      ...delta,
      ...(typeof delta.content === 'string' && { content: textFor(delta.content) }),
      ...(Array.isArray(delta.tool_calls) && {
        tool_calls: (delta.tool_calls as unknown[]).map((call) => {
          const place = places.get(call)
          const translated = place === undefined ? undefined : calls[place]
          if (translated === undefined) return call
          return placeCall(call as Json, first(`call ${String(place)}`) ? translated : { arguments: '' })
        }),
      }),
    },
  }
}

function partsOf(data: Json | undefined) {
  const choices = data !== undefined && Array.isArray(data.choices) ? (data.choices as unknown[]) : []
  return choices.filter(isObject).map((choice) => {
    const delta = isObject(choice.delta) ? choice.delta : choice
    const text = delta === choice ? choice.text : delta.content
    return {
      index: indexOf(choice) ?? 0,
      text: typeof text === 'string' ? text : '',
      calls: Array.isArray(delta.tool_calls) ? (delta.tool_calls as unknown[]).filter(isObject) : [],
    }
  })
}

/** Index of a choice or a call; bounded, since it becomes the index of a list. */
function indexOf({ index }: Json): number | undefined {
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < maxPlace ? index : undefined
}

/** Translates the items of a response, which are one reply. */
function translateItems(output: readonly unknown[], answer: Answer, id: unknown) {
  const items = output.filter(isObject)
  const isSpoken = ({ type }: Json): boolean => type === 'message'
  const text = items
    .filter(isSpoken)
    .flatMap(({ content }) => textsOf(content))
    .join('')
  const own: Reply = { text, calls: callsOf(items), ...(typeof id === 'string' && { id }) }
  const reply = answer(own)
  if (isSame({ reply: own, translated: reply })) return { output, reply, isChanged: false }
  let isFirst = true
  let next = 0
  const translated = output.map((item) => {
    if (!isObject(item)) return item
    if (readCall(item) !== undefined) return placeCall(item, reply.calls[next++] ?? {})
    if (!isSpoken(item) || textsOf(item.content).length === 0) return item
    const placed = placeText(item.content, isFirst ? reply.text : '') as readonly Json[]
    isFirst = false
    return { ...item, content: placed.map((part) => ('logprobs' in part ? { ...part, logprobs: [] } : part)) }
  })
  return { output: translated, reply, isChanged: true }
}

/** A response with other items, and with the harness's own wording of what it repeats from the request. */
function layResponse(response: Json, output: readonly unknown[], given: Json): Json {
  const repeated = ['instructions', 'tools', 'tool_choice'].filter((key) => key in given && response[key])
  return {
    ...response,
    ...Object.fromEntries(repeated.map((key) => [key, given[key]])),
    ...(Array.isArray(response.output) && response.output.length > 0 && { output }),
    ...(typeof response.output_text === 'string' && {
      output_text: output
        .filter(isObject)
        .flatMap(({ type, content }) => (type === 'message' ? textsOf(content) : []))
        .join(''),
    }),
  }
}

function translateItemEvents(events: readonly Event[], answer: Answer, given: Json): TranslatedStream {
  const items: Json[] = []
  const spoken: string[] = []
  let [output, id]: [readonly unknown[] | undefined, unknown] = [undefined, undefined]
  for (const { data = {} } of events) {
    const { response, item, delta, type } = data
    const at = typeof data.output_index === 'number' ? indexOf({ index: data.output_index }) : undefined
    if (isObject(response)) {
      id = response.id ?? id
      if (Array.isArray(response.output) && response.output.length > 0) output = response.output
    }
    if (at === undefined) continue
    if (isObject(item)) items[at] = item
    const isSaid = /\.(?:output_text|function_call_arguments|custom_tool_call_input)\.delta$/.test(String(type))
    if (isSaid && typeof delta === 'string') spoken[at] = (spoken[at] ?? '') + delta
  }
  // A stream that was cut has no complete items.
  const gathered = Array.from(items, (item = {}, at) => {
    const text = spoken[at]
    if (text === undefined || textsOf(item.content).length > 0 || (readCall(item)?.arguments ?? '') !== '') return item
    const content = [{ type: 'output_text', text }]
    return readCall(item) === undefined ? { ...item, content } : placeCall(item, { arguments: text })
  })
  const { output: translated, reply, isChanged } = translateItems(output ?? gathered, answer, id)
  const sent = new Set<string>()
  const first = (key: string): boolean => !sent.has(key) && sent.add(key) !== undefined
  const textAt = (item: unknown, at: unknown): string => {
    const part = isObject(item) && Array.isArray(item.content) ? (item.content as unknown[])[Number(at)] : undefined
    return isObject(part) && typeof part.text === 'string' ? part.text : ''
  }
  const layData = (data: Json): Json => {
    const { response, output_index: at, content_index: part, type } = data
    // Nothing that is long may take the place of much that is short.
    if (type !== undefined && !/delta$/.test(String(type)) && !first([type, at, part].join(' '))) return data
    if (isObject(response)) return { ...data, response: layResponse(response, translated, given) }
    const item = typeof at === 'number' ? translated[at] : undefined
    if (!isChanged || !isObject(item)) return data
    const call = readCall(item)
    const [, what, when] = /^response\.(\w+)\.(\w+)$/.exec(String(type)) ?? []
    const isDone = when === 'done'
    const said = (text: string): string => (first(`${String(at)} ${String(part)}`) ? text : '')
    switch (what) {
      case 'output_item': {
        if (isDone) return { ...data, item }
        const begun = data.item as Json
        const isBegun = (readCall(begun)?.arguments ?? '') === ''
        return { ...data, item: call === undefined ? begun : placeCall(begun, isBegun ? { name: call.name } : call) }
      }
      case 'content_part': {
        const whole = data.part as Json
        return isDone || whole.text ? { ...data, part: { ...whole, text: textAt(item, part) } } : data
      }
      case 'output_text': {
        const text = textAt(item, part)
        const bare = 'logprobs' in data ? { ...data, logprobs: [] } : data
        return isDone ? { ...bare, text } : { ...bare, delta: said(text) }
      }
      case 'function_call_arguments':
      case 'custom_tool_call_input': {
        if (call === undefined) return data
        const field = what === 'custom_tool_call_input' ? 'input' : 'arguments'
        const more = isDone ? { [field]: call.arguments } : { delta: said(call.arguments) }
        return { ...data, ...('name' in data && { name: call.name }), ...more }
      }
      default:
        return data
    }
  }
  const stream = events.map((event) => {
    if (event.data === undefined) return event.raw
    const data = layData(event.data)
    return data === event.data || !isOther(data, event.data) ? event.raw : layEvent(event, data)
  })
  return { stream: stream.join(''), replies: [reply] }
}
