import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRandom, hashOf } from '../../../src/index.js'
import { openModel, printModel } from '../../../src/training/learn/model-file.js'
import { readTurns } from '../../../src/training/learn/conversation.js'
import { train } from '../../../src/training/learn/train.js'
import { scratchFolder } from '../../scratch.js'
import { drawDepot, plain, solveShare, teach } from './_depot.js'

const folder = scratchFolder()
const conversations = Array.from({ length: 100 }, (_, at) => readTurns(teach(drawDepot(String(at)), plain).turns))
const made = { rows: 100, turns: 300, masked: 0, epochs: 2, seed: 0, reading: 0.25 }
const print = (seed = 'a'): string => printModel(train(conversations, { epochs: 2, random: createRandom(seed) }), made)

const write = (text: string): string => {
  const path = join(folder, 'model.json')
  writeFileSync(path, text)
  return path
}

it('the file of a model has equal bytes for equal data and seed, and plays as well as the model in memory', async () => {
  const text = print()
  expect(print()).toBe(text)
  expect(print('b')).not.toBe(text)
  expect(hashOf(text, 16)).toMatchInlineSnapshot(`"c3a2e8da64d5d27e"`)
  expect(text.length).toBeLessThan(1_000_000)
  const model = openModel(write(text), 'mine')
  expect(model.name).toBe('mine')
  expect(model.settings).toMatchObject({ ...made, learned: expect.stringMatching(/^[0-9a-f]{16}$/) as string })
  expect(await solveShare(model, plain)).toBeGreaterThan(0.9)
})

it.each<[string, () => string, RegExp]>([
  ['not JSON', () => 'hello', /but it is something else/],
  ['of another version', () => print().replace('"version":1', '"version":2'), /its version is not 1/],
  ['changed', () => print().replace('"rows":100', '"rows":101'), /checksum does not fit/],
])('the file of a model is refused in one sentence if it is %s', (_, text, message) => {
  const path = write(text())
  expect(() => openModel(path)).toThrow(message)
  expect(() => openModel(path)).toThrow(/^Expected a model made by shaketable train at [^\n]* Train it again\.$/)
})
