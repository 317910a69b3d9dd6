import { describe, expect, it } from 'vitest'
import { completeExperiment } from '../../src/run/experiment.js'
import { createLocalPlayer } from '../../src/run/play-cell.js'
import { prepareGrid } from '../../src/run/prepare-grid.js'
import type * as pool from '../../src/run/worker-pool.js'

/** Threads need the built files. */
const built = new URL('../../dist/src/run/worker-pool.js', import.meta.url).href
const { createWorkerPlayer } = (await import(built)) as typeof pool

const { experiment } = completeExperiment({ flags: { tasks: 2, seeds: 1, models: ['reader'] } })
const { grid } = await prepareGrid(experiment)
const { plan } = grid

describe('a pool of threads', () => {
  it('plays exactly what this thread would play, to the byte', async () => {
    const indices = [0, 1, 2, 3, 10, 11]
    const player = createWorkerPlayer({ experiment, plan }, 2)
    const halves = await Promise.all([player.play(indices.slice(0, 3)), player.play(indices.slice(3))])
    await player.close()
    const here = await createLocalPlayer(grid, 1).play(indices)
    const lines = (episodes: typeof here) =>
      episodes.flatMap(({ rowLine, trajectoryLine }) => [rowLine, trajectoryLine])
    expect(lines(halves.flat())).toEqual(lines(here))
  })

  it('refuses to play if its grid differs from the planned one', async () => {
    const player = createWorkerPlayer({ experiment, plan: { ...plan, stepLimit: 1 } }, 1)
    await expect(player.play([0])).rejects.toThrow(/^A file of this experiment changed while it was being read\./)
    await expect(player.play([0])).rejects.toThrow(/^A file of this experiment changed/)
    await player.close()
  })

  it('rejects the work under way when it is closed', async () => {
    const player = createWorkerPlayer({ experiment, plan }, 1)
    const playing = player.play([0]).catch((error: unknown) => (error as Error).message)
    await player.close()
    expect(await playing).toBe('a worker thread ended before its work was done')
  })
})
