import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { reportOf, shaketable } from './_command.js'

const scratch = scratchFolder()
const run = ['run', '--env', 'household', '--tasks', '2', '--model', 'reader', '--perturb', 'synonyms', '--quiet']
const at = (...names: string[]): string => join(scratch, ...names)

beforeAll(async () => {
  await shaketable([...run, '--out', 'whole'], scratch)
  await shaketable([...run, '--max', 'episodes=2', '--out', 'part'], scratch)
})

describe('shaketable merge', () => {
  it('joins runs into one with the same report, and reports several as one', async () => {
    const merged = await shaketable(['merge', 'part', 'whole', '--out', 'all'], scratch)
    expect(merged).toMatchObject({ code: 0, stderr: 'Merging 2 runs into all.\n' })
    expect(merged.stdout).toMatch(/^all has all \d+ episodes; \d+ were added now\.\n`shaketable report all` writes/)
    await shaketable(['report', 'all'], scratch)
    await shaketable(['report', 'part', 'whole', '--out', 'several/report'], scratch)
    expect(reportOf(at('all'))).toEqual(reportOf(at('whole')))
    expect(reportOf(at('several'))).toEqual(reportOf(at('whole')))
  })

  it.each([
    [
      'a missing folder',
      ['part', 'nothing', '--out', 'x'],
      /Expected a run folder with a plan\.json, but nothing has none/,
    ],
    ['no folder to write', ['part'], /required option '--out <folder>' not specified/],
  ])('refuses %s in plain words', async (_, args, message) => {
    const { code, stderr } = await shaketable(['merge', ...args], scratch)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })
})

describe('shaketable runs --check', () => {
  it('says what is wrong, and run plays the episode of a row that cannot be read again', async () => {
    cpSync(at('whole'), at('damaged'), { recursive: true })
    expect(await shaketable(['runs', 'damaged', '--check'], scratch)).toMatchObject({
      code: 0,
      stdout: 'damaged is sound.\n',
      stderr: '',
    })
    const path = at('damaged', 'outcomes.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"outcome":"success"', '"outcome":"luck"'))
    const found = await shaketable(['runs', 'damaged', '--check'], scratch)
    expect(found.code).toBe(1)
    expect(found.stdout).toMatch(/^damaged has 1 problem:\n {2}outcomes\.jsonl:1: expected an episode's row/)
    expect((await shaketable([...run, '--out', 'damaged'], scratch)).code).toBe(0)
    expect((await shaketable(['show', 'damaged', '--json', '--limit', '1'], scratch)).stdout).toContain('"stored": 24')
  })
})

describe('shaketable report', () => {
  it('says which episodes could not be shown, which it only knows once the page is written', async () => {
    cpSync(at('part'), at('lame'), { recursive: true })
    const path = at('lame', 'trajectories.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"opening"', '"openong"'))
    const { code, stderr } = await shaketable(['report', 'lame'], scratch)
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('trajectories.jsonl:1: opening: expected object, got nothing. The line is LEFT OUT.'),
    ])
  })
})
