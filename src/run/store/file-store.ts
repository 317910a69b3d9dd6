import { basename } from 'node:path'
import type { EpisodeRow } from '../../results/episode-row.js'
import { isValid } from '../../core/episode.js'
import { isSettled } from '../../results/episode-row.js'
import { AppendFile, cutTornLine } from '../../files/append-file.js'
import { GroupWriter } from '../../files/group-writer.js'
import type { Lock } from '../../files/lock.js'
import { takeLock } from '../../files/lock.js'
import { placesByKey } from '../cells.js'
import type { KnownServer } from '../servers.js'
import { asStoreError, filesOf, makeRunFolder, settlePlan } from './run-folder.js'
import type { PlanFile } from './plan-file.js'
import { findNamed, leftOut } from './read-trajectories.js'
import type { SealedEpisode } from './record.js'
import { noteUnreadable, readRows } from './row.js'
import type { Store } from './store.js'

/** Options of {@link FileStore.open}. */
interface OpenOptions {
  /** Called with the stored row of each episode of the folder's plan. */
  readonly seen?: ((row: EpisodeRow) => void) | undefined
  /** Whether episodes whose conversation a server refused are played again. */
  readonly retryRefused?: boolean
  /** Reports of servers, stored with the plan. */
  readonly servers?: readonly KnownServer[] | undefined
  /** When the plan changes, if it does. Default: now. */
  readonly date?: string
  /** The folder's lock, where this process holds it already; released with the store. */
  readonly lock?: Lock
}

type OpenFiles = Readonly<Record<'prompts' | 'trajectories' | 'outcomes', AppendFile>>

/** The most episodes that wait to be written before those who play are slowed down. */
const maxWaiting = 2048

/**
 * A run folder that is open for writing. Episodes are written in groups: prompts first, then trajectories, then
 * rows, each flushed before the next. A row on disk therefore implies that the rest of its episode is there too; an
 * episode without a row is played again.
 */
export class FileStore implements Store {
  readonly notes: readonly string[]
  readonly #done: ReadonlySet<string>
  readonly #refused: ReadonlySet<string>
  readonly #storedPrompts: Set<string>
  readonly #files: OpenFiles
  readonly #lock: Lock
  readonly #groups: GroupWriter<SealedEpisode>

  private constructor(
    opened: { done: Set<string>; refused: Set<string>; storedPrompts: Set<string>; notes: readonly string[] },
    files: OpenFiles,
    lock: Lock,
  ) {
    this.#done = opened.done
    this.#refused = opened.refused
    this.#storedPrompts = opened.storedPrompts
    this.notes = opened.notes
    this.#files = files
    this.#lock = lock
    this.#groups = new GroupWriter((group) => this.#write(group))
  }

  /**
   * Opens a new or existing run folder, whose plan takes in what the given one adds, and becomes its only writer.
   * @throws ShaketableError `store` if another process writes to it, if it holds episodes that the plan would change,
   * if it holds other files, or if it cannot be written
   */
  static async open(
    folder: string,
    planFile: PlanFile,
    {
      seen,
      retryRefused = false,
      servers = [],
      date = `${new Date().toISOString().slice(0, 19)}Z`,
      lock: held,
    }: OpenOptions = {},
  ): Promise<FileStore> {
    const files = filesOf(folder)
    const opened: AppendFile[] = []
    let lock = held
    try {
      makeRunFolder(files)
      lock ??= takeLock(files.lock)
      const appended = [files.prompts, files.trajectories, files.outcomes]
      const notes = [...appended, files.sessions].flatMap((path) => {
        const cut = cutTornLine(path)
        const what = `cut 1 unfinished last line (${String(cut)} bytes) left by a writer that was stopped.`
        return cut === 0 ? [] : [`${basename(path)}: ${what}`]
      })
      const { rows, unreadable } = readRows(files.outcomes)
      const { plan, notes: planNotes } = settlePlan(files, planFile, rows, servers, date)
      notes.push(...planNotes, ...noteUnreadable(files.outcomes, unreadable, `expected an episode's row. ${leftOut}`))
      const [done, refused] = [new Set<string>(), new Set<string>()]
      const places = placesByKey(plan)
      for (const row of rows.values()) {
        if (!places.has(row.key)) continue
        seen?.(row)
        if (isValid(row.outcome)) done.add(row.key)
        else if (isSettled(row) && !retryRefused) refused.add(row.key)
      }
      const storedPrompts = new Set(findNamed(files.prompts, 'hash').keys())
      for (const path of appended) opened.push(await AppendFile.open(path))
      const [prompts, trajectories, outcomes] = opened as [AppendFile, AppendFile, AppendFile]
      const found = { done, refused, storedPrompts, notes }
      return new FileStore(found, { prompts, trajectories, outcomes }, lock)
    } catch (thrown) {
      for (const file of opened) await file.close()
      lock?.release()
      throw asStoreError(thrown, folder)
    }
  }

  /** Number of valid episodes when it was opened, of the whole run. */
  get size(): number {
    return this.#done.size
  }

  has(key: string): boolean {
    return this.#done.has(key) || this.#refused.has(key)
  }

  append(episode: SealedEpisode): void {
    this.#groups.add(episode)
  }

  async ready(): Promise<void> {
    if (this.#groups.waiting >= maxWaiting) await this.#groups.flush()
    this.#groups.check()
  }

  flush(): Promise<void> {
    return this.#groups.flush()
  }

  async close(): Promise<void> {
    try {
      await this.flush()
      await this.#check()
    } finally {
      for (const file of Object.values(this.#files)) await file.close()
      this.#lock.release()
    }
  }

  async #write(group: readonly SealedEpisode[]): Promise<void> {
    const { prompts, trajectories, outcomes } = this.#files
    try {
      await this.#check()
      await prompts.write(this.#newPrompts(group))
      await trajectories.write(group.flatMap(({ trajectoryLine }) => trajectoryLine || []))
      await outcomes.write(group.map(({ rowLine }) => rowLine))
    } catch (thrown) {
      throw asStoreError(thrown, outcomes.path)
    }
  }

  /** @throws ShaketableError `store` if a file was removed or replaced */
  async #check(): Promise<void> {
    for (const file of Object.values(this.#files)) await file.check()
  }

  #newPrompts(group: readonly SealedEpisode[]): string[] {
    const lines: string[] = []
    for (const { hash, line } of group.flatMap(({ prompts }) => prompts)) {
      if (this.#storedPrompts.has(hash)) continue
      this.#storedPrompts.add(hash)
      lines.push(line)
    }
    return lines
  }
}
