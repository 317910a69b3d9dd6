import { type Trajectory, isValid } from '../../core/episode.js'
import type { EpisodeRow } from '../../results/episode-row.js'
import { type SealedEpisode, type StoredTrajectory, unseal } from './record.js'
import type { Message } from '../../core/model.js'

/** Append-only store of a run's episodes. */
export interface Store {
  /** Notes from opening: lines that were cut or cannot be read. */
  readonly notes: readonly string[]
  /**
   * Whether there was a valid episode with this key when the store was opened. Appended episodes do not count, so that
   * memory does not grow with a session.
   */
  has(key: string): boolean
  /**
   * Appends an episode. It is on disk when close() has returned, or earlier.
   * @throws ShaketableError `store` after a failed write
   */
  append(episode: SealedEpisode): void
  /** Waits until there is room for more. @throws ShaketableError `store` after a failed write */
  ready(): Promise<void>
  /** Writes what is left and releases the run. @throws ShaketableError `store` if that fails */
  close(): Promise<void>
}

/** A store in memory: for tests, and for runs whose episodes are not kept. */
export class MemoryStore implements Store {
  readonly notes: readonly string[] = []
  readonly rows: EpisodeRow[] = []
  readonly #done = new Set<string>()
  readonly #prompts = new Map<string, Message>()
  readonly #trajectories = new Map<string, StoredTrajectory>()

  has(key: string): boolean {
    return this.#done.has(key)
  }

  append({ row, trajectoryLine, prompts }: SealedEpisode): void {
    this.rows.push(row)
    if (isValid(row.outcome)) this.#done.add(row.key)
    for (const { hash, line } of prompts) this.#prompts.set(hash, JSON.parse(line) as Message)
    this.#trajectories.set(row.key, JSON.parse(trajectoryLine) as StoredTrajectory)
  }

  trajectory(key: string): Trajectory | undefined {
    const stored = this.#trajectories.get(key)
    return stored && unseal(stored, this.#prompts)
  }

  async ready(): Promise<void> {}

  async close(): Promise<void> {}
}
