import { basename } from 'node:path'
import type { EpisodeRow } from '../../results/episode-row.js'
import { isValid } from '../../core/episode.js'
import { isSettled } from '../../results/episode-row.js'
import { AppendFile, cutTornLine } from '../../files/append-file.js'
import { GroupWriter } from '../../files/group-writer.js'
import { readLines } from '../../files/lines.js'
import type { Lock } from '../../files/lock.js'
import { takeLock } from '../../files/lock.js'
import type { KnownServer } from '../servers.js'
import type { RunFiles } from './run-folder.js'
import { asStoreError, filesOf, makeRunFolder, settlePlan } from './run-folder.js'
import type { PlanFile } from './plan-file.js'
import { findNamed, leftOut, nameIn } from './read-trajectories.js'
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

/** Lines after which timers and signals have their turn. */
const copiedAtOnce = 256

type OpenFiles = Readonly<Record<'prompts' | 'trajectories' | 'outcomes', AppendFile>>

interface Opened {
  readonly notes: readonly string[]
  readonly size: number
  /** Keys of episodes that are not played again. */
  readonly settled: ReadonlySet<string>
  readonly storedPrompts: Set<string>
  readonly files: OpenFiles
  readonly lock: Lock
}

/** The most episodes that wait to be written before those who play are slowed down. */
const maxWaiting = 2048

/**
 * A run folder that is open for writing. Episodes are written in groups: prompts first, then trajectories, then
 * rows, each flushed before the next. A row on disk therefore implies that the rest of its episode is there too; an
 * episode without a row is played again.
 */
export class FileStore implements Store {
  readonly notes: readonly string[]
  /** Number of valid episodes when it was opened, of the whole run. */
  readonly size: number
  readonly #settled: ReadonlySet<string>
  readonly #storedPrompts: Set<string>
  readonly #files: OpenFiles
  readonly #lock: Lock
  readonly #groups = new GroupWriter<SealedEpisode>((group) => this.#write(group))

  private constructor(opened: Opened) {
    this.notes = opened.notes
    this.size = opened.size
    this.#settled = opened.settled
    this.#storedPrompts = opened.storedPrompts
    this.#files = opened.files
    this.#lock = opened.lock
  }

  /**
   * Opens a new or existing run folder, whose plan takes in what the given one adds, and becomes its only writer.
   * @throws ShaketableError `store` if another process writes to it, if it holds episodes that the plan would change,
   * if it holds other files, or if it cannot be written
   */
  static async open(folder: string, planFile: PlanFile, options: OpenOptions = {}): Promise<FileStore> {
    const { seen, retryRefused = false, servers = [], date = `${new Date().toISOString().slice(0, 19)}Z` } = options
    const files = filesOf(folder)
    const opened: AppendFile[] = []
    let { lock } = options
    try {
      makeRunFolder(files)
      lock ??= takeLock(files.lock)
      const appended = [files.prompts, files.trajectories, files.outcomes]
      const notes = [...appended, files.sessions].flatMap((path) => {
        const cut = cutTornLine(path)
        const what = `cut 1 unfinished last line (${String(cut)} bytes) left by a writer that was stopped.`
        return cut === 0 ? [] : [`${basename(path)}: ${what}`]
      })
      const { plan, notes: planNotes } = settlePlan(files, planFile, servers, date)
      const settled = new Set<string>()
      let size = 0
      const { rows, leftOut: left } = readRows(plan, [files.outcomes])
      for (const row of rows) {
        seen?.(row)
        if (isValid(row.outcome)) size++
        if (isValid(row.outcome) || (isSettled(row) && !retryRefused)) settled.add(row.key)
      }
      const { unreadable } = left[0]!
      notes.push(...planNotes, ...noteUnreadable(files.outcomes, unreadable, `expected an episode's row. ${leftOut}`))
      const storedPrompts = new Set(findNamed(files.prompts).keys())
      for (const path of appended) opened.push(await AppendFile.open(path))
      const [prompts, trajectories, outcomes] = opened as [AppendFile, AppendFile, AppendFile]
      return new FileStore({
        ...{ notes, size, settled, storedPrompts, lock },
        files: { prompts, trajectories, outcomes },
      })
    } catch (thrown) {
      for (const file of opened) await file.close()
      lock?.release()
      throw asStoreError(thrown, folder)
    }
  }

  has(key: string): boolean {
    return this.#settled.has(key)
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

  /**
   * Copies episodes of another run, given by their keys, in the order in which they are written: the episodes of a copy
   * that was stopped are copied again. @returns false once it is stopped
   */
  async copy(from: RunFiles, keys: ReadonlySet<string>, stop: AbortSignal): Promise<boolean> {
    const { prompts, trajectories, outcomes } = this.#files
    const isNewPrompt = (hash: string): boolean => this.#storedPrompts.size < this.#storedPrompts.add(hash).size
    const copied = [
      [from.prompts, prompts, isNewPrompt],
      [from.trajectories, trajectories, (key: string) => keys.has(key)],
      [from.outcomes, outcomes, (key: string) => keys.has(key)],
    ] as const
    for (const [path, file, isCopied] of copied) {
      let lines: string[] = []
      for (const { text, ended } of readLines(path)) {
        const name = ended ? nameIn(text) : undefined
        if (name !== undefined && isCopied(name)) lines.push(text)
        if (lines.length < copiedAtOnce) continue
        if (stop.aborted) return false
        await file.write(lines)
        lines = []
      }
      await file.write(lines)
    }
    return true
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
