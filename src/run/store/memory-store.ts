import type { EpisodeRow, Trajectory } from '../../core/episode.js'
import { isValid } from '../../core/episode.js'
import type { Message } from '../../core/model.js'
import type { SealedEpisode, StoredCalls, StoredTrajectory } from './record.js'
import { joinCalls, unseal } from './record.js'
import type { Store } from './store.js'

/** A store that forgets: for tests, and for plays that nobody will ask about. */
export class MemoryStore implements Store {
  readonly notes: readonly string[] = []
  readonly rows: EpisodeRow[] = []
  readonly #done = new Set<string>()
  readonly #prompts = new Map<string, Message>()
  readonly #trajectories = new Map<string, StoredTrajectory>()
  readonly #calls = new Map<string, StoredCalls>()

  has(key: string): boolean {
    return this.#done.has(key)
  }

  append({ row, trajectoryLine, attemptsLine, prompts }: SealedEpisode): void {
    this.rows.push(row)
    if (isValid(row.outcome)) this.#done.add(row.key)
    for (const { hash, line } of prompts) this.#prompts.set(hash, JSON.parse(line) as Message)
    this.#trajectories.set(row.key, JSON.parse(trajectoryLine) as StoredTrajectory)
    if (attemptsLine !== undefined) this.#calls.set(row.key, JSON.parse(attemptsLine) as StoredCalls)
  }

  /** With how its replies were got. */
  trajectory(key: string): Trajectory | undefined {
    const stored = this.#trajectories.get(key)
    return (
      stored &&
      joinCalls(
        unseal(stored, (hash) => this.#prompts.get(hash)),
        this.#calls.get(key),
      )
    )
  }

  async ready(): Promise<void> {}

  async close(): Promise<void> {}
}
