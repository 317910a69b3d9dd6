import { describe, expect, it } from 'vitest'
import { createRandom, hashOf } from '../../../src/index.js'
import { createLearned } from '../../../src/training/learn/learned-model.js'
import { openModel, printModel } from '../../../src/training/learn/model-file.js'
import { readTurns } from '../../../src/training/learn/conversation.js'
import { type Trained, train } from '../../../src/training/learn/train.js'
import { scratchWriter } from '../../scratch.js'
import { drawDepot, drawWording, plain, solveShare, teach } from './_depot.js'

const count = 400

function trainOn(rowOf: (at: string) => ReturnType<typeof teach>, length = count, epochs = 3, seed = 'a'): Trained {
  const conversations = Array.from({ length }, (_, at) => readTurns(rowOf(String(at)).turns))
  return train(conversations, { epochs, random: createRandom(seed) })
}

const variedRow = (at: string) => teach(drawDepot(at), drawWording(at), true)

describe('a trained model', () => {
  const varied = trainOn(variedRow)

  it('trained in many wordings, reads an unseen one from the prompt', async () => {
    const unheard = { visit: 'proceed to {place}', grab: 'from {place} pull {thing}' }
    const model = createLearned('depot', {}, varied)
    expect(await solveShare(model, plain)).toBeGreaterThan(0.9)
    expect(await solveShare(model, unheard)).toBeGreaterThan(0.9)
  })

  it('does not learn from masked turns, but reads them as context', () => {
    const unmasked = trainOn((at) => {
      const row = variedRow(at)
      return { ...row, turns: row.turns.map((turn) => ({ ...turn, loss: true })) }
    })
    expect(unmasked.vocabulary.said.has('lift {} off {}')).toBe(true)
    expect(unmasked.learned).toBe(varied.learned + count)
    expect(unmasked.passedOver).toBe(0)
  })
})

const write = scratchWriter()
const made = { rows: 100, turns: 300, masked: 0, epochs: 2, seed: 0, reading: 0.25 }
const print = (seed = 'a'): string =>
  printModel(
    trainOn((at) => teach(drawDepot(at), plain), 100, 2, seed),
    made,
  )

it('the file of a model has equal bytes for equal data and seed, and plays as well as the model in memory', async () => {
  const text = print()
  expect(print()).toBe(text)
  expect(print('b')).not.toBe(text)
  expect(hashOf(text, 16)).toMatchInlineSnapshot(`"c3a2e8da64d5d27e"`)
  expect(text.length).toBeLessThan(1_000_000)
  const model = openModel(write('model.json', text), 'mine')
  expect(model.name).toBe('mine')
  expect(model.settings).toMatchObject({ ...made, learned: expect.stringMatching(/^[0-9a-f]{16}$/) as string })
  expect(await solveShare(model, plain)).toBeGreaterThan(0.9)
})

it.each<[string, () => string, RegExp]>([
  ['not JSON', () => 'hello', /but it is something else/],
  ['of another version', () => print().replace('"version":1', '"version":2'), /its version is not 1/],
  ['changed', () => print().replace('"rows":100', '"rows":101'), /checksum does not fit/],
])('the file of a model is refused in one sentence if it is %s', (_, text, message) => {
  const path = write('model.json', text())
  expect(() => openModel(path)).toThrow(message)
  expect(() => openModel(path)).toThrow(/^Expected a model made by shaketable train at [^\n]* Train it again\.$/)
})
