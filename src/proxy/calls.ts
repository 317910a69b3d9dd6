import { parseJson } from '../files/json.js'
import type { Json } from '../models/frames.js'
import { isObject } from '../models/frames.js'

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
