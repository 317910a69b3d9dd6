/** Bytes that can be extended. */
interface Scannable {
  readonly bytes: Buffer
  /** Reads the next bytes. @returns false at the end */
  fill(): boolean
}

/** Where a JSON value ends, or why it has no end. */
export type Scanned =
  /** Index behind its last byte. */
  | { readonly end: number }
  /** It cannot be JSON from this index on. */
  | { readonly broken: number; readonly why: string; readonly deep?: boolean }
  /** The file ends inside it. */
  | { readonly cutOff: true }
  /** It is longer than is read. */
  | { readonly tooLong: true }

/** More levels than a record of a conversation has, and fewer than exhaust a parser's stack. */
const maxLevels = 100

const quote = 0x22
const backslash = 0x5c
const isPlain = new Uint8Array(256)
for (const character of ' \t\r\n,:0123456789+-.eEtrufalsnNaIity') isPlain[character.charCodeAt(0)] = 1

/**
 * Finds the end of the object or list that begins at an index, reading more bytes as needed. It checks only as much of
 * the grammar as detects broken values early: matching brackets, no line end within a string, and outside of strings
 * only the characters of numbers, their names `NaN` and `Infinity`, `true`, `false` and `null`.
 * @param max bytes of the longest value
 */
export function scanValue(window: Scannable, start: number, max: number): Scanned {
  const closers: number[] = []
  let inString = false
  let escaped = false
  let index = start
  for (;;) {
    const { bytes } = window
    const limit = Math.min(bytes.length, start + max)
    for (; index < limit; index++) {
      const byte = bytes[index]!
      if (inString) {
        if (escaped) escaped = false
        else if (byte === backslash) escaped = true
        else if (byte === quote) inString = false
        if (byte === 10) return { broken: index, why: 'a string has no end on its line' }
        continue
      }
      if (byte === quote) inString = true
      else if (byte === 0x7b) closers.push(0x7d)
      else if (byte === 0x5b) closers.push(0x5d)
      else if (byte === 0x7d || byte === 0x5d) {
        if (closers.pop() !== byte) return { broken: index, why: `'${String.fromCharCode(byte)}' closes nothing` }
        if (closers.length === 0) return { end: index + 1 }
      } else if (isPlain[byte] === 0) {
        return { broken: index, why: `${nameOf(byte)} stands outside of a string` }
      }
      if (closers.length > maxLevels) {
        return { broken: index, why: `it has more than ${String(maxLevels)} levels`, deep: true }
      }
    }
    if (limit === start + max) return { tooLong: true }
    if (!window.fill()) return { cutOff: true }
  }
}

function nameOf(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : `byte 0x${byte.toString(16).padStart(2, '0')}`
}
