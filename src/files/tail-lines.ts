import { closeSync, fstatSync, readSync } from 'node:fs'
import { ShaketableError } from '../core/errors.js'
import type { LineState } from './checksum.js'
import { checkLine, refuseCarriageReturn, textOf } from './checksum.js'
import { maxLineBytes } from './lines.js'
import { openRegular } from './read-text.js'
import { whileReading } from './write-error.js'

/** Reads the lines that were appended to a file since the last reading. */
interface LineTail {
  /**
   * Calls `seen` with each complete new line, without its line end and checksum.
   * @param isOver stops the reading early; asked after each block of lines (256 KiB, or one longer line)
   * @returns `restarted`: the file was replaced or cut below what was read, and is read from its start again by the
   * next call, without a line in this one; `behind`: bytes that are left to read
   * @throws ShaketableError `store` for a line longer than 64 MiB, changed line ends, or a file that cannot be read
   */
  read(seen: (text: string, state: LineState) => void, isOver?: () => boolean): TailState
}

interface TailState {
  readonly restarted: boolean
  readonly behind: number
}

const chunkBytes = 1 << 18

/** Creates a tail at the start of a file, which need not exist yet. Between two readings it keeps an offset alone. */
export function tailLines(path: string): LineTail {
  let inode: number | undefined
  let offset = 0
  const restart = (): TailState => {
    inode = undefined
    offset = 0
    return { restarted: true, behind: 0 }
  }
  return {
    read(seen, isOver = () => false) {
      const file = whileReading(path, () => openExisting(path))
      if (file === undefined) return offset > 0 ? restart() : { restarted: false, behind: 0 }
      try {
        const { ino, size } = fstatSync(file)
        if (offset > 0 && (ino !== inode || size < offset)) return restart()
        inode = ino
        let bytes = chunkBytes
        while (offset < size) {
          const chunk = Buffer.allocUnsafe(Math.min(bytes, size - offset))
          const read = whileReading(path, () => readSync(file, chunk, 0, chunk.length, offset))
          const used = eachLine(path, chunk.subarray(0, read), seen)
          offset += used
          if (used === 0) {
            // The rest is an unfinished line, or a line is longer than what was read of it.
            if (read < bytes) break
            if ((bytes *= 2) > maxLineBytes) throw new ShaketableError('store', tooLong(path))
            continue
          }
          bytes = chunkBytes
          if (isOver()) return { restarted: false, behind: size - offset }
        }
        return { restarted: false, behind: 0 }
      } finally {
        closeSync(file)
      }
    },
  }
}

/** @returns the bytes up to the end of the last complete line */
function eachLine(path: string, bytes: Buffer, seen: (text: string, state: LineState) => void): number {
  let start = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    // Recovery leaves spaces in the place of a line that it removed.
    if (end > start && bytes[start] !== space) {
      const state = checkLine(bytes, start, end)
      if (state !== 'sound') refuseCarriageReturn(path, bytes, start, end)
      seen(textOf(bytes, start, end, state), state)
    }
    start = end + 1
  }
  return start
}

const space = 32

function openExisting(path: string): number | undefined {
  try {
    return openRegular(path)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw thrown
  }
}

function tooLong(path: string): string {
  return `${path}: expected lines of at most 64 MiB, got a longer one. The file is damaged; restore it from a copy.`
}
