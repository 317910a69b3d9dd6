import type { Reply, TranslatedReply } from './conversation.js'
import { isObject } from './tools.js'
import { callsOf, placeCalls, placeTexts, textsOf } from './wire.js'

type Json = Readonly<Record<string, unknown>>

/** A server-sent event: its text, and its JSON if it has some. */
type Event = { readonly raw: string; readonly data?: Json }

/** One choice of a streamed reply, joined. */
interface Choice {
  text: string
  readonly calls: { name: string; arguments: string }[]
}

/** Splits a stream of server-sent events. */
export function readEvents(stream: string): readonly Event[] {
  return stream.split(/(?<=\r?\n\r?\n)/).map((raw) => {
    const lines = raw.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
    try {
      const data = JSON.parse(lines.join('\n')) as unknown
      return isObject(data) ? { raw, data } : { raw }
    } catch {
      return { raw }
    }
  })
}

/**
 * Translates the events of a reply: the first event with text carries all of the translated text, the others none.
 * Everything else stays unchanged, except that a changed reply loses its log-probabilities.
 */
export function translateEvents(
  events: readonly Event[],
  answer: (reply: Reply) => TranslatedReply,
): { readonly stream: string; readonly replies: readonly TranslatedReply[] } {
  const choices = new Map<number, Choice>()
  for (const { index, text, calls } of events.flatMap(({ data }) => partsOf(data))) {
    const choice = choices.get(index) ?? { text: '', calls: [] }
    choices.set(index, choice)
    choice.text += text
    for (const { place, name, given } of calls) {
      const call = (choice.calls[place] ??= { name: '', arguments: '' })
      call.name += name
      call.arguments += given
    }
  }
  const answers = new Map(
    [...choices].map(([index, { text, calls }]) => [
      index,
      { reply: { text, calls }, translated: answer({ text, calls }) },
    ]),
  )
  const sent = new Set<string>()
  const first = (key: string): boolean => !sent.has(key) && sent.add(key) !== undefined
  const stream = events.map(({ raw, data }) => {
    if (data === undefined || !Array.isArray(data.choices)) return raw
    let isChanged = false
    const translated = (data.choices as unknown[]).map((choice) => {
      const index = isObject(choice) ? indexOf(choice) : 0
      const known = answers.get(index)
      if (!isObject(choice) || known === undefined || isSame(known)) return choice
      isChanged = true
      return translateChoice(choice, known.translated, (key) => first(`${String(index)} ${key}`))
    })
    return isChanged ? `data: ${JSON.stringify({ ...data, choices: translated })}\n\n` : raw
  })
  return { stream: stream.join(''), replies: [...answers.values()].map(({ translated }) => translated) }
}

/** Translates each choice of a reply that is one JSON object. */
export function translateReply(
  body: Json,
  answer: (reply: Reply) => TranslatedReply,
): { readonly body: Json; readonly replies: readonly TranslatedReply[]; readonly isChanged: boolean } {
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
    const parts = textsOf(message.content)
    const content =
      parts.length === 0 ? message.content : placeTexts(message.content, [one.text, ...parts.slice(1).map(() => '')])
    const calls = one.calls.length > 0 && { tool_calls: placeCalls(message.tool_calls, one.calls) }
    return { ...bare, message: { ...message, content, ...calls } }
  })
  return { body: { ...body, choices: translated }, replies, isChanged }
}

/** Whether a reply stays unchanged. */
function isSame({ reply, translated }: { readonly reply: Reply; readonly translated: Reply }): boolean {
  return reply.text === translated.text && JSON.stringify(reply.calls) === JSON.stringify(translated.calls)
}

function translateChoice(choice: Json, { text, calls }: Reply, first: (key: string) => boolean): Json {
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
          if (!isObject(call) || !isObject(call.function)) return call
          const place = indexOf(call)
          const translated = calls[place]
          if (translated === undefined) return call
          const isFirst = first(`call ${String(place)}`)
          const { arguments: given, ...rest } = call.function
          const changed = isFirst ? translated : given === undefined ? {} : { arguments: '' }
          return { ...call, function: { ...rest, ...changed } }
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
    const calls = Array.isArray(delta.tool_calls) ? (delta.tool_calls as unknown[]).filter(isObject) : []
    return {
      index: indexOf(choice),
      text: typeof text === 'string' ? text : '',
      calls: calls.map((call) => {
        const called = isObject(call.function) ? call.function : {}
        return {
          place: indexOf(call),
          name: typeof called.name === 'string' ? called.name : '',
          given: typeof called.arguments === 'string' ? called.arguments : '',
        }
      }),
    }
  })
}

/** Index of a choice or a call; bounded, since it becomes the index of a list. */
function indexOf({ index }: Json): number {
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < 1000 ? index : 0
}
