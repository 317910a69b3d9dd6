import { expect, it } from 'vitest'
import type { PlayedCell } from '../../../src/run/store/record.js'
import { sealEpisode } from '../../../src/run/store/record.js'
import { createGrid } from '../../../src/run/grid.js'
import { failCell } from '../../../src/run/play-cell.js'
import { cellAt } from '../../../src/run/cells.js'
import { doorParts } from '../_fakes.js'

it('an episode with a line that is too long becomes an environment error', () => {
  const grid = createGrid(doorParts(1), '1.0.0')
  const { row } = failCell(grid, cellAt(grid.plan, 0), 'none')
  const prompt = [{ role: 'user' as const, content: 'short' }]
  const made = (observation: string): PlayedCell => ({
    row,
    trajectory: { prompt, opening: { observation }, steps: [] },
  })
  const sealed = sealEpisode(made('é'.repeat(2 ** 25)))
  expect(sealed.row).toMatchObject({ key: row.key, outcome: 'environment-error' })
  expect(sealed.row.error).toContain('A line of this episode would have more than 64 MiB')
  expect([JSON.parse(sealed.rowLine), sealed.prompts]).toEqual([sealed.row, []])
  expect(sealEpisode(made('short')).prompts).toHaveLength(1)
})
