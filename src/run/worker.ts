import { parentPort, workerData } from 'node:worker_threads'
import { hashOf } from '../core/episode.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import { createLocalPlayer } from './play-cell.js'
import { prepareGrid } from './prepare-grid.js'
import type { WorkerAnswer, WorkerOrder, WorkerStart } from './worker-pool.js'

/**
 * A thread of the pool: creates the same grid as its pool, and plays the cells of its orders one after the other.
 */
async function work(): Promise<void> {
  const { experiment, plan } = workerData as WorkerStart
  const { grid } = await prepareGrid(experiment, undefined, undefined, undefined, (warning) => answer({ warning }))
  if (hashOf(grid.plan) !== plan) {
    throw new ShaketableError(
      'bad-input',
      'A file of this experiment changed while it was being read. Run the same command again.',
    )
  }
  const player = createLocalPlayer(grid, 1)
  let turn = Promise.resolve()
  parentPort!.on('message', ({ order, indices }: WorkerOrder) => {
    turn = turn.then(async () => {
      try {
        answer({ order, episodes: await player.play(indices) })
      } catch (thrown) {
        answer({ order, error: describe(thrown) })
      }
    })
  })
}

function answer(message: WorkerAnswer): void {
  parentPort!.postMessage(message)
}

function describe(thrown: unknown) {
  return { message: messageOf(thrown), ...(thrown instanceof ShaketableError && { code: thrown.code }) }
}

work().catch((thrown: unknown) => answer({ order: undefined, error: describe(thrown) }))
