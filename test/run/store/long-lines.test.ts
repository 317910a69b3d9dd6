import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { PlayedCell } from '../../../src/run/store/record.js'
import { createSealer } from '../../../src/run/store/record.js'
import { definePerturbation } from '../../../src/core/perturbation.js'
import { createGrid } from '../../../src/run/grid.js'
import { createLocalPlayer, failCell } from '../../../src/run/play-cell.js'
import { cellAt } from '../../../src/run/cells.js'
import { schedule } from '../../../src/run/schedule.js'
import { FileStore } from '../../../src/run/store/file-store.js'
import { readRun } from '../../../src/run/store/read-run.js'
import { checkRun } from '../../../src/run/store/check-run.js'
import { scratchFolder } from '../../scratch.js'
import { doorParts, doors } from '../_fakes.js'

const scratch = scratchFolder()
const long = 'y'.repeat(5_000_000)

it.each([
  ['name', { name: (name: string) => name + long }],
  ['text', { text: (pieces: readonly string[]) => [...pieces, long] }],
])('an episode with long texts of the hook %s is stored in lines that can be read again', async (hook, lens) => {
  const folder = join(scratch, hook)
  const perturbation = definePerturbation({
    name: 'long',
    summary: 'long texts',
    source: 'for tests',
    promise: 'invariant',
    open: () => lens as object,
  })
  const columns = [
    { label: 'none', applied: [] },
    { label: 'long', applied: [{ perturbation }] },
  ]
  const environment = doors(20)
  const environments = [{ environment, tasks: environment.tasks.slice(0, 1) }]
  const models = doorParts(1).models.slice(0, 1)
  const grid = createGrid(doorParts(20, { temperatures: [0], seeds: [0], columns, environments, models }), '1.0.0')
  const store = await FileStore.open(folder, { plan: grid.plan, experiment: {} })
  const stop = new AbortController().signal
  await schedule({ plan: grid.plan, player: createLocalPlayer(grid, 1), store, played: () => undefined, stop })
  await store.close()
  const run = readRun(folder)
  expect(run.stored).toBe(2)
  const [trajectory] = [...run.trajectories([...run.rows].map(({ key }) => key)).values()].slice(-1)
  for (const part of [trajectory!.prompt, trajectory!.opening, trajectory!.steps])
    expect(JSON.stringify(part).length).toBeLessThan(2 ** 22)
  expect(checkRun(folder).findings).toEqual([])
})

it('an episode with a line that is too long becomes an environment error', () => {
  const grid = createGrid(doorParts(1), '1.0.0')
  const { row } = failCell(grid, cellAt(grid.plan, 0), 'none')
  const prompt = [{ role: 'user' as const, content: 'short' }]
  const made = (observation: string): PlayedCell => ({
    row,
    trajectory: { prompt, opening: { observation }, steps: [] },
  })
  const seal = createSealer()
  const sealed = seal(made('é'.repeat(2 ** 25)))
  expect(sealed.row).toMatchObject({ key: row.key, outcome: 'environment-error' })
  expect(sealed.row.error).toContain('A line of this episode would have 65 MiB, and at most 64 MiB can be read again.')
  expect([JSON.parse(sealed.rowLine), sealed.prompts]).toEqual([sealed.row, []])
  expect(seal(made('short')).prompts).toHaveLength(1)
})
