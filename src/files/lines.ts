import { closeSync, openSync, readSync } from 'node:fs'
import { ShaketableError } from '../core/errors.js'

/** One line of a file. */
export interface Line extends LinePlace {
  readonly text: string
}

/** One line of a file as bytes, which the reading of the next one may overwrite. */
export interface ByteLine extends LinePlace {
  readonly bytes: Buffer
}

/** Where a line stands. */
interface LinePlace {
  /** From 1. */
  readonly number: number
  /** In bytes, from the start of the file. */
  readonly offset: number
  /** Whether a line end follows; without one the writer was stopped in the middle of the line. */
  readonly ended: boolean
}

const chunkBytes = 1 << 18
const mostBytes = 1 << 26

/**
 * Reads a file line by line in bounded memory. A file that does not exist has no lines.
 * @throws ShaketableError `store` when a line is longer than 64 MiB.
 */
export function* readLines(path: string): Generator<Line, void, undefined> {
  for (const { bytes, number, offset, ended } of readByteLines(path)) {
    yield { text: bytes.toString('utf8'), number, offset, ended }
  }
}

/** The same for whoever needs only a part of each line. */
export function* readByteLines(path: string): Generator<ByteLine, void, undefined> {
  const file = openToRead(path)
  if (file === undefined) return
  try {
    let number = 1
    let offset = 0
    let carried: Buffer<ArrayBufferLike> = Buffer.alloc(0)
    const chunk = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      const read = readSync(file, chunk, 0, chunkBytes, null)
      if (read === 0) break
      const bytes = carried.length === 0 ? chunk.subarray(0, read) : Buffer.concat([carried, chunk.subarray(0, read)])
      let start = 0
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        yield { bytes: bytes.subarray(start, end), number, offset, ended: true }
        offset += end + 1 - start
        number++
        start = end + 1
      }
      carried = Buffer.from(bytes.subarray(start))
      if (carried.length > mostBytes) throw new ShaketableError('store', tooLong(path, number))
    }
    if (carried.length > 0) yield { bytes: carried, number, offset, ended: false }
  } finally {
    closeSync(file)
  }
}

function openToRead(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw thrown
  }
}

function tooLong(path: string, number: number): string {
  return `${path}:${String(number)}: expected a line of at most 64 MiB, got a longer one. The file is damaged; restore it from a copy.`
}
