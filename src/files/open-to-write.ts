import type { Stats } from 'node:fs'
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, lstatSync, openSync, writeFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { ShaketableError } from '../core/errors.js'
import { nameKind } from './read-text.js'

/** `append` and `replace` create a missing file, `change` does not; `replace` empties one that is there. */
type Writing = 'append' | 'change' | 'replace'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR, O_WRONLY } = constants
const flags: Readonly<Record<Writing, number>> = {
  append: O_WRONLY | O_APPEND | O_CREAT,
  change: O_RDWR,
  replace: O_WRONLY | O_CREAT,
}
/** Windows has neither; a link is then found by its state alone. */
const guarded = O_NOFOLLOW | O_NONBLOCK

/**
 * Opens a regular file to write. Nothing is written through a link, since the folder may come from elsewhere and the
 * link lead out of it; nor to a device or FIFO.
 * @throws ShaketableError `store` for these; else the system's error
 */
export function openToWrite(path: string, writing: Writing): number {
  refuseOthers(path, lstatSync(path, { throwIfNoEntry: false }))
  const file = openSync(path, flags[writing] | guarded)
  try {
    refuseOthers(path, fstatSync(file))
    if (writing === 'replace') ftruncateSync(file)
    return file
  } catch (thrown) {
    closeSync(file)
    throw thrown
  }
}

/** Opens a file to append to it without blocking this thread. @throws as {@link openToWrite} */
export async function openToAppend(path: string): Promise<FileHandle> {
  refuseOthers(path, lstatSync(path, { throwIfNoEntry: false }))
  const handle = await open(path, flags.append | guarded)
  try {
    refuseOthers(path, await handle.stat())
    return handle
  } catch (thrown) {
    await handle.close()
    throw thrown
  }
}

/** Writes to a file and waits for the disk. @throws as {@link openToWrite} */
export function writeParts(
  path: string,
  writing: 'append' | 'replace',
  parts: readonly string[] | Iterable<Uint8Array>,
): void {
  const file = openToWrite(path, writing)
  try {
    for (const part of parts) writeFileSync(file, part)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** @throws ShaketableError `store` for anything but a folder: what is written in a linked one would be elsewhere */
export function refuseLinkedFolder(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() === false) throw refusal(path, `it is ${nameKind(found)}`)
}

function refuseOthers(path: string, found: Stats | undefined): void {
  if (found === undefined) return
  if (!found.isFile()) throw refusal(path, `it is ${nameKind(found)}`)
  if (found.nlink > 1) throw refusal(path, 'it is a hard link, and the same file has another name')
}

function refusal(path: string, why: string): ShaketableError {
  return new ShaketableError(
    'store',
    `Cannot write to ${path}: expected a regular file or folder of its own, but ${why}. Move it away, or write to another folder.`,
  )
}
