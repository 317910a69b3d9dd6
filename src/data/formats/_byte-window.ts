import { closeSync, readSync } from 'node:fs'
import { openRegular } from '../../files/read-text.js'

const chunkBytes = 1 << 18

/**
 * The part of a file that is being looked at: it grows at its end, and what is done with is let go at its beginning. A
 * class, since it holds an open file. Indices count from the beginning of the window and hold until the next `release`.
 */
export class ByteWindow {
  readonly #file: number
  readonly #heard: ((bytes: Buffer) => void) | undefined
  #held: Buffer = Buffer.allocUnsafe(4 * chunkBytes)
  #begin = 0
  #end = 0
  #line = 1

  /** @param heard hears every byte of the file once, in order */
  constructor(path: string, heard?: (bytes: Buffer) => void) {
    this.#file = openRegular(path)
    this.#heard = heard
  }

  /** What is held of the file. Another object after `fill` and `release`. */
  get bytes(): Buffer {
    return this.#held.subarray(this.#begin, this.#end)
  }

  get length(): number {
    return this.#end - this.#begin
  }

  /** Line of the file on which the window begins, from 1. */
  get line(): number {
    return this.#line
  }

  /** Reads on. @returns false at the end of the file */
  fill(): boolean {
    if (this.#held.length - this.#end < chunkBytes) this.#makeRoom()
    const read = readSync(this.#file, this.#held, this.#end, chunkBytes, null)
    if (read === 0) return false
    this.#heard?.(this.#held.subarray(this.#end, this.#end + read))
    this.#end += read
    return true
  }

  /** Lets go of so many bytes at the beginning. */
  release(count: number): void {
    this.#line += countLines(this.bytes, count)
    this.#begin += count
  }

  /** How many line ends stand before an index. */
  linesBefore(index: number): number {
    return countLines(this.bytes, index)
  }

  close(): void {
    closeSync(this.#file)
  }

  #makeRoom(): void {
    const { bytes } = this
    const needed = bytes.length + chunkBytes
    const room = needed <= this.#held.length ? this.#held : Buffer.allocUnsafe(2 * needed)
    bytes.copy(room)
    this.#held = room
    this.#begin = 0
    this.#end = bytes.length
  }
}

function countLines(bytes: Buffer, before: number): number {
  const part = bytes.subarray(0, before)
  let count = 0
  for (let index = part.indexOf(10); index !== -1; index = part.indexOf(10, index + 1)) count++
  return count
}
