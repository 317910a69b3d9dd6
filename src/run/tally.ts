import type { EpisodeRow } from '../core/episode.js'
import { isValid } from '../core/episode.js'

/** A running count of a run's episodes. */
export interface Tally {
  readonly planned: number
  /** Valid episodes that were there before. */
  readonly already: number
  /** Valid episodes of this session. */
  readonly played: number
  /** Episodes of this session that ended in an error. */
  readonly errors: number
  /** Valid episodes and successes by column, in the order of the plan. */
  readonly columns: readonly { readonly label: string; readonly valid: number; readonly successes: number }[]
  /** What went wrong, by message, and how often. */
  readonly messages: ReadonlyMap<string, number>
}

/** Counts rows as they come. */
interface TallyKeeper {
  /** A row that was there when the run was opened. */
  seen(row: EpisodeRow): void
  /** A row of this session. */
  played(row: EpisodeRow): void
  now(): Tally
}

/** Different messages that are counted one by one; more than these would only fill the memory. */
const maxMessages = 100

/** Makes a count for a grid of so many episodes. */
export function createTally(planned: number, labels: readonly string[]): TallyKeeper {
  const columns = new Map(labels.map((label) => [label, { label, valid: 0, successes: 0 }]))
  const messages = new Map<string, number>()
  const count = { already: 0, played: 0, errors: 0 }
  const valid = (row: EpisodeRow): void => {
    const column = columns.get(row.column)
    if (column === undefined) return
    column.valid++
    if (row.outcome === 'success') column.successes++
  }
  return {
    seen(row) {
      if (!isValid(row.outcome)) return
      count.already++
      valid(row)
    },
    played(row) {
      if (isValid(row.outcome)) {
        count.played++
        valid(row)
        return
      }
      count.errors++
      const message = `${row.outcome} of ${row.model}: ${row.error ?? 'without a message'}`
      if (messages.has(message) || messages.size < maxMessages) messages.set(message, (messages.get(message) ?? 0) + 1)
    },
    now: () => ({ planned, ...count, columns: [...columns.values()], messages }),
  }
}
