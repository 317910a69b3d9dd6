import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cellAt, cells, countCells } from '../../../src/run/cells.js'
import { createGrid } from '../../../src/run/grid.js'
import { playCell } from '../../../src/run/play-cell.js'
import { withoutAbsent } from '../../../src/run/model-choice.js'
import { openFileStore } from '../../../src/run/store/file-store.js'
import { type Store, MemoryStore } from '../../../src/run/store/store.js'
import { readRun } from '../../../src/run/store/read-run.js'
import { readRow } from '../../../src/run/store/rows.js'
import { sealEpisode } from '../../../src/run/store/record.js'
import type { Turn, World } from '../../../src/core/environment.js'
import type { Step, Trajectory } from '../../../src/core/episode.js'
import type { EpisodeRow } from '../../../src/results/episode-row.js'
import { doorParts, doors } from '../_fakes.js'
import { scratchFolder } from '../../scratch.js'

const scratch = scratchFolder()

const environment = doors(3, { broken: 'door-1' })
const grid = createGrid(doorParts(3, { environments: [{ environment, tasks: environment.tasks }] }), '1.0.0')
let folders = 0

const byKey = (rows: readonly EpisodeRow[]): EpisodeRow[] =>
  rows.toSorted((one, other) => (one.key < other.key ? -1 : 1))

interface Opened {
  readonly store: Store
  /** The content of the store after it is closed. */
  rows(): EpisodeRow[]
  trajectory(key: string): Trajectory | undefined
  /** The same store, opened again. */
  again(): Promise<Store>
}

const kinds: Record<string, () => Promise<Opened>> = {
  'in memory': () => {
    const store = new MemoryStore()
    return Promise.resolve({
      store,
      rows: () => store.rows,
      trajectory: (key) => store.trajectory(key),
      again: () => Promise.resolve(store),
    })
  },
  'in files': async () => {
    const folder = join(scratch, String(folders++))
    const again = (): Promise<Store> => openFileStore(folder, { plan: grid.plan, experiment: {} })
    return {
      store: await again(),
      again,
      rows: () => [...readRun(folder).rows],
      trajectory: (key) => readRun(folder).trajectories([key]).get(key),
    }
  },
}

describe.each(Object.entries(kinds))('a store %s', (_, open) => {
  it('returns every episode as it was, prompts included', async () => {
    const { store, rows, trajectory } = await open()
    const played = []
    for (const cell of cells(grid.plan)) {
      const { row, trajectory: whole } = await playCell(grid, cell)
      const separated = { observation: 'a\u0085b\u2028c\u2029d' }
      const prompt = [...whole.prompt, { role: 'user' as const, content: separated.observation }]
      played.push({ row, trajectory: { ...whole, prompt, opening: separated } })
    }
    for (const episode of played) {
      const sealed = sealEpisode(episode)
      expect(JSON.stringify(sealed)).not.toMatch(/[\u0085\u2028\u2029]/)
      store.append(sealed)
    }
    await store.ready()
    await store.close()
    expect(byKey(rows())).toEqual(byKey(played.map(({ row }) => row)))
    for (const episode of played) expect(trajectory(episode.row.key)).toEqual(episode.trajectory)
    expect(countCells(grid.plan)).toBe(played.length)
  })

  it('keeps the attempts of replies with the trajectory, and apart from the row', async () => {
    const { store, rows, trajectory } = await open()
    const played = await playCell(grid, cellAt(grid.plan, 0))
    const [first, ...others] = played.trajectory.steps as [Step, ...Step[]]
    const failedCall = [{ outcome: 'rate-limit' as const, status: 429, waitMs: 0, milliseconds: 5 }]
    const got = { attempts: [{ outcome: 'ok' as const, status: 200, waitMs: 5, milliseconds: 7 }], milliseconds: 12 }
    const trial = { from: 0, seed: 0, outcome: 'failure' as const, progress: 0 }
    const trials = [{ ...trial, reflection: { reply: 'x', ...got } }, trial]
    const row = { ...played.row, measures: { ...played.row.measures, attempts: 3 } }
    const episode = {
      row,
      trajectory: { ...played.trajectory, steps: [{ ...first, ...got }, ...others], trials, failedCall },
    }
    const sealed = sealEpisode(episode)
    expect(sealed.attempts).toBe(3)
    expect(sealed.rowLine).toBe(JSON.stringify(played.row))
    store.append(sealed)
    await store.ready()
    await store.close()
    expect(rows()).toContainEqual(played.row)
    expect(trajectory(played.row.key)).toEqual(episode.trajectory)
  })
})

describe('a row that no reader accepts', () => {
  it.each([Number.NaN, 2])('such as one with the progress %d is an error of its environment', async (progress) => {
    const wrong = {
      ...environment,
      begin: (...given: Parameters<typeof environment.begin>) => {
        const world = environment.begin(...given) as World
        return { ...world, step: (action: string) => ({ ...(world.step(action) as Turn), progress }) }
      },
    }
    const parts = doorParts(3, { environments: [{ environment: wrong, tasks: environment.tasks }] })
    const { row } = await playCell(createGrid(parts, '1.0.0'), cellAt(grid.plan, 0))
    expect(row.outcome).toBe('environment-error')
    expect(row.error).toMatch(/^expected a row .* progress/)
    expect(readRow(JSON.stringify(row))).toEqual(row)
  })
})

describe('a row', () => {
  it('is written too where its environment cannot tell what it understands', async () => {
    const silent = {
      ...environment,
      async begin(...given: Parameters<typeof environment.begin>): Promise<World> {
        const world = await environment.begin(...given)
        const step = async (action: string) => ({ ...(await world.step(action)), understood: undefined })
        return withoutAbsent({ ...world, understands: undefined, step })
      },
    }
    const parts = doorParts(3, { environments: [{ environment: silent, tasks: silent.tasks }] })
    const { row } = await playCell(createGrid(parts, '1.0.0'), cellAt(grid.plan, 0))
    expect([row.outcome, row.measures.understood, row.measures.memorised]).toEqual(['success', undefined, undefined])
    expect(readRow(JSON.stringify(row))).toEqual(row)
  })

  it('is read as it was written, also one of a newer version', async () => {
    const { row } = await playCell(grid, cellAt(grid.plan, 0))
    expect(readRow(JSON.stringify({ ...row, later: 1 }))).toEqual({ ...row, later: 1 })
    const line = JSON.stringify(row)
    for (const [was, is] of [
      [line, 'null'],
      [line, '{"__proto__":{}}'],
      [/"outcome":"\w/, '"outcome":"un'],
      [/"progress":\d/, '"progress":1.5'],
      [/"progress":\d/, '"progress":null'],
      ['"measures":', '"measured":'],
    ] as const)
      expect(readRow(line.replace(was, is)), String(is)).toBeUndefined()
  })
})

it('an episode with a line that is too long becomes an environment error', async () => {
  const { row } = await playCell(grid, cellAt(grid.plan, 0))
  const prompt = [{ role: 'user' as const, content: 'short' }]
  const made = (observation: string) => ({ row, trajectory: { prompt, opening: { observation }, steps: [] } })
  const sealed = sealEpisode(made('é'.repeat(2 ** 25)))
  expect(sealed.row).toMatchObject({ key: row.key, outcome: 'environment-error' })
  expect(sealed.row.error).toContain('A line of this episode would have more than 64 MiB')
  expect([JSON.parse(sealed.rowLine), sealed.prompts]).toEqual([sealed.row, []])
  expect(sealEpisode(made('short')).prompts).toHaveLength(1)
})
