import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, stat } from 'node:fs/promises'
import { ShaketableError } from '../core/errors.js'
import { maxLineBytes } from './lines.js'
import { writing } from './open-to-write.js'

/** An append-only file of lines; a write is on disk when it returns. */
export class AppendFile {
  readonly path: string
  /** Bytes of an unfinished last line that were cut when it was opened. */
  readonly cut: number
  readonly #handle: FileHandle
  #bytes: number

  private constructor(path: string, cut: number, handle: FileHandle, bytes: number) {
    this.path = path
    this.cut = cut
    this.#handle = handle
    this.#bytes = bytes
  }

  /** Length of the file. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Opens a file to append to, without its unfinished last line, and creates it if missing.
   * @throws the system's error, `ELOOP` for a link
   */
  static async open(path: string): Promise<AppendFile> {
    const cut = cutTornLine(path)
    const handle = await open(path, writing.append)
    return new AppendFile(path, cut, handle, (await handle.stat()).size)
  }

  /**
   * Checks that the file is still at its path with its last length, so that nothing is written to a removed or replaced
   * file.
   * @throws ShaketableError `store` if not
   */
  async check(): Promise<void> {
    const stats = await this.#handle.stat({ bigint: true })
    const there = await stat(this.path, { bigint: true }).catch(() => undefined)
    if (there?.dev === stats.dev && there.ino === stats.ino && Number(stats.size) === this.#bytes) return
    throw new ShaketableError(
      'store',
      `Cannot write to ${this.path}: it was removed, replaced or changed while it was being written. Nothing more is written. Restore it, or run the same command again, which plays what is missing.`,
    )
  }

  /** Writes lines and waits for the disk. After a failure the file is cut to its length before, if possible. */
  async write(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return
    // Not joined as text: the lines of a whole group may exceed the limit of a string.
    const bytes = Buffer.concat(lines.map((line) => Buffer.from(`${line}\n`)))
    try {
      await this.#handle.appendFile(bytes)
      await this.#handle.datasync()
    } catch (thrown) {
      await this.#handle.truncate(this.#bytes).catch(() => undefined)
      throw thrown
    }
    this.#bytes += bytes.length
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }
}

/** Cuts an incomplete last line, which a killed writer leaves. @returns the number of bytes cut */
export function cutTornLine(path: string): number {
  let file: number
  try {
    file = openSync(path, writing.change)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw thrown
  }
  try {
    const { size } = fstatSync(file)
    const end = Buffer.alloc(Math.min(size, maxLineBytes))
    readSync(file, end, 0, end.length, size - end.length)
    const torn = end.length - 1 - end.lastIndexOf(10)
    if (torn > 0) ftruncateSync(file, size - torn)
    return torn
  } finally {
    closeSync(file)
  }
}
