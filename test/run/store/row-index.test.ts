import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { aggregate } from '../../../src/results/aggregate.js'
import type { EpisodeRow } from '../../../src/core/episode.js'
import { takeLock } from '../../../src/files/lock.js'
import { writePlan } from '../../../src/run/store/plan-file.js'
import { readRun } from '../../../src/run/store/read-run.js'
import { changedDose, makePlan } from '../../reports/fixture.js'
import { scratchFolder } from '../../scratch.js'
import { rowsOfPlan, writeRun } from '../_written-run.js'

const scratch = scratchFolder()
const plan = makePlan({ environments: [{ name: 'household', tasks: 20 }], columns: ['none', 'placebo', 'synonyms'] })
const folder = join(scratch, 'run')
const index = (name = ''): string => join(folder, 'index', name)

/** Rows with everything that is counted, and long enough to be indexed. */
function makeRows(): EpisodeRow[] {
  const outcomes = ['success', 'step-limit', 'model-error'] as const
  return rowsOfPlan(plan, ({ index }) => outcomes[index % 7 === 0 ? 2 : index % 2]!).map((row, place) => ({
    ...row,
    date: `2026-11-${String(10 + (place % 9))}`,
    error: 'x'.repeat(25_000),
    dose: {
      ...changedDose,
      leaks: 1,
      leaked: [{ old: `go to {recep} ${String(place % 3)}`, part: 'observations', times: 1 }],
    },
    measures: {
      ...row.measures,
      gains: [[1 + (place % 5), row.progress]],
      choices: { first: place % 2 ? 'original' : 'alias', original: place % 3, alias: 1, mixed: 0 },
      wordings: {
        steps: 4,
        asked: 3,
        scored: 2,
        preferred: 1,
        present: -1 - (place % 10),
        original: -3,
        calls: 2,
        promptTokens: 10,
        completionTokens: 1,
      },
    },
  }))
}

/** All figures, without those that come from the rows: an index of other numbers would go unnoticed. */
function figures(): unknown {
  return JSON.parse(JSON.stringify(aggregate(readRun(folder))))
}

describe('the index of a run', () => {
  const rows = makeRows()
  let fromRows: unknown
  beforeAll(() => {
    writeRun(folder, plan, rows)
    fromRows = figures()
  })

  it('gives the figures of its rows, and is what they are made from', () => {
    expect(existsSync(index('tallies.bin'))).toBe(true)
    expect(figures()).toEqual(fromRows)
    const { index: kept, stored, notes } = readRun(folder)
    expect([stored, notes]).toEqual([rows.length, []])
    const numbers = kept!.read('tallies')!
    numbers.arrays[0]!.fill(2)
    kept!.write('tallies', numbers)
    expect(figures()).not.toEqual(fromRows)
    rmSync(index(), { recursive: true })
    expect(figures()).toEqual(fromRows)
  })

  it('keeps the order of rows that are read from their places', () => {
    figures()
    expect([...readRun(folder).rows].map(({ key }) => key)).toEqual(rows.map(({ key }) => key))
    expect([...readRun(folder).unordered]).toHaveLength(rows.length)
  })

  it('is not read, but made anew, after any change of a row, of the plan and of itself', () => {
    const outcomes = readFileSync(join(folder, 'outcomes.jsonl'))
    const changed = Buffer.from(outcomes)
    changed.write('success', changed.indexOf('step-limit'))
    writeFileSync(join(folder, 'outcomes.jsonl'), changed)
    expect(readRun(folder).index!.read('rows')).toBeUndefined()
    expect(readRun(folder).notes).toHaveLength(1)
    writeFileSync(join(folder, 'outcomes.jsonl'), outcomes)
    figures()
    const stored = readFileSync(join(folder, 'plan.json'))
    writePlan(join(folder, 'plan.json'), { plan: { ...plan, seeds: [1, 2, 3, 4] }, experiment: {} })
    expect(readRun(folder).index!.read('tallies')).toBeUndefined()
    writeFileSync(join(folder, 'plan.json'), stored)
    const whole = readFileSync(index('tallies.bin'))
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 60)) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 1
      writeFileSync(index('tallies.bin'), damaged)
      expect(readRun(folder).index!.read('tallies'), String(at)).toBeUndefined()
      writeFileSync(index('tallies.bin'), whole.subarray(0, at))
      expect(readRun(folder).index!.read('tallies'), String(at)).toBeUndefined()
    }
    expect(figures()).toEqual(fromRows)
    expect(readFileSync(index('tallies.bin'))).toEqual(whole)
  })

  it('with numbers of another shape is made anew', () => {
    figures()
    const { index: kept } = readRun(folder)
    const { value, arrays } = kept!.read('tallies')!
    for (const other of [
      { value: null, arrays },
      { value: { ...(value as object), format: 0 }, arrays },
      { value, arrays: arrays.slice(1) },
      {
        value: { ...(value as object), groups: [{ names: ['household', 'reader', 'act', 'none'], sums: [] }] },
        arrays,
      },
    ]) {
      kept!.write('tallies', other)
      kept!.write('rows', other)
      expect(figures()).toEqual(fromRows)
    }
  })

  it('is left out where it cannot be written, while the run is written, and for few rows', () => {
    rmSync(index(), { recursive: true })
    writeFileSync(index(), 'a file in its place')
    expect(figures()).toEqual(fromRows)
    rmSync(index())
    const lock = takeLock(join(folder, 'lock'))
    figures()
    expect(existsSync(index())).toBe(false)
    lock.release()
    const small = join(scratch, 'small')
    mkdirSync(small)
    writeRun(small, plan, rows.slice(0, 10))
    aggregate(readRun(small))
    expect(existsSync(join(small, 'index'))).toBe(false)
  })
})
