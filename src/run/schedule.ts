import type { EpisodeRow } from '../results/episode-row.js'
import type { Plan } from './plan.js'
import { cellAt, cells } from './cells.js'
import type { EndEpisode } from './budget.js'
import type { Player } from './play-cell.js'
import type { Store } from './store/store.js'

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
  /** Called before each episode; may wait for others to end. Once it returns nothing, no more episodes begin. */
  readonly begin?: (index: number) => Promise<EndEpisode | undefined>
}

/**
 * Plays every cell that the store does not have. The lanes of the player take batches from one iterator.
 * @throws ShaketableError `store` if episodes cannot be stored
 */
export async function schedule(options: ScheduleOptions): Promise<void> {
  const { plan, player, store, played, stop, gone, begin } = options
  const all = [...(options.only ?? cells(plan).keys())]
  const todo = all.filter((index) => !store.has(cellAt(plan, index).key)).values()
  let ended = false

  const lane = async (): Promise<void> => {
    const isOver = (): boolean => ended || [stop, gone, player.ended].some((signal) => signal?.aborted)
    try {
      while (!isOver()) {
        const batch: number[] = []
        const open: EndEpisode[] = []
        try {
          while (batch.length < player.batch && !isOver()) {
            const { done, value: index } = todo.next()
            if (done === true) break
            // Without a budget nothing is awaited: no other lane takes a cell in between, so a batch is of whole tasks.
            const begun = begin === undefined ? (): void => undefined : await begin(index)
            if (begun === undefined) {
              ended = true
              break
            }
            batch.push(index)
            open.push(begun)
          }
          if (batch.length === 0 || stop.aborted) return
          for (const episode of await player.play(batch)) {
            store.append(episode)
            played(episode.row, episode.attempts)
          }
        } finally {
          for (const end of open) end()
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
