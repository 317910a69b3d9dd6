import { parseJson } from './json.js'
import { ShaketableError } from '../core/errors.js'
import { readText } from './read-text.js'

/** Where a text stops being JSON. */
interface JsonFault {
  /** From 1. */
  readonly line: number
  readonly column: number
  /** `expected a value, got ']'`. */
  readonly message: string
}

/** A value, or a fault. */
interface ParsedJson {
  readonly value?: unknown
  readonly fault?: JsonFault
}

/**
 * Parses JSON as other programs write it: a byte order mark is passed over, and Python's `NaN`, `Infinity` and
 * `-Infinity` are null.
 */
export function parseJsonInput(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    const marked = text.replace(/^\ufeff/, '')
    try {
      return { value: JSON.parse(withoutNumberNames(marked)) as unknown }
    } catch {
      return { fault: findFault(marked) }
    }
  }
}

/**
 * Reads a file of JSON that a user named.
 * @throws ShaketableError `bad-input` with the line of a fault, which ends with `advice`
 */
export function readJson(what: string, path: string, advice: string, maxBytes?: number): unknown {
  return expectJson(readText(what, path, advice, maxBytes), `${what} ${path}`, advice)
}

/** The value of the text of a file. @throws as {@link readJson} */
export function expectJson(text: string, where: string, advice: string): unknown {
  const { value, fault } = parseJsonInput(text)
  if (fault === undefined) return value
  const place = `line ${String(fault.line)}, column ${String(fault.column)}`
  throw new ShaketableError('bad-input', `${where}, ${place}: it is not JSON: ${fault.message}. ${advice}`)
}

/** The lines of JSON lines that are not empty, with their numbers from 1. */
export function* jsonLinesIn(text: string): Generator<ParsedJson & { readonly number: number }> {
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() !== '') yield { ...parseJsonInput(line), number: index + 1 }
  }
}

/** A record of a file, and its place for messages, such as `FILE:3`. */
interface PlacedRecord {
  readonly value: unknown
  readonly place: string
}

/**
 * The records of a text: the entries of a JSON array, or JSON lines.
 * @throws ShaketableError `bad-input` with the line of a fault, which ends with `advice`
 */
export function recordsIn(text: string, path: string, advice: string): readonly PlacedRecord[] {
  const wrong = (line: number, message: string): ShaketableError =>
    new ShaketableError('bad-input', `${path}:${String(line)}: it is not JSON: ${message}. ${advice}`)
  if (/^\s*\[/.test(text)) {
    const { fault, value } = parseJsonInput(text)
    if (fault !== undefined) throw wrong(fault.line, fault.message)
    return (value as readonly unknown[]).map((one, index) => ({ value: one, place: `${path}, entry ${String(index)}` }))
  }
  return Array.from(jsonLinesIn(text), (parsed) => {
    if (parsed.fault !== undefined) throw wrong(parsed.number, parsed.fault.message)
    return { value: parsed.value, place: `${path}:${String(parsed.number)}` }
  })
}

/** Index of the quote that ends the string that begins at an index; the text's length if none does. */
export function endOfString(json: string, start: number): number {
  let index = start + 1
  while (index < json.length && json[index] !== '"') index += json[index] === '\\' ? 2 : 1
  return Math.min(index, json.length)
}

const numberNames = /-?(?:NaN|Infinity)/y

/** Null in place of the names of numbers that JSON lacks, outside of strings. */
function withoutNumberNames(text: string): string {
  if (!/NaN|Infinity/.test(text)) return text
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '"') at = endOfString(text, at)
    if (character !== '-' && character !== 'N' && character !== 'I') continue
    numberNames.lastIndex = at
    const [name] = numberNames.exec(text) ?? []
    if (name === undefined) continue
    parts.push(text.slice(from, at), 'null')
    from = at + name.length
    at = from - 1
  }
  return [...parts, text.slice(from)].join('')
}

const shown = 20
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null|-?NaN|-?Infinity)(?!\w)/y
const space = /[ \t\r\n]*/y

/** Where a text that is not JSON stops being it. */
function findFault(text: string): JsonFault {
  const closers: string[] = []
  /** `first` is a value or the end of its list, or a key or the end of its object. */
  let next: 'value' | 'first' | 'key' | 'colon' | 'end' = 'value'
  let at = 0
  let expected: string | undefined
  const passed = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    at = pattern.lastIndex
    return true
  }
  const closer = (): string => closers.at(-1) ?? ''
  const step = (): boolean => {
    const character = text[at]
    const isValue = next === 'value' || (next === 'first' && closer() === ']')
    const isKey = next === 'key' || (next === 'first' && closer() === '}')
    if (character === undefined) return false
    if (character === closer() && (next === 'first' || next === 'end')) {
      closers.pop()
      next = 'end'
    } else if (next === 'end' && character === ',' && closer() !== '') next = closer() === '}' ? 'key' : 'value'
    else if (next === 'colon' && character === ':') next = 'value'
    else if (isValue && (character === '{' || character === '[')) {
      closers.push(character === '{' ? '}' : ']')
      next = 'first'
    } else if (character === '"' && (isValue || isKey)) {
      const end = endOfString(text, at)
      if (end === text.length) expected = 'the end of a string'
      else if (parseJson(text.slice(at, end + 1)) === undefined) expected = 'a string as JSON has it'
      if (expected === undefined || end === text.length) at = end
      if (expected !== undefined) return false
      next = isKey ? 'colon' : 'end'
    } else if (isValue && passed(scalar)) {
      at--
      next = 'end'
    } else return false
    at++
    return true
  }
  do passed(space)
  while (step())
  expected ??= {
    value: 'a value',
    first: closer() === '}' ? "a key in double quotes or '}'" : "a value or ']'",
    key: 'a key in double quotes',
    colon: "':' behind the key",
    end: closer() === '' ? 'the end' : `',' or '${closer()}'`,
  }[next]
  const before = text.slice(0, at)
  const got =
    at >= text.length ? 'the end of the text' : `'${(text.slice(at).split('\n', 1)[0] ?? '').slice(0, shown)}'`
  const line = before.split('\n').length
  return { line, column: at - before.lastIndexOf('\n'), message: `expected ${expected}, got ${got}` }
}
