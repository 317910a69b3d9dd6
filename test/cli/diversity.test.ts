import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Diversity } from '../../src/training/diversity/measure.js'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const folder = scratchFolder()

/** Rows with a thought a turn. */
function writeRows(name: string, count: number, thought: (at: number) => string): void {
  const rows = Array.from({ length: count }, (_, at) => ({
    id: `${name}_${String(at)}`,
    messages: [
      { role: 'user', content: 'You see a desk 1.' },
      { role: 'assistant', content: `Thought: ${thought(at)}\nAction: go to desk 1` },
    ],
  }))
  writeFileSync(join(folder, `${name}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

const verbs = ['look for', 'take', 'open', 'leave', 'reach', 'inspect', 'clean', 'use']
const things = ['desk', 'drawer', 'lamp', 'mug', 'book', 'shelf', 'pan']

it('shaketable data diversity writes tables and figures, the same for the same seed', async () => {
  writeRows('same', 20, () => 'I go on with the task.')
  writeRows('varied', 30, (at) => `I ${verbs[at % 8]!} the ${things[at % 7]!} now`)
  const measure = (out: string, ...more: string[]) => {
    const args = ['data', 'diversity', 'same.jsonl', 'varied.jsonl', '--resamples', '50', '--out', out, ...more]
    return shaketable(args, folder)
  }
  const { code, stdout, stderr } = await measure('out')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/varied +30 +0 +30 +20\n/)
  const files = ['diversity.json', 'environments.md', 'thoughts.md']
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(files)
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  const [same, other] = (JSON.parse(read('out/diversity.json')) as Diversity).thoughts
  expect(other!.cosine!.high).toBeLessThan(same!.cosine!.value)
  expect(other!.logDeterminant!.low).toBeGreaterThan(same!.logDeterminant!.value)
  await measure('again')
  for (const name of files) expect(read(`again/${name}`)).toBe(read(`out/${name}`))
  await measure('seeded', '--seed', '1')
  expect(read('seeded/diversity.json')).not.toBe(read('out/diversity.json'))
})

it('shaketable data diversity measures the models of a run', async () => {
  const run = 'run --env household --tasks 2 --seeds 1 --perturb none --model oracle,parrot --agent react --out run'
  expect((await shaketable(run.split(' '), folder)).code).toBe(0)
  const { code, stdout } = await shaketable(['data', 'diversity', 'run', '--format', 'markdown'], folder)
  expect(code).toBe(0)
  expect(stdout).toMatch(/Environments of parrot: 4 rows, \d+ actions/)
})
