import { closeSync, fstatSync, ftruncateSync, readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { stat } from 'node:fs/promises'
import { ShaketableError } from '../core/errors.js'
import { openToAppend, openToWrite } from './open-to-write.js'

/** An append-only file of lines; a write is on disk when it returns. */
export class AppendFile {
  readonly path: string
  readonly #handle: FileHandle
  #bytes: number

  private constructor(path: string, handle: FileHandle, bytes: number) {
    this.path = path
    this.#handle = handle
    this.#bytes = bytes
  }

  /** Length of the file. */
  get bytes(): number {
    return this.#bytes
  }

  /** Opens a file to append to, and creates it if missing. @throws ShaketableError `store` for a link or a device */
  static async open(path: string): Promise<AppendFile> {
    const handle = await openToAppend(path)
    return new AppendFile(path, handle, (await handle.stat()).size)
  }

  /**
   * Checks that the file is still at its path with its last length, so that nothing is written to a removed or replaced
   * file.
   * @throws ShaketableError `store` if not
   */
  async check(): Promise<void> {
    const options = { bigint: true } as const
    const [own, there] = await Promise.all([
      this.#handle.stat(options),
      stat(this.path, options).catch((thrown: NodeJS.ErrnoException) => {
        if (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR') return undefined
        throw thrown
      }),
    ])
    if (there !== undefined && there.dev === own.dev && there.ino === own.ino && Number(own.size) === this.#bytes)
      return
    const what = there === undefined ? 'was removed' : 'was replaced or changed'
    throw new ShaketableError(
      'store',
      `Cannot write to ${this.path}: it ${what} while it was being written. Nothing more is written. Restore it, or run the same command again, which plays what is missing.`,
    )
  }

  /** Writes lines and waits for the disk. After a failure the file is cut to its length before, if possible. */
  async write(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return
    let written = 0
    try {
      for (const piece of piecesOf(lines)) {
        await this.#handle.appendFile(piece)
        written += piece.length
      }
      await this.#handle.datasync()
    } catch (thrown) {
      await this.#handle.truncate(this.#bytes).catch(() => undefined)
      throw thrown
    }
    this.#bytes += written
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }
}

/** Lines are joined up to this many UTF-16 code units: those of a whole group may exceed the limit of a string. */
const maxPieceLength = 1 << 22

function* piecesOf(lines: readonly string[]): Generator<Buffer> {
  let piece = ''
  for (const line of lines) {
    piece += `${line}\n`
    if (piece.length < maxPieceLength) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}

const chunkBytes = 1 << 16

/** Cuts an incomplete last line, which a killed writer leaves. @returns the number of bytes cut */
export function cutTornLine(path: string): number {
  let file: number
  try {
    file = openToWrite(path, 'change')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw thrown
  }
  try {
    const { size } = fstatSync(file)
    const kept = endOfLines(file, size)
    if (kept < size) ftruncateSync(file, kept)
    return size - kept
  } finally {
    closeSync(file)
  }
}

/** The number of bytes up to the last line end of a file. */
function endOfLines(file: number, size: number): number {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - chunkBytes)
    const read = readSync(file, chunk, 0, end - start, start)
    const found = chunk.subarray(0, read).lastIndexOf(10)
    if (found !== -1) return start + found + 1
    end = start
  }
  return 0
}
