import type { Answered, Said } from './conversation.js'
import { isObject } from './tools.js'

type Json = Readonly<Record<string, unknown>>

/** A stream of server-sent events as it came: text as it stands, and the JSON of those that have some. */
type Event = { readonly raw: string; readonly data?: Json }

/** One choice of a streamed reply, put together. */
interface Choice {
  text: string
  readonly calls: { name: string; arguments: string }[]
}

/** Takes a stream of server-sent events apart. */
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
 * The events of a reply with what was said translated: the whole of it stands in the first event that had some, and
 * nothing in the others. Everything else stays as it came; log-probabilities of a changed reply go.
 */
export function translateEvents(
  events: readonly Event[],
  answer: (said: Said) => Answered,
): { readonly stream: string; readonly answered: readonly Answered[] } {
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
      { said: { text, calls }, answered: answer({ text, calls }) },
    ]),
  )
  const told = new Set<string>()
  const first = (key: string): boolean => !told.has(key) && told.add(key) !== undefined
  const stream = events.map(({ raw, data }) => {
    if (data === undefined || !Array.isArray(data.choices)) return raw
    let isChanged = false
    const laid = (data.choices as unknown[]).map((choice) => {
      const index = isObject(choice) ? indexOf(choice) : 0
      const known = answers.get(index)
      if (!isObject(choice) || known === undefined || isSame(known)) return choice
      isChanged = true
      return translateChoice(choice, known.answered, (key) => first(`${String(index)} ${key}`))
    })
    return isChanged ? `data: ${JSON.stringify({ ...data, choices: laid })}\n\n` : raw
  })
  return { stream: stream.join(''), answered: [...answers.values()].map(({ answered }) => answered) }
}

/** Whether a reply is handed on as it came. */
export function isSame({ said, answered }: { readonly said: Said; readonly answered: Said }): boolean {
  return said.text === answered.text && JSON.stringify(said.calls) === JSON.stringify(answered.calls)
}

function translateChoice(choice: Json, { text, calls }: Said, first: (key: string) => boolean): Json {
  const bare = 'logprobs' in choice ? { ...choice, logprobs: null } : choice
  const say = (part: string): string => (part !== '' && first('text') ? text : '')
  if (typeof choice.text === 'string') return { ...bare, text: say(choice.text) }
  const { delta } = choice
  if (!isObject(delta)) return bare
  return {
    ...bare,
    delta: {
      ...delta,
      ...(typeof delta.content === 'string' && { content: say(delta.content) }),
      ...(Array.isArray(delta.tool_calls) && {
        tool_calls: (delta.tool_calls as unknown[]).map((call) => {
          if (!isObject(call) || !isObject(call.function)) return call
          const place = indexOf(call)
          const said = calls[place]
          if (said === undefined) return call
          const isFirst = first(`call ${String(place)}`)
          const { arguments: given, ...rest } = call.function
          const anew = isFirst ? said : given === undefined ? {} : { arguments: '' }
          return { ...call, function: { ...rest, ...anew } }
        }),
      }),
    },
  }
}

function partsOf(data: Json | undefined) {
  const choices = data !== undefined && Array.isArray(data.choices) ? (data.choices as unknown[]) : []
  return choices.filter(isObject).map((choice) => {
    const delta = isObject(choice.delta) ? choice.delta : choice
    const said = delta === choice ? choice.text : delta.content
    const calls = Array.isArray(delta.tool_calls) ? (delta.tool_calls as unknown[]).filter(isObject) : []
    return {
      index: indexOf(choice),
      text: typeof said === 'string' ? said : '',
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

/** Index of a choice or a call; bounded, as it becomes a place in a list. */
function indexOf({ index }: Json): number {
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < 1000 ? index : 0
}
