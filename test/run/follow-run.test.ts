import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { takeLock } from '../../src/files/lock.js'
import { followRun } from '../../src/run/follow-run.js'
import { readRun } from '../../src/run/store/read-run.js'
import { writePrices, writeStopped } from '../../src/run/store/run-folder.js'
import { writePlan } from '../../src/run/store/plan-file.js'
import { makePlan } from '../reports/fixture.js'
import { scratchFolder } from '../scratch.js'
import { appendRows, rowsOfPlan, writeRun } from './_written-run.js'

const scratch = scratchFolder()
const newFolder = (): string => mkdtempSync(join(scratch, 'run-'))
const plan = makePlan({
  environments: [
    { name: 'household', tasks: 6 },
    { name: 'pddl', tasks: 3 },
  ],
  columns: ['none', 'placebo', 'synonyms'],
})
const rows = rowsOfPlan(plan, ({ index, column, task }) =>
  column.label === 'synonyms' && index % 3 > 0 ? 'step-limit' : Number(task.hash) % 5 === 4 ? 'failure' : 'success',
)

describe('a followed run', () => {
  it('ends with the rates and intervals of the report', () => {
    const folder = newFolder()
    writeRun(folder, plan, [])
    const follower = followRun(folder)
    expect(follower.update()).toMatchObject({ state: 'partial', groups: [], failures: [] })
    for (let at = 0; at < rows.length; at += 17) {
      appendRows(folder, rows.slice(at, at + 17))
      expect(follower.update().tally.already).toBe(Math.min(at + 17, rows.length))
    }
    const { groups, state, failures } = follower.update()
    expect(state).toBe('complete')
    expect(failures).toHaveLength(rows.filter(({ outcome }) => outcome !== 'success').length)
    expect(failures[0]).toEqual(rows.findLast(({ outcome }) => outcome !== 'success'))
    const reported = aggregate(readRun(folder)).groups
    expect(reported).toHaveLength(12)
    for (const { environment, model, agent, column, pooled } of reported) {
      const of = { environment, model, agent, column }
      const same = groups.find((one) =>
        Object.entries(of).every(([key, name]) => one[key as keyof typeof of] === name),
      )!
      expect(same.success).toBeCloseTo(pooled.success.mean!, 12)
      expect(same.interval!.low).toBeCloseTo(pooled.success.overTasks!.low, 12)
      expect(same.interval!.high).toBeCloseTo(pooled.success.overTasks!.high, 12)
    }
  })

  it('counts an episode once: an error until a valid row follows, and the first valid row whatever follows', () => {
    const folder = newFolder()
    const broken: EpisodeRow = { ...rows[0]!, outcome: 'model-error', error: 'gone' }
    writeRun(folder, plan, [broken, broken, rows[1]!])
    const follower = followRun(folder)
    expect(follower.update().tally).toMatchObject({
      already: 1,
      errors: 1,
      messages: new Map([['model-error of reader: gone', 1]]),
    })
    appendRows(folder, [rows[0]!, broken, { ...rows[0]!, outcome: 'failure' }])
    expect(follower.update()).toMatchObject({ tally: { already: 2, errors: 0 }, failures: [] })
  })

  it('leaves out what belongs to no episode of the plan, and reads a larger plan or a replaced file anew', () => {
    const folder = newFolder()
    writeRun(folder, plan, rows.slice(0, 5))
    const follower = followRun(folder)
    const stranger = { ...rows[6]!, key: '0'.repeat(20) }
    appendRows(folder, [stranger, { ...rows[6]!, key: '1'.repeat(20) }])
    appendFileSync(join(folder, 'outcomes.jsonl'), '{"half\n')
    expect(follower.update()).toMatchObject({ tally: { already: 5, planned: rows.length }, leftOut: 3 })

    const larger = { ...plan, seeds: [...plan.seeds, 9] }
    writePlan(join(folder, 'plan.json'), { plan: larger, experiment: {} })
    expect(follower.update()).toMatchObject({ tally: { already: 5, planned: (rows.length / 3) * 4 }, leftOut: 3 })

    writeFileSync(join(folder, 'outcomes.jsonl'), '')
    appendRows(folder, rows.slice(0, 2))
    expect(follower.update()).toMatchObject({ tally: { already: 2 }, leftOut: 0 })
  })

  it('sums tokens of served models, and their cost where the run has prices', () => {
    const folder = newFolder()
    const served = rows.slice(0, 4).map((row) => (row.model === 'reader' ? { ...row, date: '2026-11-23' } : row))
    writeRun(folder, plan, served)
    const follower = followRun(folder)
    const calls = served.filter(({ model }) => model === 'reader').length
    expect(follower.update().spent).toEqual({ calls: 10 * calls, tokens: 1050 * calls })
    writePrices(join(folder, 'prices.json'), new Map([['reader', { prompt: 1000, completion: 2000 }]]))
    expect(follower.update().spent.cost).toBeCloseTo(1.1 * calls, 12)
  })

  it('knows whether its writer lives, and why the last one stopped', () => {
    const folder = newFolder()
    writeRun(folder, plan, rows.slice(0, 5))
    const follower = followRun(folder)
    const lock = takeLock(join(folder, 'lock'))
    expect(follower.update().state).toBe('running')
    lock.release()
    writeStopped(join(folder, 'stopped.json'), 'The server is gone.')
    expect(follower.update()).toMatchObject({ state: 'stopped', why: 'The server is gone.' })
    appendRows(folder, rows.slice(5))
    expect(follower.update()).toMatchObject({ state: 'complete' })
  })
})
