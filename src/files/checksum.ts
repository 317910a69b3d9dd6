import { crc32 } from 'node:zlib'

/** The state of a line. `sound`: its checksum matches. `unchecked`: it has none. `damaged`: it does not match. */
export type LineState = 'sound' | 'unchecked' | 'damaged'

const digits = 8
const ending = /,"crc":"([0-9a-f]{8})"\}$/
/** Bytes that a checksum adds to a line. */
export const checksumBytes = ',"crc":""'.length + digits

/**
 * Adds the CRC-32 of a line as its last field: `{"a":1}` becomes `{"a":1,"crc":"…"}`. The line must be a JSON object
 * with at least one field.
 */
export function withChecksum(line: string): string {
  const summed = line.slice(0, -1)
  return `${summed},"crc":"${crc32(summed).toString(16).padStart(digits, '0')}"}`
}

/** A line without its checksum, and whether that matches. */
export function readChecked(line: string): { readonly text: string; readonly state: LineState } {
  const found = ending.exec(line)
  if (found === null) return { text: line, state: 'unchecked' }
  const summed = line.slice(0, found.index)
  return { text: `${summed}}`, state: crc32(summed) === Number.parseInt(found[1]!, 16) ? 'sound' : 'damaged' }
}
