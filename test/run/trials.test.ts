import { describe, expect, it } from 'vitest'
import { findAgent } from '../../src/agents/index.js'
import type { Model } from '../../src/core/model.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { cells } from '../../src/run/cells.js'
import { createGrid } from '../../src/run/grid.js'
import { createLocalPlayer, playCell } from '../../src/run/play-cell.js'
import { schedule } from '../../src/run/schedule.js'
import { MemoryStore } from '../../src/run/store/store.js'
import { sealEpisode } from '../../src/run/store/record.js'
import { readRow } from '../../src/run/store/row.js'
import { doorLearner } from '../play/_door-learner.js'
import { doorParts } from './_fakes.js'

const act = findAgent('act')

function gridOf(agents: readonly string[], model: Model = doorLearner(act).model, tasks = 3) {
  const parts = doorParts(tasks, {
    models: [{ model, live: false }],
    agents: agents.map((name) => findAgent(name)),
    stepLimit: 2,
  })
  return createGrid(parts, '0.1.0')
}

describe('cells of agents with several trials', () => {
  it('start as the plain agent plays, in every column, and are stored and read back', async () => {
    const grid = gridOf(['act', 'reflexion:trials=3', 'best-of-n:n=2'])
    const store = new MemoryStore()
    const plain = new Map<string, string>()
    for (const cell of cells(grid.plan)) {
      const played = await playCell(grid, cell)
      const { row, trajectory } = played
      const sealed = sealEpisode(played)
      store.append(sealed)
      expect(readRow(sealed.rowLine)).toEqual(row)
      expect(store.trajectory(row.key)).toEqual(trajectory)
      const { task, column, temperature, seed } = row
      const place = [task, column, temperature, seed].join()
      if (row.agent === 'act') {
        plain.set(place, JSON.stringify(trajectory))
        expect(row).not.toHaveProperty('trials')
        continue
      }
      const steps = trajectory.steps.slice(0, trajectory.trials![1]?.from)
      expect(JSON.stringify({ ...trajectory, steps, trials: undefined })).toBe(plain.get(place))
    }
    expect(plain.size).toBe(24)
    const solved = (agent: string) =>
      store.rows.filter((row) => row.agent === agent && row.outcome === 'success').length
    expect([solved('act'), solved('reflexion:trials=3'), solved('best-of-n:n=2')]).toEqual([8, 24, 8])
  })
})

describe('a run of agents with several trials', () => {
  async function playOut(goOn: () => boolean) {
    const grid = gridOf(['reflexion'])
    const store = new MemoryStore()
    const played: EpisodeRow[] = []
    await schedule({
      plan: grid.plan,
      player: createLocalPlayer(grid, 1, { goOn }),
      store,
      played: (row) => played.push(row),
      stop: new AbortController().signal,
    })
    return { store, played }
  }

  it('stores nothing of an aborted episode, and everything of one that needed no second trial', async () => {
    const { store, played } = await playOut(() => false)
    expect(played.map(({ trials }) => trials)).toEqual(Array.from({ length: 8 }, () => [1]))
    expect(store.rows).toHaveLength(8)
    expect((await playOut(() => true)).played).toHaveLength(24)
  })
})
