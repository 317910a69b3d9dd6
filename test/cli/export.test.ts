import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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

  it('writes trajectories that are verified against the script of their world, and in it', async () => {
    expect(await data('synthesise', '--model', 'teacher', '--count', '1', '--out', 'world.jsonl')).toMatchObject({
      code: 0,
    })
    const { script } = JSON.parse(readFileSync(join(scratch, 'world.jsonl'), 'utf8')) as { readonly script: object }
    writeFileSync(join(scratch, 'script.json'), JSON.stringify(script))
    const run = [
      'run',
      '--env',
      'scripted',
      '--set',
      'scripted.scripts=script.json',
      '--model',
      'reader',
      '--perturb',
      'none',
    ]
    await shaketable([...run, '--temperatures', '0.5', '--seeds', '1', '--out', 'scripted'], scratch)
    await data('export', 'scripted', '--out', 'scripted.jsonl')
    const verify = ['verify', 'scripted.jsonl', '--script', 'script.json', '--world']
    expect(await data(...verify, '--min-error-turns', '0')).toMatchObject({ code: 0 })
    expect(await data(...verify)).toMatchObject({ code: 1, stdout: expect.stringContaining('error-turns') as string })
    const broken = readFileSync(join(scratch, 'scripted.jsonl'), 'utf8').replace(
      /"action":"(?!check)/,
      '"action":"eat ',
    )
    writeFileSync(join(scratch, 'broken.jsonl'), broken)
    expect(await data('verify', 'broken.jsonl', ...verify.slice(2), '--min-error-turns', '0')).toMatchObject({
      code: 1,
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
