import { type Json, isObject, objectsIn, parseJson } from '../files/json.js'

type Growing = Record<string, unknown>

/**
 * The JSON of an answer, whatever frame it came in: also as a stream of events, which some servers send unasked, and
 * with comments in front of it or the terminator of a stream behind it. Undefined where there is none, and for a stream
 * that is cut off.
 */
export function readFrames(text: string): unknown {
  const json = parseJson(text)
  if (json !== undefined) return json
  const lines = text.split(lineEnds).filter((line) => !/^(?::|event:|id:|retry:)/.test(line))
  const framed = parseJson(withoutEnding(withoutEnding(lines.join('\n'), '[DONE]'), 'data:'))
  if (framed !== undefined) return framed
  const { events, isDone, isDamaged } = readEvents(text)
  if (events.some(isFailure)) return joinEvents(events)
  if (isDamaged || events.length === 0) return undefined
  const joined = joinEvents(events)
  return isDone || joined.choices.some((choice) => choice['finish_reason'] !== undefined) ? joined : undefined
}

const lineEnds = /\r\n|\n|\r/

function withoutEnding(text: string, ending: string): string {
  const end = text.trimEnd()
  return end.endsWith(ending) ? end.slice(0, -ending.length) : end
}

function isFailure({ error }: Json): boolean {
  return error !== undefined && error !== null
}

/**
 * Reads a stream of server-sent events: the JSON objects in it, whether it has its terminator, and whether it has data
 * that is no JSON object.
 */
export function readEvents(text: string) {
  const events: Json[] = []
  let isDone = false
  let isDamaged = false
  let data: string[] = []
  const end = (): void => {
    // The data of an event may be on several lines; some servers leave out the blank lines between events.
    const whole = data.length > 1 ? parseObject(data.join('\n')) : undefined
    for (const event of whole === undefined ? data.map(parseObject) : [whole]) {
      if (event === undefined) isDamaged = true
      else events.push(event)
    }
    data = []
  }
  for (const line of text.split(lineEnds)) {
    if (!line.startsWith('data:')) end()
    else if (line.slice(5).trim() === '[DONE]') isDone = true
    else data.push(line.slice(5))
  }
  end()
  return { events, isDone, isDamaged }
}

/** An error of JSON takes far longer than a look at the text. */
function parseObject(text: string): Json | undefined {
  const value = /^\s*\{/.test(text) ? parseJson(text) : undefined
  return isObject(value) ? value : undefined
}

/**
 * The chunks of a stream as one completion, with its choices in order. Texts grow, calls are merged, and of anything
 * else the last value that is not null stands.
 */
export function joinEvents(events: readonly Json[]): Json & { readonly choices: readonly Json[] } {
  const joined: Growing = {}
  const choices = new Map<number, Growing>()
  for (const { choices: parts, ...more } of events) {
    Object.assign(joined, withoutNulls(more))
    for (const choice of objectsIn(parts)) {
      const index = typeof choice['index'] === 'number' ? choice['index'] : 0
      const known = choices.get(index) ?? { index }
      choices.set(index, known)
      addChoice(known, choice)
    }
  }
  return { ...joined, choices: [...choices].sort(([one], [other]) => one - other).map(([, choice]) => choice) }
}

function addChoice(choice: Growing, { delta, message, logprobs, text, ...more }: Json): void {
  Object.assign(choice, withoutNulls(more))
  if (typeof text === 'string') choice['text'] = joinText(choice['text'], text)
  const part = isObject(delta) ? delta : message
  if (isObject(part)) addMessage((choice['message'] ??= {}) as Growing, part)
  if (!isObject(logprobs)) return
  const lists = (choice['logprobs'] ??= {}) as Record<string, unknown[]>
  for (const [name, list] of Object.entries(withoutNulls(logprobs))) {
    if (Array.isArray(list)) for (const item of list) (lists[name] ??= []).push(item)
  }
}

function addMessage(message: Growing, { tool_calls: calls, role, ...more }: Json): void {
  if (typeof role === 'string') message['role'] = role
  for (const [name, value] of Object.entries(withoutNulls(more))) message[name] = joinText(message[name], value)
  for (const piece of objectsIn(calls)) addCall((message['tool_calls'] ??= []) as Growing[], piece)
}

/** Pieces of further calls are added to the last one: no reply has so many. */
const maxCalls = 1000

/**
 * A piece with a name begins a call, unless its index and id are those of an earlier one. A piece without an index
 * belongs to the last call: servers leave the index out, or give it to several calls.
 */
function addCall(calls: Growing[], piece: Json): void {
  const [key, field] = isObject(piece['custom']) ? (['custom', 'input'] as const) : (['function', 'arguments'] as const)
  const part = isObject(piece[key]) ? piece[key] : {}
  const { index, id } = piece
  const isNamed = (part['name'] ?? '') !== ''
  const isFull = calls.length >= maxCalls
  const known =
    isFull || (index === undefined && !isNamed)
      ? calls.at(-1)
      : index === undefined
        ? undefined
        : calls.findLast(
            (call) => call['index'] === index && (id === undefined || id === null || call['id'] === id || !isNamed),
          )
  const call = known ?? { ...piece, [key]: {} }
  if (known === undefined) calls.push(call)
  const member = (call[key] ??= {}) as Growing
  member['name'] = joinText(member['name'], part['name'])
  const value = part[field]
  member[field] = typeof value === 'string' ? joinText(member[field], value) : (value ?? member[field] ?? '')
}

function joinText(before: unknown, added: unknown): unknown {
  if (typeof added !== 'string') return added ?? before
  return typeof before === 'string' ? before + added : added
}

/** The fields with a value; one with the name of the prototype would set it where it is assigned. */
function withoutNulls(json: Json): Json {
  const fields = Object.entries(json)
  return Object.fromEntries(
    fields.filter(([name, value]) => value !== null && value !== undefined && name !== '__proto__'),
  )
}
