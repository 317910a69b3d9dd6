import { ShaketableError, messageOf } from '../core/errors.js'
import { readText } from './read-text.js'

/** A value, or why the text is not JSON, in the words of the JavaScript engine. */
interface ParsedJson {
  readonly value?: unknown
  readonly fault?: string
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
    } catch (thrown) {
      return { fault: describeFault(marked, thrown) }
    }
  }
}

/**
 * Reads a file of JSON that a user named.
 * @throws ShaketableError `bad-input` which ends with `advice`
 */
export function readJson(what: string, path: string, advice: string, maxBytes?: number): unknown {
  return expectJson(readText(what, path, advice, maxBytes), `${what} ${path}`, advice)
}

/** The value of the text of a file. @throws as {@link readJson} */
export function expectJson(text: string, where: string, advice: string): unknown {
  const { value, fault } = parseJsonInput(text)
  if (fault === undefined) return value
  throw new ShaketableError('bad-input', `${where}: it is not JSON: ${fault}. ${advice}`)
}

/** The lines of JSON lines that are not empty, with their numbers from 1. */
export function* jsonLinesIn(text: string): Generator<ParsedJson & { readonly number: number }> {
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() !== '') yield { ...parseJsonInput(line), number: index + 1 }
  }
}

/**
 * The records of a text: the entries of a JSON array, or JSON lines, each with its place such as `FILE:3`.
 * @throws ShaketableError `bad-input` with the line of a fault, which ends with `advice`
 */
export function recordsIn(
  text: string,
  path: string,
  advice: string,
): readonly { readonly value: unknown; readonly place: string }[] {
  if (/^\s*\[/.test(text)) {
    const values = expectJson(text, path, advice) as readonly unknown[]
    return values.map((value, index) => ({ value, place: `${path}, entry ${String(index)}` }))
  }
  return Array.from(jsonLinesIn(text), ({ value, fault, number }) => {
    const place = `${path}:${String(number)}`
    if (fault === undefined) return { value, place }
    throw new ShaketableError('bad-input', `${place}: it is not JSON: ${fault}. ${advice}`)
  })
}

/** Null in place of the names of numbers that JSON lacks, outside of strings. */
function withoutNumberNames(text: string): string {
  if (!/NaN|Infinity/.test(text)) return text
  return text
    .split(/("[^"\\]*(?:\\.[^"\\]*)*")/s)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/-?(?:NaN|Infinity)/g, 'null')))
    .join('')
}

/** The message of JSON.parse(), with the line where it names the position. */
function describeFault(text: string, thrown: unknown): string {
  const message = messageOf(thrown)
  const position = / at position (\d+)/.exec(message)?.[1]
  const lines = position === undefined ? [] : text.slice(0, Number(position)).split('\n')
  const fault = message.replace(/ in JSON at position .*/, '')
  return lines.length < 2 ? fault : `line ${String(lines.length)}: ${fault}`
}
