import { isUtf8 } from 'node:buffer'
import { parseJsonInput } from '../files/read-json.js'
import type { ByteWindow } from './_byte-window.js'
import type { Scanned } from './_scan-value.js'
import { scanValue } from './_scan-value.js'
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
}

const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9
const newline = 10
/** Bytes that are read to detect whether the first record is pretty-printed. */
const maxOfLine = 1 << 16

/**
 * Cuts a file into records. A broken part is skipped up to the next valid record and reported once; no valid record is
 * lost.
 */
export function* cutRecords(window: ByteWindow, options: CutOptions): Generator<Cut, void, undefined> {
  skipMark(window)
  if (options.container === 'array') yield* cutArray(window, options)
  else if (isLaidOut(window, options)) yield* cutValues(window, options)
  else yield* cutLines(window, options)
}

/** The byte order mark of UTF-8. */
function skipMark(window: ByteWindow): void {
  while (window.length < 3 && window.fill());
  const { bytes } = window
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) window.release(3)
}

/**
 * Whether the first record spans several lines, so that line ends do not separate records. If it is broken, the
 * beginning of the second line decides.
 */
function isLaidOut(window: ByteWindow, options: CutOptions): boolean {
  if (!skipSpace(window, isSpace)) return false
  const scanned = scanValue(window, 0, options.maxBytes)
  if ('end' in scanned) return window.bytes.subarray(0, scanned.end).includes(newline)
  const second = /^[^\n]*\n(?:\s*\n)?(.)/.exec(window.bytes.toString('utf8', 0, maxOfLine))?.[1]
  return second !== undefined && ' \t"}]'.includes(second)
}

/** Releases the bytes that `skipped` accepts. @returns false at the end of the file */
function skipSpace(window: ByteWindow, skipped: (byte: number | undefined) => boolean): boolean {
  for (;;) {
    const { bytes } = window
    let index = 0
    while (index < bytes.length && skipped(bytes[index])) index++
    window.release(index)
    if (index < bytes.length) return true
    if (!window.fill()) return false
  }
}

function* cutLines(window: ByteWindow, options: CutOptions): Generator<Cut, void, undefined> {
  while (skipSpace(window, isSpace)) {
    const { line } = window
    const end = endOfLine(window, options.maxBytes)
    if (end === undefined) {
      yield { wrong: tooLong(options), line }
      releaseLine(window)
      continue
    }
    const cut = parse(window.bytes.subarray(0, end), line)
    if ('wrong' in cut) {
      const inside = [...recordsWithin(window, 0, end, options)]
      const isCutOff = inside.length === 0 && !window.fill() && window.length === end
      yield { wrong: isCutOff ? `${cut.wrong}; the file ends here, it may be cut off` : cut.wrong, line }
      yield* inside
    } else {
      yield cut
    }
    window.release(end)
  }
}

/** Index of the line's end, or of the file's; undefined for a line that is too long. */
function endOfLine(window: ByteWindow, max: number): number | undefined {
  for (let from = 0; ;) {
    const found = window.bytes.indexOf(newline, from)
    const end = found === -1 ? window.length : found
    if (end > max) return undefined
    if (found !== -1) return found
    from = window.length
    if (!window.fill()) return window.length
  }
}

function releaseLine(window: ByteWindow): void {
  for (;;) {
    const found = window.bytes.indexOf(newline)
    window.release(found === -1 ? window.length : found + 1)
    if (found !== -1 || !window.fill()) return
  }
}

function* cutArray(window: ByteWindow, options: CutOptions): Generator<Cut, void, undefined> {
  skipSpace(window, isSpace)
  window.release(1)
  const isBetween = (byte: number | undefined): boolean => isSpace(byte) || byte === 0x2c
  while (skipSpace(window, isBetween)) {
    if (!takeByte(window, 0x5d)) {
      yield* cutValue(window, options)
    } else {
      if (!skipSpace(window, isSpace)) return
      yield { wrong: 'expected the end of the file behind the array, got more', line: window.line, between: true }
      takeByte(window, 0x5b)
    }
  }
  const { line } = window
  yield { wrong: "expected ']' behind the last record, got the end of the file: it is cut off", line, between: true }
}

/** Releases the first byte if it is this one. */
function takeByte(window: ByteWindow, byte: number): boolean {
  const is = window.bytes[0] === byte
  if (is) window.release(1)
  return is
}

function* cutValues(window: ByteWindow, options: CutOptions): Generator<Cut, void, undefined> {
  const isBetween = (byte: number | undefined): boolean => isSpace(byte) || byte === 0x2c
  while (skipSpace(window, isBetween)) yield* cutValue(window, options)
}

/** Cuts the value at the beginning of the window, or everything up to the next record. */
function* cutValue(window: ByteWindow, options: CutOptions): Generator<Cut, void, undefined> {
  const { line } = window
  if (window.bytes[0] !== openerOf(options)) {
    yield { wrong: `expected a record in ${options.opens === '[' ? '[ ]' : '{ }'}, got something else`, line }
    yield* recover(window, options, 0)
    return
  }
  const scanned = scanValue(window, 0, options.maxBytes)
  if (!('end' in scanned)) {
    yield { wrong: whyOf(scanned, options), line }
    yield* recover(window, options, resumeAt(scanned))
    return
  }
  const cut = parse(window.bytes.subarray(0, scanned.end), line)
  yield cut
  if ('wrong' in cut) yield* recordsWithin(window, 1, scanned.end, options)
  window.release(scanned.end)
}

/** Skips to the next valid record after an index. */
function* recover(window: ByteWindow, options: CutOptions, from: number): Generator<Cut, void, undefined> {
  for (let next = from; ;) {
    const found = window.bytes.indexOf(openerOf(options), next)
    window.release(found === -1 ? window.length : found)
    if (found === -1) {
      if (!window.fill()) return
      next = 0
      continue
    }
    const scanned = beginsRecord(window, 0, options) ? scanValue(window, 0, options.maxBytes) : undefined
    if (scanned !== undefined && 'end' in scanned) {
      const cut = parse(window.bytes.subarray(0, scanned.end), window.line)
      if ('value' in cut && options.isRecord(cut.value)) {
        yield cut
        window.release(scanned.end)
        return
      }
      next = 'value' in cut ? scanned.end : 1
    } else {
      next = scanned === undefined ? 1 : resumeAt(scanned)
    }
  }
}

/** Valid records between two indices, within a part that could not be parsed as one record. */
function* recordsWithin(
  window: ByteWindow,
  from: number,
  until: number,
  options: CutOptions,
): Generator<Cut, void, undefined> {
  let next = from
  for (;;) {
    const start = window.bytes.indexOf(openerOf(options), next)
    if (start === -1 || start >= until) return
    const scanned = beginsRecord(window, start, options) ? scanValue(window, start, until - start) : undefined
    next = start + 1
    if (scanned === undefined || !('end' in scanned)) {
      if (scanned !== undefined && 'deep' in scanned) next = scanned.broken
      continue
    }
    const cut = parse(window.bytes.subarray(start, scanned.end), window.line + window.linesBefore(start))
    if ('wrong' in cut) continue
    next = scanned.end
    if (options.isRecord(cut.value)) yield cut
  }
}

function openerOf({ opens = '{' }: CutOptions): number {
  return opens.charCodeAt(0)
}

/** Whether a brace is followed by a key, or a bracket by an object. */
function beginsRecord(window: ByteWindow, start: number, { opens }: CutOptions): boolean {
  for (let index = start + 1; ; index++) {
    if (index >= window.length && !window.fill()) return false
    const byte = window.bytes[index]
    if (!isSpace(byte)) return byte === (opens === '[' ? 0x7b : 0x22)
  }
}

/** Where to search for a record after a broken one: inside it, unless it is nested too deeply. */
function resumeAt(scanned: Scanned): number {
  return 'deep' in scanned && scanned.deep === true ? scanned.broken : 1
}

function whyOf(scanned: Exclude<Scanned, { end: number }>, options: CutOptions): string {
  if ('tooLong' in scanned) return tooLong(options)
  if ('cutOff' in scanned) return 'the file ends inside it, it is cut off'
  return `it is not JSON: ${scanned.why}`
}

function tooLong({ maxBytes }: CutOptions): string {
  return `it is longer than the ${(maxBytes / 1e6).toLocaleString('en')} MB that are read of a record`
}

function parse(bytes: Buffer, line: number): Cut {
  if (!isUtf8(bytes)) return { wrong: 'it is not in UTF-8', line }
  const raw = bytes.toString('utf8').trim()
  const { fault, value } = parseJsonInput(raw)
  return fault === undefined ? { value, raw, line } : { wrong: `it is not JSON: ${fault.message}`, line }
}
