import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Diversity } from '../../src/training/diversity.js'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'

const folder = scratchFolder()

/** Rows with two thoughts each. */
function writeRows(name: string, count: number, thought: (at: number) => string): void {
  const says = (at: number) => ({ role: 'assistant', content: `Thought: ${thought(at)}\nAction: look` })
  const rows = Array.from({ length: count }, (_, at) => ({ messages: [says(2 * at), says(2 * at + 1)] }))
  writeFileSync(join(folder, `${name}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

const verbs = ['look for', 'take', 'open', 'leave', 'reach', 'inspect', 'clean', 'use']
const things = ['desk', 'drawer', 'lamp', 'mug', 'book', 'shelf', 'pan']
writeRows('same', 20, () => 'I go on with the task.')
writeRows('varied', 30, (at) => `I ${verbs[at % 8]!} the ${things[at % 7]!} <b>now</b>`)

it('shaketable data diversity prints tables and figures, the same for the same seed', async () => {
  const diversity = (format: string) => shaketable(`data diversity same.jsonl varied.jsonl --format ${format}`, folder)
  const { code, stdout, stderr } = await diversity('terminal')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/same .* 2\.5 +1\.00 +0\.15\n/)
  expect(stdout).toMatch(/varied +30 +0 +60 +40 /)
  const json = await diversity('json')
  const { thoughts, settings } = JSON.parse(json.stdout) as Diversity
  expect(settings).toEqual({ size: 40, resamples: 200, seed: 0 })
  const [same, other] = thoughts
  expect(other!.cosine!.high).toBeLessThan(same!.cosine!.value)
  expect(other!.logDeterminant!.low).toBeGreaterThan(same!.logDeterminant!.value)
  expect(await diversity('json')).toEqual(json)
})
