import { crc32 } from 'node:zlib'
import { ShaketableError } from '../core/errors.js'

/**
 * The state of a line. `sound`: its checksum matches. `unchecked`: it has none, as in lines of earlier versions.
 * `damaged`: the checksum does not match, or is damaged itself.
 */
export type LineState = 'sound' | 'unchecked' | 'damaged'

const [before, after] = [Buffer.from(',"crc":"'), Buffer.from('"}')]
const digits = 8
/** Bytes of the end of a line with a checksum; its last bracket belongs to the line without one. */
const endBytes = before.length + digits + after.length
/** Bytes that a checksum adds to a line. */
export const checksumBytes = endBytes - 1

/**
 * Adds the CRC-32 of a line as its last field: `{"a":1}` becomes `{"a":1,"crc":"…"}`. The line must be a JSON object
 * with at least one field.
 */
export function withChecksum(line: string): string {
  const summed = line.slice(0, -1)
  return `${summed},"crc":"${crc32(summed).toString(16).padStart(digits, '0')}"}`
}

/** Checks the line in a buffer from `start` to `end`, without its line end. */
export function checkLine(bytes: Buffer, start: number, end: number): LineState {
  const at = end - endBytes
  if (at <= start) return 'unchecked'
  let matching = 0
  for (let index = 0; index < before.length; index++) if (bytes[at + index] === before[index]) matching++
  for (let index = 1; index <= after.length; index++) {
    if (bytes[end - index] === after[after.length - index]) matching++
  }
  const fixed = before.length + after.length
  // No line without a checksum ends almost like one; a checksum with a damaged frame does.
  if (matching < fixed) return matching > fixed / 2 ? 'damaged' : 'unchecked'
  let stored = 0
  for (let index = at + before.length; index < end - after.length; index++)
    stored = stored * 16 + digitOf(bytes[index]!)
  return stored === crc32(bytes.subarray(start, at)) ? 'sound' : 'damaged'
}

/**
 * Refuses a line that is sound but for a carriage return at its end.
 * @throws ShaketableError `store` with how the file is restored
 */
export function refuseCarriageReturn(path: string, bytes: Buffer, start: number, end: number): void {
  if (bytes[end - 1] !== 13 || checkLine(bytes, start, end - 1) !== 'sound') return
  throw new ShaketableError(
    'store',
    `${path}: expected line ends as they were written (LF), got CR LF: something has changed them, such as git with core.autocrlf. Write '* -text' into .gitattributes in this folder and check it out again, or restore the files: sed -i 's/\\r$//' FILE.`,
  )
}

/** A line without its checksum. */
export function textOf(bytes: Buffer, start: number, end: number, state: LineState): string {
  return state === 'sound' ? `${bytes.toString('utf8', start, end - endBytes)}}` : bytes.toString('utf8', start, end)
}

/**
 * Reads a file that is one object of JSON and a line end, with or without a checksum. One with a checksum and without
 * its line end is damaged.
 */
export function readObject(bytes: Buffer): { readonly text: string; readonly state: LineState } {
  const isEnded = bytes.at(-1) === 10
  const end = isEnded ? bytes.length - 1 : bytes.length
  const state = checkLine(bytes, 0, end)
  return { text: textOf(bytes, 0, end, state), state: isEnded || state === 'unchecked' ? state : 'damaged' }
}

/**
 * The beginning of the last of several lines that a damaged line end has joined, if that line is sound.
 * @returns its index in the buffer, or -1
 */
export function findJoined(bytes: Buffer, start: number, end: number): number {
  const checksum = bytes.subarray(start, end - endBytes).lastIndexOf(before)
  const joined = start + checksum + endBytes + 1
  return checksum !== -1 && joined < end && checkLine(bytes, joined, end) === 'sound' ? joined : -1
}

/** The note on a file that has lines without a checksum. */
export function tellUnchecked(path: string): string {
  return `${path} has lines without a checksum, as earlier versions wrote them: damage in them can go unnoticed.`
}

/** The value of a lower-case hexadecimal digit; not a number for any other byte. */
function digitOf(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  return byte >= 97 && byte <= 102 ? byte - 87 : Number.NaN
}
