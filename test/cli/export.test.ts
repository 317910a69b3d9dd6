import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createFlatRow } from '../../src/run/export/rows.js'
import { makePlan, makeRow } from '../reports/fixture.js'
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

  it('writes trajectories in ATIF, as lines or as files, that the commands on training data read', async () => {
    const only = ['--format', 'atif', '--only', 'model=reader,perturb=synonyms']
    expect(await data('export', 'run', ...only, '--out', 'atif.jsonl')).toMatchObject({
      code: 0,
      stdout: '3 trajectories of 3 episodes\nWrote atif.jsonl\n',
    })
    expect(await data('export', 'run', '--format', 'atif', '--out', 'atif')).toMatchObject({ code: 0 })
    const lines = linesOf(join(scratch, 'atif.jsonl')).map((line) => JSON.parse(line) as object)
    const files = readdirSync(join(scratch, 'atif'))
    expect(files.sort()).toEqual(rowsOf(join(scratch, 'run')).map(({ key }) => `${key}.json`).sort()) // prettier-ignore
    for (const line of lines as { trajectory_id: string }[]) {
      const file = join(scratch, 'atif', `${line.trajectory_id}.json`)
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(line)
    }

    expect(await data('filter-ind', 'atif.jsonl', '--env', 'alfworld', '--out', 'kept.jsonl')).toMatchObject({
      code: 0,
    })
    expect(readFileSync(join(scratch, 'kept.jsonl'), 'utf8')).toBe(readFileSync(join(scratch, 'atif.jsonl'), 'utf8'))
    expect(await data('diversity', 'atif.jsonl')).toMatchObject({ code: 0 })
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
    const grid = '--set scripted.scripts=script.json --model reader --perturb none --temperatures 0.5 --seeds 1'
    await shaketable(`run --env scripted ${grid} --out scripted`, scratch)
    await data('export', 'scripted', '--format', 'atif', '--out', 'scripted.jsonl')
    const verify = ['verify', 'scripted.jsonl', '--script', 'script.json', '--world']
    expect(await data(...verify, '--min-error-turns', '0')).toMatchObject({ code: 0 })
    expect(await data(...verify)).toMatchObject({ code: 1, stdout: expect.stringContaining('error-turns') as string })
  })

  it('writes a flat row for each episode, all with the same keys, and a card for the Hub', async () => {
    expect(await data('export', 'run', '--format', 'rows', '--out', 'rows')).toMatchObject({ code: 0 })
    const rows = linesOf(join(scratch, 'rows/episodes.jsonl')).map(
      (line) => JSON.parse(line) as Record<string, unknown>,
    )
    const stored = rowsOf(join(scratch, 'run'))
    expect(rows.map(({ key, success, steps, condition }) => [key, success, steps, condition])).toEqual(
      stored.map(({ key, outcome, measures, condition }) => [key, outcome === 'success', measures.steps, condition]),
    )
    const broken = createFlatRow(makePlan({}))(makeRow({ task: 'a' }, 'model-error', 0))
    expect(broken).toMatchObject({ outcome: 'model-error', success: null })
    expect(new Set(rows.map((row) => Object.keys(row).join())).size).toBe(1)
    expect(rows.flatMap((row) => Object.values(row)).every((cell) => cell === null || typeof cell !== 'object')).toBe(
      true,
    )
    const card = readFileSync(join(scratch, 'rows/README.md'), 'utf8')
    expect(parse(card.split('---\n')[1]!)).toMatchObject({
      configs: [{ config_name: 'episodes', data_files: 'episodes.jsonl' }],
    })
    for (const name of Object.keys(rows[0]!)) expect(card).toContain(`| ${name} |`)
  })
})
