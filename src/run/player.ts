import { GivenUp } from '../core/errors.js'
import type { Grid } from './grid.js'
import { cellAt } from './cells.js'
import type { PlayCellOptions } from './play-cell.js'
import { playCell } from './play-cell.js'
import type { SealedEpisode } from './store/record.js'
import { createSealer } from './store/record.js'

/** Something that plays cells: this thread, or several. */
export interface Player {
  /** How many batches it works on at once. */
  readonly lanes: number
  /** How many cells it likes to be handed at once. */
  readonly batch: number
  /** Plays the cells at these places in the order of play; one that is given up between two trials is left out. */
  play(indices: readonly number[]): Promise<readonly SealedEpisode[]>
  close(): Promise<void>
}

/** Milliseconds after which a thread that only computes lets timers and signals through. */
const breathMs = 20

/** Plays in this thread; `lanes` episodes at once are of use only where models wait for a server. */
export function createLocalPlayer(grid: Grid, lanes: number, options: PlayCellOptions = {}): Player {
  const seal = createSealer()
  let breathed = performance.now()
  return {
    lanes,
    batch: 1,
    async play(indices) {
      const episodes: SealedEpisode[] = []
      for (const index of indices) {
        const played = await unlessGivenUp(playCell(grid, cellAt(grid.plan, index), options))
        if (played !== undefined) episodes.push(seal(played))
        if (performance.now() - breathed > breathMs) {
          await new Promise((resolve) => setImmediate(resolve))
          breathed = performance.now()
        }
      }
      return episodes
    },
    close: () => Promise.resolve(),
  }
}

async function unlessGivenUp<Played>(playing: Promise<Played>): Promise<Played | undefined> {
  try {
    return await playing
  } catch (thrown) {
    if (thrown instanceof GivenUp) return undefined
    throw thrown
  }
}
