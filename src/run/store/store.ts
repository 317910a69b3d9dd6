import type { EpisodeRow } from '../../core/episode.js'
import type { SealedEpisode } from './record.js'

/** The append-only home of a run's episodes. A class, since it holds a lock and files that are open. */
export interface Store {
  /** What the store had to say when it was opened: lines that were cut or cannot be read. */
  readonly notes: readonly string[]
  /**
   * Whether there was a valid episode of this key when the store was opened. Episodes that ended in an error are not,
   * and are played again. What is appended later is not remembered, so that memory does not grow with a session.
   */
  has(key: string): boolean
  /**
   * Takes an episode down; it is on disk at the latest when close() has ended.
   * @throws ShaketableError `store` after a failed write.
   */
  append(episode: SealedEpisode): void
  /** Waits until there is room for more. @throws ShaketableError `store` after a failed write. */
  ready(): Promise<void>
  /** Writes what is left and lets go of the run. @throws ShaketableError `store` where that fails. */
  close(): Promise<void>
}

/** Called with each row that a store already holds, in the order in which they were written. */
export type SeenRow = (row: EpisodeRow) => void
