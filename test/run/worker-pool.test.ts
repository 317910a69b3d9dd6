import { describe, expect, it } from 'vitest'
import type { ShaketableError } from '../../src/core/errors.js'
import { completeExperiment } from '../../src/run/experiment.js'
import type { Player } from '../../src/run/play-cell.js'
import { createLocalPlayer } from '../../src/run/play-cell.js'
import { prepareGrid } from '../../src/run/prepare-grid.js'
import type * as pool from '../../src/run/worker-pool.js'

/** Threads need the built files. */
const built = new URL('../../dist/src/run/worker-pool.js', import.meta.url).href
const { createWorkerPlayer } = (await import(built)) as typeof pool

const { experiment } = completeExperiment({ flags: { tasks: 2, seeds: 1, models: ['reader'] }, environmentFlags: {} })
const { grid } = await prepareGrid(experiment)
const { plan } = grid
const { signal: goes } = new AbortController()

describe('a pool of threads', () => {
  it('plays exactly what this thread would play, to the byte', async () => {
    const indices = [0, 1, 2, 3, 10, 11]
    const player = createWorkerPlayer({ experiment, plan }, 2, goes)
    const halves = await Promise.all([player.play(indices.slice(0, 3)), player.play(indices.slice(3))])
    await player.close()
    const here = await createLocalPlayer(grid, 1).play(indices)
    const lines = (episodes: typeof here) =>
      episodes.flatMap(({ rowLine, trajectoryLine }) => [rowLine, trajectoryLine])
    expect(lines(halves.flat())).toEqual(lines(here))
  })

  it('refuses to play if its grid differs from the planned one', async () => {
    const player = createWorkerPlayer({ experiment, plan: { ...plan, stepLimit: 1 } }, 1, goes)
    await expect(player.play([0])).rejects.toThrow(/^A file of this experiment changed while it was being read\./)
    await expect(player.play([0])).rejects.toThrow(/^A file of this experiment changed/)
    await player.close()
  })

  it('forwards the notes of a thread, with their kind', async () => {
    const player = createWorkerPlayer({ experiment: { ...experiment, agents: ['nobody'] }, plan }, 1, goes)
    const thrown: unknown = await player.play([0]).catch((error: unknown) => error)
    await player.close()
    expect(thrown).toMatchObject({ name: 'ShaketableError', code: 'usage' } satisfies Partial<ShaketableError>)
  })

  it('rejects the work under way when it is closed', async () => {
    const player = createWorkerPlayer({ experiment, plan }, 1, goes)
    const playing = player.play([0]).catch((error: unknown) => (error as Error).message)
    await player.close()
    expect(await playing).toBe('a worker thread ended before its work was done')
  })

  it('gives no episodes of a thread that is stopped before it is ready, and those under way of one that is', async () => {
    const stops = [new AbortController(), new AbortController()] as const
    const players = stops.map(({ signal }) => createWorkerPlayer({ experiment, plan }, 1, signal)) as [Player, Player]
    const early = players[0].play([0])
    stops[0].abort()
    expect(await early).toEqual([])
    await players[1].play([0])
    const late = players[1].play([1])
    stops[1].abort()
    expect(await late).toHaveLength(1)
    await Promise.all(players.map((player) => player.close?.()))
  })
})
