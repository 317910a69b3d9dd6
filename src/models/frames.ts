import { parseJson } from '../core/episode.js'

type Json = Record<string, unknown>

/**
 * The JSON of an answer, whatever frame it came in: also as a stream of events, which some servers send unasked, and
 * with comments in front of it or the terminator of a stream behind it. Undefined where there is none.
 */
export function readFrames(text: string): unknown {
  const json = parseJson(text)
  if (json !== undefined) return json
  const lines = text.split(/\r\n|\n|\r/).filter((line) => !/^(?::|event:|id:|retry:)/.test(line))
  return parseJson(withoutEnding(withoutEnding(lines.join('\n'), '[DONE]'), 'data:')) ?? joinChunks(lines)
}

function withoutEnding(text: string, ending: string): string {
  const end = text.trimEnd()
  return end.endsWith(ending) ? end.slice(0, -ending.length) : end
}

/** The chunks of a stream as one completion; undefined where it is cut off. */
function joinChunks(lines: readonly string[]): unknown {
  const events = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim())
  const isDone = events.at(-1) === '[DONE]'
  const chunks = objectsIn(events.map(parseJson))
  const failed = chunks.find((chunk) => chunk['error'] !== undefined && chunk['error'] !== null)
  if (failed !== undefined) return failed
  if (chunks.length < events.length - Number(isDone) || chunks.length === 0) return undefined
  let choice: Json = {}
  for (const chunk of chunks) {
    const [first] = Array.isArray(chunk['choices']) ? (chunk['choices'] as unknown[]) : []
    // One choice is requested; chunks of others are ignored, as other choices are.
    if (asObject(first) && !(Number((first as Json)['index']) > 0)) choice = addChoice(choice, first as Json)
  }
  const isFinished = choice['finish_reason'] !== undefined
  if (!isDone && !isFinished) return undefined
  return { ...Object.assign({}, ...chunks.map(withoutNulls)), choices: [choice] } as unknown
}

/** Texts grow, calls are merged by their index, and of anything else the last value that is not null stands. */
function addChoice(choice: Json, { delta, message, logprobs, text, ...more }: Json): Json {
  const part = asObject(delta) ?? asObject(message)
  const before = asObject(choice['logprobs'])
  return {
    ...choice,
    ...withoutNulls(more),
    ...(typeof text === 'string' && { text: joinText(choice['text'], text) }),
    ...(part && { message: addMessage(asObject(choice['message']) ?? {}, part) }),
    ...(asObject(logprobs) && { logprobs: joinLists(before ?? {}, logprobs as Json) }),
  }
}

function addMessage(message: Json, { tool_calls: calls, role, ...texts }: Json): Json {
  const joined: Json = { ...message, ...(typeof role === 'string' && { role }) }
  for (const [name, value] of Object.entries(withoutNulls(texts))) {
    Object.defineProperty(joined, name, { value: joinText(message[name], value), enumerable: true, writable: true })
  }
  return Array.isArray(calls) ? { ...joined, tool_calls: addCalls(message['tool_calls'], calls) } : joined
}

/** A piece without an index belongs to the last call, unless it has a name or an id of its own. */
function addCalls(before: unknown, pieces: readonly unknown[]): readonly Json[] {
  const calls = Array.isArray(before) ? ([...before] as Json[]) : []
  for (const piece of objectsIn(pieces)) {
    const called = asObject(piece['function']) ?? {}
    const { index, id } = piece
    const isNew = (called['name'] ?? '') !== ''
    const known = calls.findIndex(
      (call) => call['index'] === index && (id === undefined || call['id'] === id || !isNew),
    )
    const at = index === undefined ? (isNew ? -1 : calls.length - 1) : known
    const call = calls[at] ?? { ...piece, function: {} }
    const own = asObject(call['function']) ?? {}
    const given = called['arguments']
    const joined = {
      ...call,
      function: {
        name: joinText(own['name'], called['name']),
        arguments: typeof given === 'string' ? joinText(own['arguments'], given) : (given ?? own['arguments'] ?? ''),
      },
    }
    if (at === -1) calls.push(joined)
    else calls[at] = joined
  }
  return calls
}

function joinText(before: unknown, added: unknown): unknown {
  if (typeof added !== 'string') return added ?? before
  return typeof before === 'string' ? before + added : added
}

function joinLists(before: Json, added: Json): Json {
  const lists = Object.entries(added).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  return Object.fromEntries(
    lists.map(([name, list]) => [name, [...((before[name] as unknown[] | undefined) ?? []), ...list]]),
  )
}

function withoutNulls(json: Json): Json {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null && value !== undefined))
}

function objectsIn(values: readonly unknown[]): readonly Json[] {
  return values.map(asObject).filter((one) => one !== undefined)
}

function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
}
