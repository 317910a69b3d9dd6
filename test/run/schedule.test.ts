import { describe, expect, it } from 'vitest'
import { ShaketableError } from '../../src/core/errors.js'
import type { Model } from '../../src/core/model.js'
import type { EndEpisode } from '../../src/run/budget.js'
import { countCells } from '../../src/run/cells.js'
import { type GridParts, createGrid } from '../../src/run/grid.js'
import { createLocalPlayer } from '../../src/run/play-cell.js'
import { schedule } from '../../src/run/schedule.js'
import { MemoryStore } from '../../src/run/store/store.js'
import { doorParts, doors, sage } from './_fakes.js'

const never = new AbortController().signal

function setUp(parts: Partial<GridParts> = {}, lanes = 1) {
  const grid = createGrid(doorParts(3, parts), '1.0.0')
  const store = new MemoryStore()
  const go = (stop: AbortSignal = never, played: () => void = () => undefined) =>
    schedule({ plan: grid.plan, player: createLocalPlayer(grid, lanes), store, played, stop })
  return { grid, store, go, count: countCells(grid.plan) }
}

/** Answers after a turn of the event loop, and counts how many calls wait at once. */
function slow() {
  const seen = { now: 0, most: 0 }
  const model: Model = {
    name: 'slow',
    settings: {},
    async complete(messages, sampling) {
      seen.most = Math.max(seen.most, ++seen.now)
      await new Promise((resolve) => setImmediate(resolve))
      seen.now--
      return sage.complete(messages, sampling)
    },
  }
  return { model, seen }
}

describe('schedule', () => {
  it('keeps as many episodes under way as there are lanes', async () => {
    const { model, seen } = slow()
    const { store, go, count } = setUp({ models: [{ model, live: true }] }, 4)
    await go()
    expect(seen.most).toBe(4)
    expect(store.rows.length).toBe(count)
  })

  it('stops on request, keeps episodes under way, and can be resumed', async () => {
    const { model } = slow()
    const { store, go, count } = setUp({ models: [{ model, live: true }] }, 3)
    const stop = new AbortController()
    let played = 0
    await go(stop.signal, () => {
      if (++played === 4) stop.abort()
    })
    expect(store.rows.length).toBeGreaterThanOrEqual(4)
    expect(store.rows.length).toBeLessThanOrEqual(4 + 2)
    await go()
    expect(store.rows.length).toBe(count)
    expect(new Set(store.rows.map(({ key }) => key)).size).toBe(count)
  })

  it('plays only what ended in an error again', async () => {
    const broken = doors(3, { broken: 'door-2' })
    const { store, go, count } = setUp({ environments: [{ environment: broken, tasks: broken.tasks }] })
    await go()
    await go()
    expect(store.rows.length).toBe(count + count / 3)
    const errors = store.rows.filter(({ outcome }) => outcome === 'environment-error')
    expect(errors.length).toBe((2 * count) / 3)
    expect(errors[0]!.error).toBe('the hinge of door-2 is broken')
  })

  it('starts no more episodes once a server is unreachable', async () => {
    const { grid, store } = setUp()
    const gone = new AbortController()
    const player = createLocalPlayer(grid, 1)
    const played = (): void => {
      if (store.rows.length === 5) gone.abort(new ShaketableError('model', 'gone'))
    }
    await schedule({ plan: grid.plan, player, store, played, stop: never, gone: gone.signal })
    expect(store.rows.length).toBe(5)
  })

  it('starts no more episodes than allowed, and checks only when there is one to start', async () => {
    const { grid, store, count } = setUp()
    let allowed = 7
    const asked = { times: 0, ended: 0 }
    const begin = (): Promise<EndEpisode | undefined> => {
      asked.times++
      return Promise.resolve(allowed-- > 0 ? () => void asked.ended++ : undefined)
    }
    const go = () =>
      schedule({
        ...{ plan: grid.plan, player: createLocalPlayer(grid, 3), store, played: () => undefined, stop: never },
        begin,
      })
    await go()
    expect(store.rows.length).toBe(7)
    allowed = 1000
    asked.times = 0
    await go()
    expect(store.rows.length).toBe(count)
    expect([asked.times, asked.ended]).toEqual([count - 7, count])
  })
})
