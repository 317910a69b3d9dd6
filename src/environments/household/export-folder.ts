import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf, ShaketableError } from '../../core/errors.js'
import type { Lock } from '../../files/lock.js'
import { isLocked, takeLock, thisProcess } from '../../files/lock.js'

/** Folders in which an export is made, each with a lock beside it. */
const workshops = /^\.export-[\w-]{6,36}(?:\.lock.*)?$/

/**
 * Sees whether games can be exported to a folder without loss; `path` is the folder of the split in it.
 * @throws ShaketableError `usage` or `bad-input` where they cannot.
 */
export function checkFolder(folder: string, path: string, force: boolean): void {
  const passedOver = ['movable', 'Sliced'].find((word) => folder.includes(word))
  if (passedOver !== undefined) {
    throw new ShaketableError(
      'usage',
      `Expected a folder without '${passedOver}' in its path, as ALFWorld passes over such games, got ${folder}. Choose another name.`,
    )
  }
  const content = entriesOf(folder).filter((name) => !workshops.test(name))
  if (content.length > 0 && !force) {
    const some = content.slice(0, 3).join(', ') + (content.length > 3 ? ', …' : '')
    throw new ShaketableError(
      'usage',
      `Expected an empty or new folder to export to, got ${folder} with ${some} in it. Choose another, or give --force to replace an earlier export in it.`,
    )
  }
  for (const task of entriesOf(path)) {
    const foreign = entriesOf(join(path, task)).find((trial) => !/^trial_\d{4}$/.test(trial))
    if (foreign !== undefined) {
      throw new ShaketableError(
        'usage',
        `Expected only games that shaketable exported in ${path}, got ${task}/${foreign}, which would be lost. Choose another folder.`,
      )
    }
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return []
    throw new ShaketableError(
      'bad-input',
      `Expected a folder that can be read at ${folder}, but: ${messageOf(cause)}. Choose another.`,
      { cause },
    )
  }
}

/** Removes workshops whose process is gone; an earlier export that it had taken away to replace it is put back. */
function removeLeftovers(folder: string, home: string): void {
  const ids = new Set(
    entriesOf(folder).flatMap((name) => (workshops.test(name) ? [name.replace(/\.lock.*$/, '')] : [])),
  )
  for (const id of ids) {
    const workshop = join(folder, id)
    if (isLocked(`${workshop}.lock`)) continue
    for (const name of existsSync(workshop) ? entriesOf(workshop) : []) {
      if (name !== 'fresh' && !existsSync(join(home, name))) renameSync(join(workshop, name), join(home, name))
    }
    rmSync(workshop, { recursive: true, force: true })
    rmSync(`${workshop}.lock`, { force: true })
  }
}

/**
 * A workshop inside the folder that is written to: what is made in it comes to its place in one move, or is gone. What
 * a killed process left in the folder is removed first.
 */
export class Workshop {
  /** Where the new content is made. */
  readonly fresh: string
  readonly #path: string
  readonly #workshop: string
  readonly #lock: Lock
  /** Folders that were made for it, innermost first. */
  readonly #made: string[] = []

  /** Makes the folder where it is missing; the content is for `path` in it. */
  constructor(folder: string, path: string) {
    this.#path = path
    this.#workshop = join(folder, `.export-${randomUUID()}`)
    this.fresh = join(this.#workshop, 'fresh')
    let lock: Lock | undefined
    try {
      this.#make(folder)
      removeLeftovers(folder, dirname(path))
      const guarded = { what: folder, elsewhere: 'give --out another folder' }
      this.#lock = lock = takeLock(`${this.#workshop}.lock`, thisProcess(), guarded)
      mkdirSync(this.#workshop)
    } catch (cause) {
      lock?.release()
      this.#unmake()
      throw cause
    }
  }

  /** Puts the new content where it belongs, in the place of what was there before. */
  move(): void {
    const path = this.#path
    this.#make(dirname(path))
    const earlier = join(this.#workshop, basename(path))
    const replaces = existsSync(path)
    if (replaces) renameSync(path, earlier)
    try {
      renameSync(this.fresh, path)
    } catch (cause) {
      if (replaces) renameSync(earlier, path)
      throw cause
    }
    this.#made.length = 0
  }

  /** Takes away the workshop, and the folders made for it as long as they are empty. */
  close(): void {
    rmSync(this.#workshop, { recursive: true, force: true })
    this.#lock.release()
    this.#unmake()
  }

  #unmake(): void {
    for (const folder of this.#made) if (readdirSync(folder).length === 0) rmdirSync(folder)
  }

  #make(folder: string): void {
    const missing: string[] = []
    for (let path = folder; !existsSync(path); path = dirname(path)) missing.unshift(path)
    for (const path of missing) {
      mkdirSync(path)
      this.#made.unshift(path)
    }
  }
}
