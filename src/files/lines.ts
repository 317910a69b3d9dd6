import { closeSync, openSync, readSync } from 'node:fs'
import { ShaketableError } from '../core/errors.js'

/** One line of a file. */
export interface Line {
  readonly text: string
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
 * Reads a file line by line in bounded memory, of each line no more bytes than `most`. A file that does not exist has no lines.
 * @throws ShaketableError `store` when a line is longer than 64 MiB.
 */
export function* readLines(path: string, most = mostBytes): Generator<Line, void, undefined> {
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
        yield { text: bytes.toString('utf8', start, Math.min(end, start + most)), number, offset, ended: true }
        offset += end + 1 - start
        number++
        start = end + 1
      }
      carried = Buffer.from(bytes.subarray(start))
      if (carried.length > mostBytes) throw new ShaketableError('store', tooLong(path, number))
    }
    if (carried.length > 0) yield { text: carried.toString('utf8', 0, most), number, offset, ended: false }
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
