import type { EpisodeRow } from '../core/episode.js'
import type { Plan } from '../core/report.js'
import { cells, createKeyMaker } from './cells.js'
import type { Player } from './play-cell.js'
import type { Store } from './store/store.js'

/** What a schedule needs. */
interface ScheduleOptions {
  readonly plan: Plan
  readonly player: Player
  readonly store: Store
  /** Hears of each episode that was played, and how many calls were tried for it where that is known. */
  readonly played: (row: EpisodeRow, attempts: number | undefined) => void
  /** No more episodes are begun after it; those that are under way are finished and kept. */
  readonly stop: AbortSignal
  /** The same, for want of a server. */
  readonly gone?: AbortSignal | undefined
  /** Asked before each episode; no more are begun once it says no. */
  readonly begin?: () => boolean
}

/**
 * Plays every cell that the store does not have, a few at a time, pulled from one iterator by as many lanes as the
 * player has.
 * @throws ShaketableError `store` when episodes cannot be kept.
 */
export async function schedule(options: ScheduleOptions): Promise<void> {
  const { plan, player, store, played, stop, gone, begin = () => true } = options
  const todo = missing(plan, store)
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

/** Places of the cells that are still to be played, found one at a time. */
function* missing(plan: Plan, store: Store): Generator<number, void, undefined> {
  const keyOf = createKeyMaker(plan)
  for (const cell of cells(plan)) {
    if (!store.has(keyOf(cell))) yield cell.index
  }
}
