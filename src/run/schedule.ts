import type { EpisodeRow } from '../core/episode.js'
import type { Plan } from '../core/report.js'
import { cellAt, cells, createKeyMaker } from './cells.js'
import type { Player } from './play-cell.js'
import type { Store } from './store/store.js'

/** Options of {@link schedule}. */
interface ScheduleOptions {
  readonly plan: Plan
  readonly player: Player
  readonly store: Store
  /** Called for each played episode, with its number of attempted calls if recorded. */
  readonly played: (row: EpisodeRow, attempts: number | undefined) => void
  /** Once aborted, no more episodes begin; running ones are finished and stored. */
  readonly stop: AbortSignal
  /** The same, aborted once a server is gone. */
  readonly gone?: AbortSignal | undefined
  /** Indices of the cells to play. Default: all. */
  readonly only?: Iterable<number>
  /** Called before each episode. Once it returns false, no more episodes begin. */
  readonly begin?: () => boolean
}

/**
 * Plays every cell that the store does not have. The lanes of the player take batches from one iterator.
 * @throws ShaketableError `store` if episodes cannot be stored
 */
export async function schedule(options: ScheduleOptions): Promise<void> {
  const { plan, player, store, played, stop, gone, begin = () => true } = options
  const todo = missing(plan, store, options.only)
  let ended = false

  const take = (): number[] => {
    const batch: number[] = []
    while (batch.length < player.batch) {
      const next = todo.next()
      if (next.done === true) break
      if (!begin()) {
        ended = true
        break
      }
      batch.push(next.value)
    }
    return batch
  }
  const lane = async (): Promise<void> => {
    try {
      while (!stop.aborted && gone?.aborted !== true && !ended) {
        const batch = take()
        if (batch.length === 0) return
        for (const episode of await player.play(batch)) {
          store.append(episode)
          played(episode.row, episode.attempts)
        }
        await store.ready()
      }
    } catch (thrown) {
      ended = true
      throw thrown
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: player.lanes }, lane))
  const broken = lanes.find((result) => result.status === 'rejected')
  if (broken !== undefined) throw broken.reason
}

/** Indices of the cells that the store does not have, found lazily. */
function* missing(plan: Plan, store: Store, only?: Iterable<number>): Generator<number, void, undefined> {
  const keyOf = createKeyMaker(plan)
  if (only === undefined) for (const cell of cells(plan)) if (!store.has(keyOf(cell))) yield cell.index
  for (const index of only ?? []) if (!store.has(keyOf(cellAt(plan, index)))) yield index
}
