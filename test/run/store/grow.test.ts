import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { printReport } from '../../../reports/index.js'
import type { GridParts } from '../../../src/run/grid.js'
import { readPlan } from '../../../src/run/store/plan-file.js'
import { readRun } from '../../../src/run/store/read-run.js'
import { doorParts, doors, knocker, plain, playInto, sage } from '../_fakes.js'
import { scratchFolder } from '../../scratch.js'

const scratch = scratchFolder()
let folder = ''
let runs = 0
beforeEach(() => {
  folder = join(scratch, `run-${String(runs++)}`)
})

const environment = doors(4)
const parts = (tasks: number, changes: Partial<GridParts> = {}): GridParts =>
  doorParts(4, { environments: [{ environment, tasks: environment.tasks.slice(0, tasks) }], ...changes })

const play = (given: GridParts, into = folder) => playInto(into, given)

const rendered = (of: string): string[] => {
  const run = readRun(of)
  return [printReport(run, 'json'), printReport(run, 'markdown')]
}
const pathOf = (name: string): string => join(folder, name)

describe('a run that grows', () => {
  const third = { model: { ...knocker, name: 'third' }, live: false }
  const other = { ...doors(2), name: 'gates' }
  const { environments, conditions, models } = parts(4)
  /** What each experiment adds to the one before. */
  const steps: readonly Partial<GridParts>[] = [
    { seeds: [0, 1, 2] },
    { models: [...models, third] },
    { temperatures: [0, 1, 0.5] },
    { agents: [plain, { ...plain, name: 'b' }] },
    { environments: [...environments, { environment: other, tasks: other.tasks }] },
  ]

  it('over every axis plays each episode once, and reports as if it had been played at once', async () => {
    let stored = (await play(parts(2, { conditions: conditions.slice(0, 1) }))).played
    expect(stored).toBe(2 * 2 * 2 * 2)
    stored += (await play(parts(2))).played
    let final: Partial<GridParts> = {}
    for (const step of steps) stored += (await play(parts(4, (final = { ...final, ...step })))).played
    const whole = join(scratch, 'whole')
    expect(stored).toBe((await play(parts(4, final), whole)).played)
    expect(readFileSync(pathOf('outcomes.jsonl'), 'utf8').trimEnd().split('\n').length).toBe(stored)
    expect(rendered(folder)).toEqual(rendered(whole))
    expect(readPlan(pathOf('plan.json'))!.history!.map(({ added, stored: count }) => [added, count])).toEqual([
      ['condition unlock', 16],
      ['1 seed; 2 tasks of doors', 32],
      ['model third', 96],
      ['temperature 0.5', 144],
      ['agent b', 216],
      ['environment gates', 432],
    ])
  })

  it('keeps what a smaller experiment leaves out, and plays only what that names', async () => {
    await play(parts(2))
    const { played, notes } = await play(
      parts(4, { models: models.slice(0, 1), seeds: [1, 2], conditions: conditions.slice(0, 1) }),
    )
    expect(notes).toEqual([`${folder} grows by 1 seed; 2 tasks of doors.`])
    expect(played).toBe(4 * 2 + 2 * 2)
    const run = readRun(folder)
    // The other model plays no more seeds at temperature 0 than it did.
    expect([run.planned, run.stored]).toEqual([96 - 8, 32 + 12])
    expect((await play(parts(2))).played).toBe(0)
    expect((await play(parts(4, { seeds: [0, 1, 2] }))).played).toBe(96 - 44)
    expect(readRun(folder).stored).toBe(96)
  })

  it('says in its history when the primary endpoint changed, and how many episodes were stored by then', async () => {
    await play(parts(1))
    await play(parts(1, { primary: { metric: 'progress', conditions: ['unlock'] } }))
    const before = readFileSync(pathOf('plan.json'), 'utf8')
    await play(parts(1, { primary: { metric: 'progress', conditions: ['unlock'] } }))
    expect(readFileSync(pathOf('plan.json'), 'utf8')).toBe(before)
    await play(parts(1))
    const primary = { metric: 'progress', conditions: ['unlock'] }
    const date = '2026-11-22T10:00:00Z'
    expect(readRun(folder).history).toEqual([
      { date, added: '', stored: 16, primary: { was: null, is: primary } },
      { date, added: '', stored: 16, primary: { was: primary, is: null } },
    ])
    expect(readRun(folder).plan.primary).toBeUndefined()
  })

  it('is left as it was by an experiment that would change its episodes', async () => {
    await play(parts(2))
    const before = ['plan.json', 'outcomes.jsonl'].map((name) => readFileSync(pathOf(name), 'utf8'))
    const changed = { model: { ...sage, settings: { size: 7 } }, live: false }
    await expect(play(parts(4, { models: [changed, third], stepLimit: 9 }))).rejects.toThrow(
      /holds another experiment:\n {2}stepLimit: was 5, is 9\n {2}models\.sage\.settings\.size: was absent, is 7\nThese/,
    )
    expect(['plan.json', 'outcomes.jsonl'].map((name) => readFileSync(pathOf(name), 'utf8'))).toEqual(before)
  })
})
