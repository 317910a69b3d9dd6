import { closeSync, readSync } from 'node:fs'
import { ShaketableError } from '../core/errors.js'
import type { LineState } from './checksum.js'
import { checkLine, findJoined, refuseCarriageReturn, textOf } from './checksum.js'
import { openRegular } from './read-text.js'
import { whileReading } from './write-error.js'

/** One line of a file. */
export interface Line {
  /** Without its checksum. */
  readonly text: string
  /** From 1. */
  readonly number: number
  /** In bytes, from the start of the file. */
  readonly offset: number
  /** Its length, without its line end. */
  readonly bytes: number
  /** Whether a line end follows; if not, the writer was stopped within the line. */
  readonly ended: boolean
  readonly state: LineState
}

const chunkBytes = 1 << 18
/** The longest line that can be read, in bytes. */
export const maxLineBytes = 1 << 26

/**
 * Reads a file line by line in bounded memory. A missing file has no lines, and lines of spaces are skipped. If a
 * damaged line end has joined two lines, the first is `damaged`, and the second is read with the same number. After a
 * line with a checksum, one without is damaged.
 * @param maxText bytes of each line to return as its text; the checksum covers the whole line
 * @throws ShaketableError `store` for a line longer than 64 MiB, changed line ends, or a file that cannot be read
 */
export function* readLines(path: string, maxText = maxLineBytes): Generator<Line, void, undefined> {
  const file = openToRead(path)
  if (file === undefined) return
  try {
    let number = 1
    let offset = 0
    let checked = false
    let carried: Buffer<ArrayBufferLike> = Buffer.alloc(0)
    const chunk = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      const read = whileReading(path, () => readSync(file, chunk, 0, chunkBytes, null))
      if (read === 0) break
      const bytes = carried.length === 0 ? chunk.subarray(0, read) : Buffer.concat([carried, chunk.subarray(0, read)])
      let start = 0
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        if (!isBlank(bytes, start, end)) {
          let state = checkLine(bytes, start, end)
          if (state !== 'sound') refuseCarriageReturn(path, bytes, start, end)
          if (state === 'unchecked' && checked) state = 'damaged'
          const joined = state === 'damaged' ? findJoined(bytes, start, end) : -1
          if (joined !== -1) {
            const length = joined - 1 - start
            yield { text: bytes.toString('utf8', start, joined - 1), number, offset, bytes: length, ended: true, state }
            offset += joined - start
            start = joined
            state = 'sound'
          }
          checked ||= state === 'sound'
          const text =
            end - start <= maxText ? textOf(bytes, start, end, state) : bytes.toString('utf8', start, start + maxText)
          yield { text, number, offset, bytes: end - start, ended: true, state }
        }
        offset += end + 1 - start
        number++
        start = end + 1
      }
      carried = Buffer.from(bytes.subarray(start))
      if (carried.length > maxLineBytes) throw new ShaketableError('store', tooLong(path, number))
    }
    if (carried.length === 0) return
    const text = carried.toString('utf8', 0, maxText)
    yield { text, number, offset, bytes: carried.length, ended: false, state: 'damaged' }
  } finally {
    closeSync(file)
  }
}

/** Whether recovery has removed a line, leaving spaces; any other line begins with a bracket. */
function isBlank(bytes: Buffer, start: number, end: number): boolean {
  if (start === end || bytes[start] !== space) return start === end
  for (let index = start; index < end; index++) if (bytes[index] !== space) return false
  return true
}

const space = 32

function openToRead(path: string): number | undefined {
  return whileReading(path, () => {
    try {
      return openRegular(path)
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw thrown
    }
  })
}

function tooLong(path: string, number: number): string {
  return `${path}:${String(number)}: expected a line of at most 64 MiB, got a longer one. The file is damaged; restore it from a copy.`
}
