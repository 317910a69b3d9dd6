import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { printRow, rowFormats } from '../../src/training/row-formats.js'
import { drawDepot, plain, teach } from '../training/learn/_depot.js'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const folder = scratchFolder()
beforeAll(() => {
  const format = rowFormats.find(({ name }) => name === 'agentinstruct')!
  const rows = Array.from({ length: 60 }, (_, at) => ({
    ...teach(drawDepot(String(at)), plain, at % 2 === 0),
    id: `depot_${String(at)}`,
  }))
  write('rows.jsonl', `${rows.map((row) => printRow(row, format)).join('\n')}\n`)
})
const write = (name: string, text: string | Buffer): string => {
  writeFileSync(join(folder, name), text)
  return name
}

describe('shaketable train', () => {
  it('reports what it learned from, and writes equal bytes for equal data and seed', async () => {
    const { code, stdout, stderr } = await shaketable(
      ['train', 'rows.jsonl', '--out', 'a.json', '--epochs', '2'],
      folder,
    )
    expect(code).toBe(0)
    expect(stderr).toMatch(/^epoch 1: [\d.]+ % right\nepoch 2: [\d.]+ % right\n$/)
    expect(stdout).toMatch(/^rows\.jsonl: 60 rows \(depot 60\)\n\d+ actions, 30 of them masked\n/)
    expect(stdout).toMatch(/actions learned from in [\d.]+ s, [\d.]+ % of them predicted in the last epoch/)
    expect(stdout).toMatch(/\na\.json: [\d,]+ bytes, [0-9a-f]{16}\n$/)
    await shaketable(['train', 'rows.jsonl', '--out', 'made/b.json', '--epochs', '2'], folder)
    expect(readFileSync(join(folder, 'made/b.json'))).toEqual(readFileSync(join(folder, 'a.json')))
  })

  it('creates a model that is played by its file or by its name in an experiment, and not created again if it is the same', async () => {
    const args = ['run', '--tasks', '2', '--perturb', 'none', '--env', 'household', '--seeds', '1', '--out', 'run']
    await shaketable(['train', 'rows.jsonl', '--out', 'c.json'], folder)
    const one = await shaketable([...args, '--model', 'learned:c.json', '--workers', '2'], folder)
    expect([one.code, one.stdout]).toEqual([0, expect.stringContaining('learned:c.json')])
    write('x.yaml', 'models: [{ name: mine, file: c.json, heldIn: [household] }]\n')
    const two = await shaketable([...args, 'x.yaml', '--out', 'two', '--dry-run'], folder)
    expect([two.code, two.stdout]).toEqual([0, expect.stringContaining('mine')])
  })

  it('refuses to play a damaged model, and reports where it was named', async () => {
    write('bad.json', '{"format":"shaketable-learned","version":1}')
    write('bad.yaml', 'models:\n  - { name: mine, file: bad.json }\n')
    const { code, stderr } = await shaketable(['run', 'bad.yaml', '--tasks', '1'], folder)
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^bad\.yaml:2:5: models\.0: Expected a model made by shaketable train at bad\.json, but [^\n]*\n$/,
    )
  })
})
