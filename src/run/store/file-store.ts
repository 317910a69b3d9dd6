import { isSettled, isValid } from '../../core/episode.js'
import { AppendFile } from '../../files/append-file.js'
import { GroupWriter } from '../../files/group-writer.js'
import type { Lock } from '../../files/lock.js'
import { takeLock } from '../../files/lock.js'
import type { KnownServer } from '../servers.js'
import { asStoreError, filesOf, makeRunFolder, settlePlan } from './run-folder.js'
import type { PlanFile } from './plan-file.js'
import type { SealedEpisode } from './record.js'
import { maxUnwritten, recover } from './recover.js'
import type { SeenRow, Store } from './store.js'

/** Options of {@link FileStore.open}. */
interface OpenOptions {
  /** Called once this process is the only writer, before anything else is written. */
  readonly prepare?: () => void
  /** Called with each stored row of the folder's plan; see `recover`. */
  readonly seen?: SeenRow | undefined
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

/**
 * A run folder that is open for writing. Episodes are written in groups: prompts first, then attempts and trajectories,
 * then rows, each flushed before the next. A row on disk therefore implies that the rest of its episode is there too;
 * an episode without a row is played again.
 */
export class FileStore implements Store {
  readonly notes: readonly string[]
  readonly #done: ReadonlySet<string>
  readonly #refused: ReadonlySet<string>
  readonly #stored: Set<string>
  readonly #files: OpenFiles
  readonly #lock: Lock
  readonly #attemptsPath: string
  /** Opened at the first write: control models have no attempts. */
  #attempts: AppendFile | undefined
  readonly #groups: GroupWriter<SealedEpisode>

  private constructor(
    opened: { done: Set<string>; refused: Set<string>; stored: Set<string>; notes: readonly string[]; lock: Lock },
    files: OpenFiles,
    attemptsPath: string,
  ) {
    this.#done = opened.done
    this.#refused = opened.refused
    this.#stored = opened.stored
    this.notes = opened.notes
    this.#lock = opened.lock
    this.#files = files
    this.#attemptsPath = attemptsPath
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
      prepare,
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
      prepare?.()
      const { plan, notes: planNotes } = settlePlan(files, planFile, servers, date)
      const [done, refused] = [new Set<string>(), new Set<string>()]
      const { prompts: stored, notes } = recover(files, plan, (row) => {
        if (seen?.(row) === false) return false
        if (isValid(row.outcome)) done.add(row.key)
        else if (isSettled(row) && !retryRefused) refused.add(row.key)
        return true
      })
      const openFile = async (path: string): Promise<AppendFile> => {
        const file = await AppendFile.open(path)
        opened.push(file)
        return file
      }
      return new FileStore(
        { done, refused, stored, notes: [...planNotes, ...notes], lock },
        {
          prompts: await openFile(files.prompts),
          trajectories: await openFile(files.trajectories),
          outcomes: await openFile(files.outcomes),
        },
        files.attempts,
      )
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
    if (this.#groups.waiting >= maxUnwritten / 4) await this.#groups.flush()
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
      await this.#attempts?.close()
      this.#lock.release()
    }
  }

  async #write(group: readonly SealedEpisode[]): Promise<void> {
    try {
      await this.#check()
      await this.#files.prompts.write(this.#newPrompts(group))
      const attempts = group.flatMap(({ attemptsLine }) => attemptsLine ?? [])
      if (attempts.length > 0) await (this.#attempts ??= await AppendFile.open(this.#attemptsPath)).write(attempts)
      await this.#files.trajectories.write(group.flatMap(({ trajectoryLine }) => trajectoryLine || []))
      await this.#files.outcomes.write(group.map(({ rowLine }) => rowLine))
    } catch (thrown) {
      throw asStoreError(thrown, this.#files.outcomes.path)
    }
  }

  /** @throws ShaketableError `store` if a file was removed or replaced */
  async #check(): Promise<void> {
    for (const file of Object.values(this.#files)) await file.check()
  }

  #newPrompts(group: readonly SealedEpisode[]): string[] {
    const lines: string[] = []
    for (const { hash, line } of group.flatMap(({ prompts }) => prompts)) {
      if (this.#stored.has(hash)) continue
      this.#stored.add(hash)
      lines.push(line)
    }
    return lines
  }
}
