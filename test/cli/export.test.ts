import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { linesOf, rowsOf, shaketable } from './_command.js'

const scratch = scratchFolder()
const data = (...args: string[]) => shaketable(['data', ...args], scratch)

describe('shaketable data export', () => {
  beforeAll(async () => {
    const flags = ['--tasks', '3', '--seeds', '1', '--temperatures', '0.5', '--agent', 'react']
    const run = ['run', '--env', 'scripted', '--model', 'reader,parrot', '--perturb', 'synonyms', ...flags]
    expect(await shaketable([...run, '--out', 'run'], scratch)).toMatchObject({ code: 0 })
  })

  it('writes trajectories in ATIF, that the commands on training data read', async () => {
    const only = ['--only', 'model=reader,perturb=synonyms']
    expect(await data('export', 'run', ...only, '--out', 'atif.jsonl')).toMatchObject({
      code: 0,
      stdout: '3 trajectories of 3 episodes\nWrote atif.jsonl\n',
    })
    const written = linesOf(join(scratch, 'atif.jsonl')).map((line) => JSON.parse(line) as { trajectory_id: string })
    const stored = rowsOf(join(scratch, 'run')).filter(({ model, column }) => model === 'reader' && column !== 'none')
    expect(written.map((one) => one.trajectory_id)).toEqual(stored.map(({ key }) => key))
    expect(await data('filter-ind', 'atif.jsonl', '--env', 'alfworld', '--out', 'kept.jsonl')).toMatchObject({
      code: 0,
    })
    expect(readFileSync(join(scratch, 'kept.jsonl'), 'utf8')).toBe(readFileSync(join(scratch, 'atif.jsonl'), 'utf8'))
    expect(await data('diversity', 'atif.jsonl', '--out', 'diversity')).toMatchObject({ code: 0 })
    expect(await data('export-sft', 'atif.jsonl', '--out', 'sft')).toMatchObject({
      stdout: expect.stringContaining('3 of 3 rows') as string,
    })
  })

  it.each([
    [['run', '--only', 'model=raeder', '--out', 'x'], /Did you mean 'reader'/],
    [['run', '--outcome', 'budget', '--out', 'x'], /No stored episode of run matches/],
    [['missing', '--out', 'x'], /missing/],
    [['run', '--out', 'atif.jsonl'], /atif\.jsonl exists already.*--force/],
  ])('refuses %j in a sentence, and writes nothing', async (args, said) => {
    const { code, stderr } = await data('export', ...args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(said)])
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(existsSync(join(scratch, 'x'))).toBe(false)
  })
})
