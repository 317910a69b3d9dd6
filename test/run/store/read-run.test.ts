import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { printReport } from '../../../reports/index.js'
import type { EpisodeRow } from '../../../src/results/episode-row.js'
import { isValid } from '../../../src/core/episode.js'
import { takeLock } from '../../../src/files/lock.js'
import { cells } from '../../../src/run/cells.js'
import { createGrid } from '../../../src/run/grid.js'
import { playCell } from '../../../src/run/play-cell.js'
import { writePlan } from '../../../src/run/store/plan-file.js'
import { joinRuns, readRun } from '../../../src/run/store/read-run.js'
import { clearStopped, filesOf, writeStopped } from '../../../src/run/store/run-folder.js'
import { doorParts } from '../_fakes.js'
import { scratchFolder } from '../../scratch.js'

const folder = scratchFolder()
const grid = createGrid(doorParts(2), '1.0.0')
const played: EpisodeRow[] = []
beforeAll(async () => {
  writePlan(join(folder, 'plan.json'), { plan: grid.plan, experiment: {} })
  for (const cell of cells(grid.plan)) played.push((await playCell(grid, cell)).row)
})

/**
 * Rows as a file may contain them: any order, episodes that broke before they were played well, rows of another plan,
 * torn lines.
 */
const lines = fc.array(
  fc.record({
    place: fc.nat(31),
    broke: fc.boolean(),
    tokens: fc.nat(3),
    damage: fc.constantFrom('none', 'none', 'none', 'none', 'stranger', 'torn'),
  }),
  { maxLength: 60 },
)

describe('the rows of a run', () => {
  it('have one per episode: the first valid one in the order of the file, or else the last at the end', () => {
    fc.assert(
      fc.property(lines, (made) => {
        const expected = new Map<string, EpisodeRow>()
        let [torn, foreignRows] = [0, 0]
        const texts = made.map(({ place, broke, tokens, damage }) => {
          const base = played[place]!
          const row: EpisodeRow = {
            ...base,
            outcome: broke ? 'model-error' : base.outcome,
            measures: { ...base.measures, promptTokens: tokens },
          }
          if (damage === 'torn') torn++
          if (damage === 'stranger') foreignRows++
          if (damage === 'torn') return JSON.stringify(row).slice(0, 100)
          if (damage === 'stranger') return JSON.stringify({ ...row, key: '0'.repeat(20) })
          const before = expected.get(row.key)
          if (before === undefined || !isValid(before.outcome)) expected.set(row.key, row)
          return JSON.stringify(row)
        })
        writeFileSync(join(folder, 'outcomes.jsonl'), texts.map((text) => `${text}\n`).join(''))

        const run = readRun(folder)
        const rows = [...run.rows]
        expect(new Map(rows.map((row) => [row.key, row]))).toEqual(expected)
        expect(rows.length).toBe(expected.size)
        const ends = rows.map(({ outcome }) => isValid(outcome))
        expect(ends.includes(true) ? ends.lastIndexOf(true) : -1).toBe(ends.filter(Boolean).length - 1)
        expect([...run.rows]).toEqual(rows)
        expect(run.stored).toBe(expected.size)
        expect(run.notes.length).toBe(Math.min(torn, 11) + (foreignRows > 0 ? 1 : 0))
      }),
      { numRuns: 60 },
    )
    expect(played.length).toBe(32)
  })
})

describe('a run that has fewer rows than planned', () => {
  const write = (rows: readonly EpisodeRow[]): void =>
    writeFileSync(join(folder, 'outcomes.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const title = (): string => /^## .*/m.exec(printReport(readRun(folder), 'markdown'))![0]

  it('is partial in its reports, whether its last session was killed or played a part', () => {
    write(played.slice(0, -1))
    expect(readRun(folder).stopped).toBe('The sessions so far played a part of the plan.')
    expect(joinRuns([folder]).stopped).toBe('The sessions so far played a part of the plan.')
    expect(title()).toContain('(PARTIAL: the run was stopped before all was played)')
    writeStopped(filesOf(folder).stopped, 'The budget is used up.')
    expect(readRun(folder).stopped).toBe('The budget is used up.')
    clearStopped(filesOf(folder).stopped)
    write(played)
    expect([readRun(folder).stopped, joinRuns([folder]).stopped]).toEqual([undefined, undefined])
    expect(title()).not.toContain('PARTIAL')
  })

  it('is not stopped while it is written, nor if an episode broke', () => {
    write(played.slice(0, -1))
    const lock = takeLock(filesOf(folder).lock)
    expect(readRun(folder)).toMatchObject({ writing: true, stopped: undefined })
    expect(joinRuns([folder])).toMatchObject({ writing: true })
    expect(joinRuns([folder]).stopped).toBeUndefined()
    lock.release()
    write([...played.slice(0, -1), { ...played.at(-1)!, outcome: 'model-error' }])
    expect(readRun(folder).stopped).toBeUndefined()
  })
})
