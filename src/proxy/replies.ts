import type { Json } from '../models/frames.js'
import { isObject, joinEvents, objectsIn, readEvents } from '../models/frames.js'
import { callsOf, placeCall, placeCalls, placeTexts, readCall, textsOf } from './wire.js'
import type { Reply, TranslatedReply } from './answers.js'

/** Translates one choice of a reply. */
type Answer = (reply: Reply) => TranslatedReply

/**
 * Translates a streamed reply: it is joined, translated as a whole, and streamed again. A stream in which nothing
 * changes stays as it came; a changed one loses its log-probabilities.
 * @param given the request as it came, whose texts a response repeats
 */
export function translateStream(
  stream: string,
  answer: Answer,
  given: Json,
): { readonly stream: string; readonly replies: readonly TranslatedReply[] } {
  const { events } = readEvents(stream)
  const isResponse = events.some(({ type }) => typeof type === 'string' && type.startsWith('response.'))
  const { body, replies, isChanged } = translateReply(
    isResponse ? joinItemEvents(events) : joinEvents(events),
    answer,
    given,
  )
  if (isResponse && objectsIn(body.output).length === 0) {
    return { stream, replies: replies.map((one) => ({ ...one, unread: 'the stream of a response has no whole item' })) }
  }
  if (!isChanged) return { stream, replies }
  return { stream: isResponse ? streamItems(body) : streamChoices(body), replies }
}

/** Translates each choice of a reply that is one JSON object, or the items of a response. */
export function translateReply(
  body: Json,
  answer: Answer,
  given: Json,
): { readonly body: Json; readonly replies: readonly TranslatedReply[]; readonly isChanged: boolean } {
  if (Array.isArray(body.output)) {
    const { output, reply, isChanged } = translateItems(body.output, answer)
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

/** Translates the items of a response, which are one reply. */
function translateItems(output: readonly unknown[], answer: Answer) {
  const items = output.filter(isObject)
  const isSpoken = ({ type }: Json): boolean => type === 'message'
  const text = items
    .filter(isSpoken)
    .flatMap(({ content }) => textsOf(content))
    .join('')
  const own: Reply = { text, calls: callsOf(items) }
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

/** The events of a response as one response. */
function joinItemEvents(events: readonly Json[]): Json {
  const response = events.flatMap((event) => (isObject(event.response) ? [event.response] : [])).at(-1) ?? {}
  if (objectsIn(response.output).length > 0) return response
  return {
    ...response,
    output: objectsIn(events.map(({ type, item }) => type === 'response.output_item.done' && item)),
  }
}

/** A completion as a stream: for each choice an event with all that it says, and one with its end. */
export function streamChoices({ choices, usage, error, ...head }: Json): string {
  const chunks = objectsIn(choices).flatMap(({ message, text, finish_reason: finish = null, ...more }): Json[] => {
    const isChat = isObject(message)
    const calls = isChat ? objectsIn(message.tool_calls).map((call, index) => ({ ...call, index })) : []
    const said = isChat ? { delta: { ...message, ...(calls.length > 0 && { tool_calls: calls }) } } : { text }
    return [
      { ...more, ...said, finish_reason: null },
      { ...more, ...(isChat ? { delta: {} } : { text: '' }), finish_reason: finish },
    ]
  })
  const events = [
    ...chunks.map((chunk) => ({ ...head, choices: [chunk] })),
    ...(isObject(usage) ? [{ ...head, choices: [], usage }] : []),
    ...(isObject(error) ? [{ error }] : []),
  ]
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`
}

/** A response as a stream of events, each text and each call in one piece. */
function streamItems(response: Json): string {
  const events: Json[] = []
  const add = (type: string, event: Json): void => {
    events.push({ type: `response.${type}`, sequence_number: events.length, ...event })
  }
  const begun = { ...response, status: 'in_progress', output: [] }
  add('created', { response: begun })
  for (const [index, item] of objectsIn(response.output).entries()) {
    const call = readCall(item)
    const place = { output_index: index }
    const at = { item_id: item.id, ...place }
    const parts = call === undefined ? objectsIn(item.content) : []
    const empty =
      call === undefined ? { ...item, ...(parts.length > 0 && { content: [] }) } : placeCall(item, { arguments: '' })
    add('output_item.added', { ...place, item: { ...empty, status: 'in_progress' } })
    if (call !== undefined) {
      const [kind, field] =
        item.type === 'custom_tool_call'
          ? ['custom_tool_call_input', 'input']
          : ['function_call_arguments', 'arguments']
      add(`${kind!}.delta`, { ...at, delta: call.arguments })
      add(`${kind!}.done`, { ...at, name: call.name, [field!]: call.arguments })
    }
    for (const [part, content] of parts.entries()) {
      const within = { ...at, content_index: part }
      const isText = content.type === 'output_text'
      add('content_part.added', { ...within, part: isText ? { ...content, text: '' } : content })
      if (isText) add('output_text.delta', { ...within, delta: content.text, logprobs: [] })
      if (isText) add('output_text.done', { ...within, text: content.text, logprobs: [] })
      add('content_part.done', { ...within, part: content })
    }
    add('output_item.done', { ...place, item })
  }
  const { status } = response
  if (typeof status === 'string' && status !== 'in_progress') add(status, { response })
  return events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}
