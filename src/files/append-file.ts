import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { ShaketableError } from '../core/errors.js'
import { maxLineBytes } from './lines.js'
import { writing } from './open-to-write.js'

/** See {@link openToAppend}. */
export type AppendFile = Awaited<ReturnType<typeof openToAppend>>

/**
 * Opens a file of lines to append to, without its unfinished last line, and creates it if missing. A write is on disk
 * when it returns.
 * @throws the system's error, `ELOOP` for a link
 */
export async function openToAppend(path: string) {
  const cut = cutTornLine(path)
  const handle = await open(path, writing.append)
  let { size } = await handle.stat()
  return {
    path,
    /** Bytes of an unfinished last line that were cut when it was opened. */
    cut,
    isNew: size === 0,
    /**
     * Checks that the file is still at its path with its last length, so that nothing is written to a removed or
     * replaced file.
     * @throws ShaketableError `store` if not
     */
    async check(): Promise<void> {
      const stats = await handle.stat({ bigint: true })
      const there = await stat(path, { bigint: true }).catch(() => undefined)
      if (there?.dev === stats.dev && there.ino === stats.ino && Number(stats.size) === size) return
      throw new ShaketableError(
        'store',
        `Cannot write to ${path}: it was removed, replaced or changed while it was being written. Nothing more is written. Restore it, or run the same command again, which plays what is missing.`,
      )
    },
    /** Writes lines and waits for the disk. After a failure the file is cut to its length before, if possible. */
    async write(lines: readonly string[]): Promise<void> {
      if (lines.length === 0) return
      // Not joined as text: the lines of a whole group may exceed the limit of a string.
      const bytes = Buffer.concat(lines.map((line) => Buffer.from(`${line}\n`)))
      try {
        await handle.appendFile(bytes)
        await handle.datasync()
      } catch (thrown) {
        await handle.truncate(size).catch(() => undefined)
        throw thrown
      }
      size += bytes.length
    },
    close: () => handle.close(),
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
