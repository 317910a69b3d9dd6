import { closeSync, constants, fsyncSync, lstatSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { ShaketableError } from '../core/errors.js'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR, O_TRUNC, O_WRONLY } = constants

/**
 * Nothing is written through a link, since a folder may come from elsewhere and the link lead out of it; and opening a
 * FIFO must not wait. Windows has neither flag.
 */
const guarded = O_NOFOLLOW | O_NONBLOCK

/** How files are opened: `append` and `replace` create a missing one, `change` does not; `replace` empties it. */
export const writing = {
  append: O_WRONLY | O_APPEND | O_CREAT | guarded,
  change: O_RDWR | guarded,
  replace: O_WRONLY | O_CREAT | O_TRUNC | guarded,
} as const

/** Writes a file and waits for the disk. @throws the system's error, `ELOOP` for a link */
export function writeParts(path: string, parts: readonly string[] | Iterable<Uint8Array>): void {
  const file = openSync(path, writing.replace)
  try {
    for (const part of parts) writeFileSync(file, part)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Removes a file, if there is one and it can be removed. */
export function tryToRemove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // It stays.
  }
}

/** @throws ShaketableError `store` for anything but a folder: what is written in a linked one would be elsewhere */
export function refuseLinkedFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return
  const message = `Cannot write to ${path}: expected a folder of its own, got a link or a file. Move it away.`
  throw new ShaketableError('store', message)
}
