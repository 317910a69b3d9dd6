import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printRow, rowFormats } from '../../src/training/row-formats.js'
import { drawDepot, plain, teach } from '../training/learn/_depot.js'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const folder = scratchFolder()
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
const format = rowFormats.find(({ name }) => name === 'agentinstruct')!
const rows = Array.from({ length: 60 }, (_, at) => ({
  ...teach(drawDepot(String(at)), plain, at % 2 === 0),
  id: `depot_${String(at)}`,
}))
write('rows.jsonl', `${rows.map((row) => printRow(row, format)).join('\n')}\n`)

describe('shaketable train', () => {
  it('says what it learned from, and writes equal bytes for equal data and seed', async () => {
    const { code, stdout, stderr } = await shaketable('train rows.jsonl --out a.json --epochs 2', folder)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^epoch 1: [\d.]+ % right\nepoch 2: [\d.]+ % right\n$/)])
    expect(stdout).toMatch(/^rows\.jsonl: 60 rows, \d+ actions, 30 of them masked\n/)
    expect(stdout).toMatch(/\na\.json: [\d,]+ bytes, [0-9a-f]{16}\n$/)
    await shaketable('train rows.jsonl --out made/b.json --epochs 2', folder)
    expect(readFileSync(join(folder, 'made/b.json'))).toEqual(readFileSync(join(folder, 'a.json')))
  })

  it('makes a model that is played by its file', async () => {
    await shaketable('train rows.jsonl --out c.json', folder)
    const grid = '--tasks 2 --perturb none --env household --seeds 1 --model learned:c.json --workers 2 --out run'
    const { code, stdout } = await shaketable(`run ${grid}`, folder)
    expect([code, stdout]).toEqual([0, expect.stringContaining('learned:c.json')])
  })

  it('makes the file of an experiment once, and again when its data changed', async () => {
    const models = 'models: [{ name: mine, file: m.json, heldIn: [household] }]\n'
    write('x.yaml', `prepare: [train rows.jsonl --out m.json --epochs 1]\n${models}`)
    const run = (more = '') => shaketable(`run x.yaml --tasks 1 --perturb none --env household${more}`, folder)
    expect((await run(' --dry-run')).stderr).toContain('m.json has to be made first')
    expect(await run()).toMatchObject({ code: 0, stderr: expect.stringContaining('Making m.json') as string })
    expect((await run(' --dry-run')).stdout).toContain('mine')
    utimesSync(join(folder, 'rows.jsonl'), new Date(), new Date(Date.now() + 10_000))
    expect((await run(' --dry-run')).stderr).toContain('m.json has to be made first')
  })

  it('refuses to play a damaged model, and says where it was named', async () => {
    write('bad.json', '{"format":"shaketable-learned","version":1}')
    write('bad.yaml', 'models:\n  - { name: mine, file: bad.json }\n')
    const { code, stderr } = await shaketable('run bad.yaml --tasks 1', folder)
    const said = /^bad\.yaml:2:5: models\.0: Expected a model made by shaketable train at bad\.json, but [^\n]*\n$/
    expect([code, stderr]).toEqual([2, expect.stringMatching(said)])
  })
})
