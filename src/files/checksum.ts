import { crc32 } from 'node:zlib'

/**
 * What the checksum of a line tells. `sound`: it matches. `unchecked`: there is none, as in lines of earlier versions.
 * `damaged`: it does not match, or is damaged itself.
 */
export type LineState = 'sound' | 'unchecked' | 'damaged'

const [before, after] = [Buffer.from(',"crc":"'), Buffer.from('"}')]
const digits = 8
/** How long the end of a line with a checksum is, in bytes; its last bracket is that of the line without one. */
const endBytes = before.length + digits + after.length
/** How many bytes a checksum adds to a line. */
export const checksumBytes = endBytes - 1

/**
 * A line of JSON, which is an object with a field at least, with the CRC-32 of its bytes as a last field: `{"a":1}`
 * becomes `{"a":1,"crc":"…"}`.
 */
export function withChecksum(line: string): string {
  const summed = line.slice(0, -1)
  return `${summed},"crc":"${crc32(summed).toString(16).padStart(digits, '0')}"}`
}

/** Checks the line that stands in a buffer from `start` to `end`, its line end left out. */
export function checkLine(bytes: Buffer, start: number, end: number): LineState {
  const at = end - endBytes
  if (at <= start) return 'unchecked'
  let matching = 0
  for (let index = 0; index < before.length; index++) if (bytes[at + index] === before[index]) matching++
  for (let index = 1; index <= after.length; index++) {
    if (bytes[end - index] === after[after.length - index]) matching++
  }
  const fixed = before.length + after.length
  // A line without a checksum that ends nearly like one does not occur; a checksum whose frame is damaged does.
  if (matching < fixed) return matching > fixed / 2 ? 'damaged' : 'unchecked'
  let told = 0
  for (let index = at + before.length; index < end - after.length; index++) told = told * 16 + digitOf(bytes[index]!)
  return told === crc32(bytes.subarray(start, at)) ? 'sound' : 'damaged'
}

/** A line as it was before its checksum was added. */
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
 * Where the last line begins of several that a damaged line end has joined, if that line is sound.
 * @returns its index in the buffer, or -1
 */
export function findJoined(bytes: Buffer, start: number, end: number): number {
  const checksum = bytes.subarray(start, end - endBytes).lastIndexOf(before)
  const joined = start + checksum + endBytes + 1
  return checksum !== -1 && joined < end && checkLine(bytes, joined, end) === 'sound' ? joined : -1
}

/** What it means that a file has lines without a checksum. */
export function tellUnchecked(path: string): string {
  return `${path} has lines without a checksum, as earlier versions wrote them: damage in them can go unnoticed.`
}

/** The value of a lower-case hexadecimal digit; not a number for any other byte. */
function digitOf(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  return byte >= 97 && byte <= 102 ? byte - 87 : Number.NaN
}
