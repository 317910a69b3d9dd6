import { type Json, isObject, objectsIn } from '../files/json.js'
import { joinEvents, readEvents } from '../models/frames.js'
import type { Reply, TranslatedReply } from './answers.js'
import { type Growing, type Message, callsIn, textsIn } from './wire.js'

/** Translates one choice of a reply. */
type Answer = (reply: Reply) => TranslatedReply

/**
 * Translates a streamed reply: it is joined, translated as a whole, and streamed again. A stream in which nothing
 * changes stays as it came; a changed one loses its log-probabilities.
 * @param sent the request as it came, whose texts a response repeats
 */
export function translateStream(
  stream: string,
  answer: Answer,
  sent: Json,
): { readonly stream: string; readonly replies: readonly TranslatedReply[] } {
  const { events } = readEvents(stream)
  const isResponse = events.some(({ type }) => typeof type === 'string' && type.startsWith('response.'))
  const whole = isResponse ? joinItemEvents(events) : joinEvents(events)
  const { body, replies, isChanged } = translateReply(whole, answer, sent)
  if (isResponse && objectsIn(body.output).length === 0) {
    return {
      stream,
      replies: replies.map((reply) => ({ ...reply, unread: 'the stream of a response has no whole item' })),
    }
  }
  if (!isChanged) return { stream, replies }
  return { stream: isResponse ? streamItems(body) : streamChoices(body), replies }
}

/** Translates each choice of a reply that is one JSON object, or the items of a response, which are one reply. */
export function translateReply(
  sent: Json,
  answer: Answer,
  request: Json,
): { readonly body: Json; readonly replies: readonly TranslatedReply[]; readonly isChanged: boolean } {
  const body = structuredClone(sent) as Growing
  const choices = Array.isArray(body.output) ? [responseIn(body)] : objectsIn(body.choices).map(choiceIn)
  const replies = choices.map(({ texts, calls, forget }) => {
    const reply = { text: texts.map(({ value }) => value).join(''), calls: calls.map(({ value }) => value) }
    const translated = answer(reply)
    if (reply.text === translated.text && JSON.stringify(reply.calls) === JSON.stringify(translated.calls)) {
      return translated
    }
    texts.forEach(({ set }, index) => set(index === 0 ? translated.text : ''))
    calls.forEach(({ value, set }, index) => set(translated.calls[index] ?? value))
    forget()
    return translated
  })
  if (Array.isArray(body.output)) layRepeated(body, request)
  return { body, replies, isChanged: JSON.stringify(body) !== JSON.stringify(sent) }
}

/** One reply in a body, and how to leave out the log-probabilities that it no longer has. */
interface Choice extends Omit<Message, 'role'> {
  forget(): void
}

function choiceIn(choice: Json): Choice {
  const holder = choice as Growing
  const message = isObject(choice.message) ? (choice.message as Growing) : undefined
  return {
    texts: message === undefined ? textsIn(holder, 'text') : textsIn(message, 'content'),
    calls: callsIn(message?.tool_calls),
    forget() {
      if ('logprobs' in holder) holder.logprobs = null
    },
  }
}

function messagesOf(output: unknown): readonly Growing[] {
  return objectsIn(output).filter(({ type }) => type === 'message') as readonly Growing[]
}

function responseIn({ output }: Growing): Choice {
  const messages = messagesOf(output)
  return {
    texts: messages.flatMap((item) => textsIn(item, 'content')),
    calls: callsIn(output),
    forget() {
      const parts = messages.flatMap(({ content }) => objectsIn(content)) as readonly Growing[]
      for (const part of parts) if ('logprobs' in part) part.logprobs = []
    },
  }
}

/** The harness's own wording of what a response repeats of the request and of its items. */
function layRepeated(body: Growing, request: Json): void {
  for (const key of ['instructions', 'tools', 'tool_choice']) if (key in request && body[key]) body[key] = request[key]
  if (typeof body.output_text !== 'string') return
  const texts = messagesOf(body.output).flatMap((item) => textsIn(item, 'content'))
  body.output_text = texts.map(({ value }) => value).join('')
}

/** The events of a response as one response. */
function joinItemEvents(events: readonly Json[]): Json {
  const response = events.flatMap((event) => (isObject(event.response) ? [event.response] : [])).at(-1) ?? {}
  if (objectsIn(response.output).length > 0) return response
  const output = objectsIn(events.map(({ type, item }) => type === 'response.output_item.done' && item))
  return { ...response, output }
}

/** A completion as a stream: for each choice an event with all that it says, and one with its end. */
export function streamChoices({ choices, usage, error, ...head }: Json): string {
  const chunks = objectsIn(choices).flatMap(({ message, text, finish_reason: finish = null, ...more }): Json[] => {
    const isChat = isObject(message)
    const calls = isChat ? objectsIn(message.tool_calls).map((call, index) => ({ ...call, index })) : []
    const part = isChat ? { delta: { ...message, ...(calls.length > 0 && { tool_calls: calls }) } } : { text }
    return [
      { ...more, ...part, finish_reason: null },
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
  add('created', { response: { ...response, status: 'in_progress', output: [] } })
  for (const [index, item] of objectsIn(response.output).entries()) {
    const field = ['arguments', 'input'].find((name) => typeof item[name] === 'string')
    const place = { output_index: index }
    const at = { item_id: item.id, ...place }
    const parts = objectsIn(item.content)
    const empty = { ...item, ...(field && { [field]: '' }), ...(parts.length > 0 && { content: [] }) }
    add('output_item.added', { ...place, item: { ...empty, status: 'in_progress' } })
    if (field !== undefined) {
      const kind = field === 'input' ? 'custom_tool_call_input' : 'function_call_arguments'
      add(`${kind}.delta`, { ...at, delta: item[field] })
      add(`${kind}.done`, { ...at, name: item.name, [field]: item[field] })
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
