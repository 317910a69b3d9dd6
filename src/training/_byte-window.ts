import { closeSync, readSync } from 'node:fs'
import { openRegular } from '../files/read-text.js'

const chunkBytes = 1 << 18

/**
 * A window on a file: `fill` extends it at its end, `release` drops bytes at its beginning. Indices count from the
 * beginning of the window and are valid until the next `release`.
 */
export class ByteWindow {
  readonly #file: number
  readonly #onBytes: ((bytes: Buffer) => void) | undefined
  #held: Buffer = Buffer.allocUnsafe(4 * chunkBytes)
  #begin = 0
  #end = 0
  #line = 1

  /** @param onBytes gets every byte of the file once, in order */
  constructor(path: string, onBytes?: (bytes: Buffer) => void) {
    this.#file = openRegular(path)
    this.#onBytes = onBytes
  }

  /** The bytes of the window. `fill` and `release` replace this object. */
  get bytes(): Buffer {
    return this.#held.subarray(this.#begin, this.#end)
  }

  get length(): number {
    return this.#end - this.#begin
  }

  /** Line number at the beginning of the window, from 1. */
  get line(): number {
    return this.#line
  }

  /** Reads the next bytes. @returns false at the end of the file */
  fill(): boolean {
    if (this.#held.length - this.#end < chunkBytes) this.#makeRoom()
    const read = readSync(this.#file, this.#held, this.#end, chunkBytes, null)
    if (read === 0) return false
    this.#onBytes?.(this.#held.subarray(this.#end, this.#end + read))
    this.#end += read
    return true
  }

  /** Drops `count` bytes at the beginning. */
  release(count: number): void {
    this.#line += countLines(this.bytes, count)
    this.#begin += count
  }

  /** Number of line ends before an index. */
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
