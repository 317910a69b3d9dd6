import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { takeLock } from '../../src/files/lock.js'
import { findRuns, isRun, summariseRun } from '../../src/run/find-runs.js'
import { createTally } from '../../src/run/progress.js'
import { readRun } from '../../src/run/store/read-run.js'
import { writeStopped } from '../../src/run/store/run-folder.js'
import { makePlan } from '../reports/fixture.js'
import { scratchFolder } from '../scratch.js'
import { appendRows, rowsOfPlan, writeRun } from './_written-run.js'

const scratch = scratchFolder()
/** Names that JSON writes in other characters. */
const plan = makePlan({ models: ['größe "7B"\\', '模型'], conditions: ['none', 'placebo', 'synonyms'] })
const rows = rowsOfPlan(plan, ({ index, condition }) =>
  condition.label === 'synonyms' && index % 3 > 0 ? 'step-limit' : 'success',
)
let made = 0
const newRun = (count = rows.length): string => {
  const folder = join(scratch, 'states', `run-${String(made++)}`)
  writeRun(folder, plan, rows.slice(0, count))
  return folder
}

describe('the summary of a run', () => {
  it('counts as a report does', () => {
    const folder = newRun(100)
    const broken = { ...rows[100]!, outcome: 'model-error' as const, error: '"outcome":"success"' }
    // Rows that were edited by hand may have another order of fields.
    const reordered = Object.fromEntries(Object.entries(rows[102]!).reverse()) as unknown as EpisodeRow
    appendRows(folder, [reordered, broken, { ...broken, ...rows[101]!, outcome: 'model-error' }, rows[100]!])
    appendFileSync(join(folder, 'outcomes.jsonl'), '\n{"key":"unfinished')
    const { content, state } = summariseRun(folder)
    const tally = createTally(rows.length, plan)
    for (const row of readRun(folder).rows) tally.seen(row)
    expect(content!.tally).toEqual({ ...tally.now(), errors: 1, messages: expect.any(Map) as Map<string, number> })
    expect(content!.tally.models.map(({ perturbed }) => perturbed.valid)).not.toContain(0)
    expect(state).toBe('partial')
  })

  it.each([
    ['complete', rows.length, () => undefined, undefined],
    ['running', 10, (folder: string) => void takeLock(join(folder, 'lock')), undefined],
    ['stopped', 10, (folder: string) => writeStopped(join(folder, 'stopped.json'), 'No tokens.'), 'No tokens.'],
    // A killed process leaves its lock.
    [
      'partial',
      10,
      (folder: string) =>
        writeFileSync(join(folder, 'lock'), '{"pid":999999999,"host":"x","started":"1"}'.replace('x', hostname())),
      undefined,
    ],
    ['unreadable', 10, (folder: string) => writeFileSync(join(folder, 'plan.json'), '{'), 'expected the plan of a run'],
    ['unreadable', 10, (folder: string) => rmSync(join(folder, 'plan.json')), 'plan.json is missing'],
    [
      'partial',
      10,
      (folder: string) => appendFileSync(join(folder, 'outcomes.jsonl'), '{"key":"no row"}\n'),
      '1 line of outcomes.jsonl cannot be read and is left out; `shaketable runs',
    ],
  ])('is %s', (state, count, change, why) => {
    const folder = newRun(count)
    change(folder)
    const summary = summariseRun(folder)
    expect(summary.state).toBe(state)
    if (why === undefined) expect(summary.why).toBeUndefined()
    else expect(summary.why).toContain(why)
    expect(isRun(folder)).toBe(true)
  })

  it('has the changes of its plan', () => {
    const folder = newRun(3)
    expect(summariseRun(folder).content).toMatchObject({ history: [] })
    const written = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')) as object
    const history = [{ date: '2026-11-23', added: 'seeds 3–4', stored: 12 }]
    writeFileSync(join(folder, 'plan.json'), JSON.stringify({ ...written, history }))
    expect(summariseRun(folder).content).toMatchObject({ history })
  })
})

describe('runs below a folder', () => {
  it('are found at a bounded depth, and through no links', () => {
    const root = join(scratch, 'tree')
    const at = (...parts: readonly string[]): string => join(root, ...parts)
    for (const folder of [at('one'), at('group', 'two'), at('a', 'b', 'c', 'four'), at('a', 'b', 'c', 'd', 'too-deep')])
      writeRun(folder, plan, rows.slice(0, 1))
    writeRun(at('one', 'report', 'inside'), plan, [])
    writeRun(at('.hidden', 'run'), plan, [])
    writeRun(at('node_modules', 'run'), plan, [])
    mkdirSync(at('foreign'))
    writeFileSync(at('foreign', 'plan.json'), '{"steps": []}')
    mkdirSync(at('not-json'))
    writeFileSync(at('not-json', 'plan.json'), 'a plan')
    writeFileSync(at('file'), '')
    symlinkSync(root, at('loop'))
    symlinkSync(at('nowhere'), at('dangling'))
    const folders = findRuns(root).map((folder) => relative(root, folder))
    expect(folders.sort()).toEqual(['a/b/c/four', 'group/two', 'one'])
    expect(() => findRuns(at('nowhere'))).toThrow('ENOENT')
  })
})
