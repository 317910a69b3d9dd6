import { isUtf8 } from 'node:buffer'
import { closeSync, readSync } from 'node:fs'
import { parseJsonInput } from '../files/read-json.js'
import { openRegular } from '../files/read-text.js'
import type { Container } from './container.js'

/** A parsed record of a file, or a problem. */
export type Cut = { readonly value: unknown; readonly raw: string; readonly line: number } | Wrong

interface Wrong {
  readonly wrong: string
  readonly line: number
  /** Whether the problem lies between records, so that no record was skipped. */
  readonly between?: true
}

/** Options of {@link cutRecords}. */
export interface CutOptions {
  readonly container: Container
  /** Bytes of the longest record that is read. */
  readonly maxBytes: number
  /** Whether a value is a record. The end of a broken record is found by the next valid one. */
  readonly isRecord: (value: unknown) => boolean
  /** First character of a record. Default: `{`; `[` for lists of objects. */
  readonly opens?: '{' | '['
  /** Called with every byte of the file, in order. */
  readonly bytes?: (bytes: Uint8Array) => void
}

const chunkBytes = 1 << 18
/** Bytes that are read to detect whether the first record is pretty-printed. */
const maxOfLine = 1 << 16
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const [newline, comma, openBracket, closeBracket] = [...Buffer.from('\n,[]')]
const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9
const isBetween = (byte: number | undefined): boolean => isSpace(byte) || byte === comma

/** Bytes of a file that are held: `fill` adds the next ones, `release` drops the first ones. */
class ByteWindow {
  bytes: Buffer = Buffer.alloc(0)
  /** Line number at the first byte, from 1. */
  line = 1
  readonly #file: number
  readonly #seen: CutOptions['bytes']

  constructor(path: string, seen: CutOptions['bytes']) {
    this.#file = openRegular(path)
    this.#seen = seen
  }

  /** @returns false at the end of the file */
  fill(): boolean {
    const chunk = Buffer.allocUnsafe(Math.max(chunkBytes, this.bytes.length))
    const read = chunk.subarray(0, readSync(this.#file, chunk))
    if (read.length === 0) return false
    this.#seen?.(read)
    this.bytes = this.bytes.length === 0 ? read : Buffer.concat([this.bytes, read])
    return true
  }

  release(count: number): void {
    this.line = this.lineAt(count)
    this.bytes = this.bytes.subarray(count)
  }

  lineAt(index: number): number {
    let line = this.line
    for (let at = this.bytes.indexOf(10); at !== -1 && at < index; at = this.bytes.indexOf(10, at + 1)) line++
    return line
  }

  close(): void {
    closeSync(this.#file)
  }
}

/**
 * Cuts a file into records in bounded memory. A broken part is skipped up to the next valid record and reported once;
 * no valid record is lost.
 */
export function* cutRecords(path: string, options: CutOptions): Generator<Cut, void, undefined> {
  const window = new ByteWindow(path, options.bytes)
  try {
    yield* cutWindow(window, options)
    while (window.fill()) window.release(window.bytes.length)
  } finally {
    window.close()
  }
}

function* cutWindow(window: ByteWindow, options: CutOptions): Generator<Cut, void, undefined> {
  while (window.bytes.length < 3 && window.fill());
  if (window.bytes.subarray(0, 3).equals(byteOrderMark)) window.release(3)
  const isArray = options.container === 'array'
  if (!isArray && !isLaidOut(window, options)) {
    while (skip(window, isSpace)) yield* cutLine(window, options)
    return
  }
  if (isArray && skip(window, isSpace)) window.release(1)
  while (skip(window, isBetween)) {
    if (!isArray || window.bytes[0] !== closeBracket) {
      yield* cutValue(window, options)
      continue
    }
    window.release(1)
    if (!skip(window, isSpace)) return
    yield { wrong: 'expected the end of the file behind the array, got more', line: window.line, between: true }
    if (window.bytes[0] === openBracket) window.release(1)
  }
  if (!isArray) return
  const wrong = "expected ']' behind the last record, got the end of the file: it is cut off"
  yield { wrong, line: window.line, between: true }
}

/**
 * Whether the first record spans several lines, so that line ends do not separate records. If it is broken, the
 * beginning of the second line decides.
 */
function isLaidOut(window: ByteWindow, options: CutOptions): boolean {
  if (!skip(window, isSpace)) return false
  const scanned = scanValue(window, 0, options.maxBytes)
  if ('end' in scanned) return window.bytes.subarray(0, scanned.end).includes(newline!)
  const second = /^[^\n]*\n(?:\s*\n)?(.)/.exec(window.bytes.toString('utf8', 0, maxOfLine))?.[1]
  return second !== undefined && ' \t"}]'.includes(second)
}

/** Releases the bytes that `skipped` accepts. @returns false at the end of the file */
function skip(window: ByteWindow, skipped: (byte: number | undefined) => boolean): boolean {
  do {
    const { bytes } = window
    let index = 0
    while (index < bytes.length && skipped(bytes[index])) index++
    window.release(index)
  } while (window.bytes.length === 0 && window.fill())
  return window.bytes.length > 0
}

function* cutLine(window: ByteWindow, options: CutOptions): Generator<Cut, void, undefined> {
  const { line } = window
  let end = window.bytes.indexOf(newline!)
  while (end === -1 && window.bytes.length <= options.maxBytes && window.fill()) end = window.bytes.indexOf(newline!)
  if (end === -1) end = window.bytes.length
  if (end > options.maxBytes) {
    yield { wrong: tooLong(options), line }
    skip(window, (byte) => byte !== newline)
    return
  }
  const cut = parse(window.bytes.subarray(0, end), line)
  if ('value' in cut) yield cut
  else {
    const inside = [...recordsFrom(window, options, 0, end)]
    const isCutOff = inside.length === 0 && window.bytes.length === end && !window.fill()
    yield isCutOff ? { wrong: `${cut.wrong}; the file ends here, it may be cut off`, line } : cut
    yield* inside
  }
  window.release(end)
}

/** Cuts the value at the beginning of the window, or everything up to the next record. */
function* cutValue(window: ByteWindow, options: CutOptions): Generator<Cut, void, undefined> {
  const { line } = window
  if (window.bytes[0] !== openerOf(options)) {
    yield { wrong: `expected a record in ${options.opens === '[' ? '[ ]' : '{ }'}, got something else`, line }
    yield* recordsFrom(window, options, 0)
    return
  }
  const scanned = scanValue(window, 0, options.maxBytes)
  if (!('end' in scanned)) {
    yield { wrong: scanned.wrong === '' ? tooLong(options) : scanned.wrong, line }
    yield* recordsFrom(window, options, scanned.resume)
    return
  }
  const cut = parse(window.bytes.subarray(0, scanned.end), line)
  yield cut
  if ('wrong' in cut) yield* recordsFrom(window, options, 1, scanned.end)
  window.release(scanned.end)
}

/**
 * Searches a broken part for valid records: all of them up to an index; without one, everything is skipped up to the
 * end of the first.
 */
function* recordsFrom(
  window: ByteWindow,
  options: CutOptions,
  from: number,
  until?: number,
): Generator<Cut, void, undefined> {
  for (let next = from; ;) {
    const start = window.bytes.indexOf(openerOf(options), next)
    if (until !== undefined && (start === -1 || start >= until)) return
    if (start === -1) {
      window.release(window.bytes.length)
      if (!window.fill()) return
      next = 0
      continue
    }
    next = start + 1
    if (beginsRecord(window, start, options)) {
      const scanned = scanValue(window, start, until === undefined ? options.maxBytes : until - start)
      const cut = 'end' in scanned ? parse(window.bytes.subarray(start, scanned.end), window.lineAt(start)) : undefined
      if ('resume' in scanned) next = scanned.resume
      else if (cut !== undefined && 'value' in cut) next = scanned.end
      if (cut !== undefined && 'value' in cut && options.isRecord(cut.value)) {
        yield cut
        if (until === undefined) return window.release(next)
      }
    }
    if (until !== undefined) continue
    window.release(next)
    next = 0
  }
}

function openerOf({ opens = '{' }: CutOptions): number {
  return opens.charCodeAt(0)
}

/** Whether a brace is followed by a key, or a bracket by an object. */
function beginsRecord(window: ByteWindow, start: number, { opens }: CutOptions): boolean {
  for (let index = start + 1; ; index++) {
    if (index >= window.bytes.length && !window.fill()) return false
    const byte = window.bytes[index]
    if (!isSpace(byte)) return byte === (opens === '[' ? 0x7b : 0x22)
  }
}

/**
 * The index behind a value; or why it has none (empty for one that is too long), and where to search for a record:
 * inside it, unless it is nested too deeply.
 */
type Scanned = { readonly end: number } | { readonly wrong: string; readonly resume: number }

/** More levels than a record of a conversation has, and fewer than exhaust a parser's stack. */
const maxLevels = 100
const plain = new Set(Buffer.from(' \t\r\n,:0123456789+-.eEtrufalsnNaIity'))
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) => Number(plain.has(byte)))

/**
 * Finds the end of the object or list that begins at an index, reading more bytes as needed. It checks only as much of
 * the grammar as detects broken values early: matching brackets, no line end within a string, and outside of strings
 * only the characters of numbers, their names `NaN` and `Infinity`, `true`, `false` and `null`.
 * @param max bytes of the longest value
 */
function scanValue(window: ByteWindow, start: number, max: number): Scanned {
  const closers: number[] = []
  let isString = false
  const broken = (why: string, resume = start + 1): Scanned => ({ wrong: `it is not JSON: ${why}`, resume })
  for (let index = start; index < start + max; index++) {
    if (index >= window.bytes.length && !window.fill()) {
      return { wrong: 'the file ends inside it, it is cut off', resume: start + 1 }
    }
    const byte = window.bytes[index]!
    if (isString) {
      if (byte === 0x5c) index++
      else if (byte === 0x22) isString = false
      else if (byte === newline) return broken('a string has no end on its line')
    } else if (byte === 0x22) isString = true
    else if (byte === 0x7b || byte === 0x5b) {
      if (closers.push(byte + 2) > maxLevels) return broken(`it has more than ${String(maxLevels)} levels`, index)
    } else if (byte === 0x7d || byte === 0x5d) {
      if (closers.pop() !== byte) return broken(`'${String.fromCharCode(byte)}' closes nothing`)
      if (closers.length === 0) return { end: index + 1 }
    } else if (isPlain[byte] === 0) {
      const name = byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : `byte 0x${byte.toString(16)}`
      return broken(`${name} stands outside of a string`)
    }
  }
  return { wrong: '', resume: start + 1 }
}

function tooLong({ maxBytes }: CutOptions): string {
  return `it is longer than the ${(maxBytes / 1e6).toLocaleString('en')} MB that are read of a record`
}

function parse(bytes: Buffer, line: number): Cut {
  if (!isUtf8(bytes)) return { wrong: 'it is not in UTF-8', line }
  const raw = bytes.toString('utf8').trim()
  const { fault, value } = parseJsonInput(raw)
  return fault === undefined ? { value, raw, line } : { wrong: `it is not JSON: ${fault}`, line }
}
