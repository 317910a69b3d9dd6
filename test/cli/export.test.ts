import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createFlatRow } from '../../src/run/export/rows.js'
import { makePlan, makeRow } from '../reports/fixture.js'
import { scratchFolder } from '../scratch.js'
import { linesOf, rowsOf, shaketable, succeed } from './_command.js'

const scratch = scratchFolder()
const data = async (line: string): Promise<string> => (await succeed(`data ${line}`, scratch)).stdout
const recordsOf = (file: string) =>
  linesOf(join(scratch, file)).map((line) => JSON.parse(line) as Record<string, unknown>)

describe('shaketable data export', () => {
  beforeAll(async () => {
    const grid = '--tasks 3 --seeds 1 --temperatures 0.5 --agent react --model reader,parrot --perturb synonyms'
    await succeed(`run --env scripted ${grid} --out run`, scratch)
  })

  it('writes trajectories in ATIF, as lines or as files, that the commands on training data read', async () => {
    expect(await data('export run --format atif --only model=reader,perturb=synonyms --out atif.jsonl')).toBe(
      '3 trajectories of 3 episodes\nWrote atif.jsonl\n',
    )
    await data('export run --format atif --out atif')
    const files = readdirSync(join(scratch, 'atif')).sort()
    expect(files).toEqual(rowsOf(join(scratch, 'run')).map(({ key }) => `${key}.json`).sort()) // prettier-ignore
    for (const line of recordsOf('atif.jsonl'))
      expect(JSON.parse(readFileSync(join(scratch, 'atif', `${String(line['trajectory_id'])}.json`), 'utf8'))).toEqual(line) // prettier-ignore
    await data('filter-ind atif.jsonl --env alfworld --out kept.jsonl')
    expect(linesOf(join(scratch, 'kept.jsonl'))).toEqual(linesOf(join(scratch, 'atif.jsonl')))
    await data('diversity atif.jsonl')
    expect(await data('export-sft atif.jsonl --out sft')).toContain('3 of 3 rows')
  })

  it('writes trajectories that are verified against the script of their world, and in it', async () => {
    await data('synthesise --model teacher --count 1 --out world.jsonl')
    writeFileSync(join(scratch, 'script.json'), JSON.stringify(recordsOf('world.jsonl')[0]!['script']))
    const grid = '--set scripted.scripts=script.json --model reader --perturb none --temperatures 0.5 --seeds 1'
    await succeed(`run --env scripted ${grid} --out scripted`, scratch)
    await data('export scripted --format atif --out scripted.jsonl')
    const verify = 'verify scripted.jsonl --script script.json --world'
    await data(`${verify} --min-error-turns 0`)
    const { code, stdout } = await shaketable(`data ${verify}`, scratch)
    expect([code, stdout]).toEqual([1, expect.stringContaining('error-turns')])
  })

  it('writes a flat row for each episode, all with the same keys, and a card for the Hub', async () => {
    await data('export run --format rows --out rows')
    const rows = recordsOf('rows/episodes.jsonl')
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
