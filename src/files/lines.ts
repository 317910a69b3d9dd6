import { closeSync, readSync } from 'node:fs'
import { ShaketableError } from '../core/errors.js'
import { openRegular } from './read-text.js'
import { whileReading } from './write-error.js'

/** One line of a file. */
export interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
  /** In bytes, from the start of the file. */
  readonly offset: number
  /** Its length, without its line end. */
  readonly bytes: number
  /** Whether a line end follows; if not, the writer was stopped within the line. */
  readonly ended: boolean
}

const chunkBytes = 1 << 18
/** The longest line that can be read, in bytes. */
export const maxLineBytes = 1 << 26

/**
 * Reads a file of JSON lines in bounded memory. A missing file has no lines, and empty lines are skipped.
 * @param maxText bytes of each line to return as its text
 * @throws ShaketableError `store` for a line longer than 64 MiB, or a file that cannot be read
 */
export function* readLines(path: string, maxText = maxLineBytes): Generator<Line, void, undefined> {
  const file = openExisting(path)
  if (file === undefined) return
  try {
    let number = 1
    let offset = 0
    let carried: Buffer<ArrayBufferLike> = Buffer.alloc(0)
    const chunk = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      const place = offset + carried.length
      const read = whileReading(path, () => readSync(file, chunk, 0, chunkBytes, place))
      if (read === 0) break
      const bytes = carried.length === 0 ? chunk.subarray(0, read) : Buffer.concat([carried, chunk.subarray(0, read)])
      let start = 0
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        // A checkout by git may have changed the line ends to \r\n.
        const length = end > start && bytes[end - 1] === 13 ? end - 1 - start : end - start
        const text = bytes.toString('utf8', start, start + Math.min(length, maxText))
        if (length > 0) yield { text, number, offset, bytes: length, ended: true }
        offset += end + 1 - start
        number++
        start = end + 1
      }
      carried = Buffer.from(bytes.subarray(start))
      if (carried.length > maxLineBytes)
        throw new ShaketableError(
          'store',
          `${path}:${String(number)}: expected a line of at most 64 MiB, got a longer one. The file is damaged; restore it from a copy.`,
        )
    }
    if (carried.length === 0) return
    yield { text: carried.toString('utf8', 0, maxText), number, offset, bytes: carried.length, ended: false }
  } finally {
    closeSync(file)
  }
}

/**
 * Reads single lines of a file, in the order of their places.
 * @throws ShaketableError `store` if the file cannot be read
 */
export function* readLinesAt<Place extends Pick<Line, 'offset' | 'bytes'>>(
  path: string,
  places: Iterable<Place>,
): Generator<Place & { readonly text: string }, void, undefined> {
  const file = openExisting(path)
  if (file === undefined) return
  try {
    for (const place of places) {
      const line = Buffer.allocUnsafe(place.bytes)
      const read = whileReading(path, () => readSync(file, line, 0, line.length, place.offset))
      yield { ...place, text: line.toString('utf8', 0, read) }
    }
  } finally {
    closeSync(file)
  }
}

function openExisting(path: string): number | undefined {
  return whileReading(path, () => {
    try {
      return openRegular(path)
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw thrown
    }
  })
}
