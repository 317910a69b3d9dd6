import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOf } from '../../../src/core/episode.js'
import type { Model } from '../../../src/core/model.js'
import { createRandom } from '../../../src/core/random.js'
import { readTurns } from '../../../src/learn/conversation.js'
import { openModel } from '../../../src/learn/open-model.js'
import { printTransformer } from '../../../src/learn/transformer/transformer-file.js'
import { trainTransformer } from '../../../src/learn/transformer/train-transformer.js'
import { varyNames } from '../../../src/learn/transformer/vary.js'
import { drawDepot, plain, playDepot, solveShare, teach } from '../_depot.js'

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => readTurns(teach(drawDepot(String(at)), plain).turns))
const small = { width: 32, layers: 2, heads: 2, inner: 64 }
const made = { rows: 400, turns: 1200, masked: 0, epochs: 14, seed: 0 }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shaketable-transformer-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
const write = (text: string): string => {
  const path = join(folder, 'model.json')
  writeFileSync(path, text)
  return path
}

async function print(count: number, epochs: number, seed = 'a'): Promise<string> {
  const trained = await trainTransformer(rows(count), { epochs, random: createRandom(seed), shape: small })
  return printTransformer(trained, made)
}

describe('a trained transformer', () => {
  let model: Model
  let accuracies: number[]
  beforeAll(async () => {
    accuracies = []
    const epoch = (_: number, accuracy: number): void => void accuracies.push(accuracy)
    const random = createRandom('a')
    const trained = await trainTransformer(rows(400), { epochs: 14, random, shape: small, epoch })
    model = openModel(write(printTransformer(trained, made)), 'mine')
  }, 120_000)

  it('learns to find and name items of unseen tasks', async () => {
    expect(accuracies).toHaveLength(14)
    expect(accuracies.at(-1)).toBeGreaterThan(accuracies[0]! + 0.5)
    expect(await solveShare(model, plain)).toBeGreaterThan(0.6)
  })

  it('gives the same reply at temperature 0, and draws by the seed at another', async () => {
    const play = async (temperature: number, seed: number) =>
      (await playDepot(model, drawDepot('one'), plain, { temperature, seed })).actions
    expect(await play(0, 1)).toEqual(await play(0, 2))
    expect(await play(2, 1)).toEqual(await play(2, 1))
    const drawn = await Promise.all([1, 2, 3, 4, 5].map((seed) => play(2, seed)))
    expect(new Set(drawn.map((actions) => actions.join())).size).toBeGreaterThan(1)
  })

  it.each([
    ['an empty conversation', []],
    ['no names', [{ role: 'user' as const, content: 'Hello.' }]],
    ['one long line', [{ role: 'user' as const, content: `- '${'a'.repeat(200_000)} {b}': ${'{'.repeat(50_000)}` }]],
    ['many names', [{ role: 'user' as const, content: 'crate 1, '.repeat(50_000) }]],
  ])('answers %s with some text', async (_, messages) => {
    const { text } = await model.complete(messages, { temperature: 1, seed: 0, maxTokens: 10, stop: [] })
    expect(typeof text).toBe('string')
    expect(text).not.toContain('\n')
  })
})

describe('training', () => {
  it('gives equal bytes for equal data and seed', async () => {
    const text = await print(20, 2)
    expect(await print(20, 2)).toBe(text)
    expect(await print(20, 2, 'b')).not.toBe(text)
  })

  it.each([
    ['a very long action', `go ${'to '.repeat(3000)}crate 1`],
    ['many thousand names', 'crate 1 '.repeat(5000)],
    ['nothing', ''],
    ['one word without an end', 'a'.repeat(300_000)],
    ['characters of several bytes', '🙂 größer {x} '.repeat(2000)],
  ])('takes unusual data: %s', async (_, action) => {
    const row = readTurns([
      { role: 'user', text: 'You see a crate 1.' },
      ...Array.from({ length: 50 }, () => [
        { role: 'assistant' as const, text: action },
        { role: 'user' as const, text: action },
      ]).flat(),
    ])
    const trained = await trainTransformer([row, row, row], { epochs: 1, random: createRandom('a'), shape: small })
    expect(trained.actions).toBeGreaterThan(0)
    expect(() => openModel(write(printTransformer(trained, made)))).not.toThrow()
  })

  it('solves almost nothing without a pass over the data', async () => {
    const model = openModel(write(await print(20, 0)))
    expect(await solveShare(model, plain, 10)).toBeLessThan(0.3)
  })

  it('changes names everywhere alike', () => {
    const conversation = {
      head: 'take pen 1',
      goal: 'put some Pen in bed.',
      opening: 'You see a bed 1, a shelf 1, and a shelf 2. Pens are not pens.',
      exchanges: [{ action: 'take pen 3 from shelf 2', answer: 'Pen 3 is taken. A pen 1 is left.', loss: true }],
    }
    const varied = Array.from({ length: 40 }, (_, at) =>
      varyNames(conversation, ['bed', 'pen', 'shelf'], createRandom(String(at))),
    )
    const texts = varied.map(({ goal, opening, exchanges }) =>
      [goal, opening, exchanges[0]!.action, exchanges[0]!.answer].join('|'),
    )
    expect(new Set(texts).size).toBeGreaterThan(10)
    expect(texts).toContain(
      'put some Bed in pen.|You see a pen 1, a shelf 1, and a shelf 2. Pens are not pens.|take bed 3 from shelf 2|Bed 3 is taken. A bed 1 is left.',
    )
    expect(texts.some((text) => text.includes('take pen 1 from shelf 2|Pen 1 is taken. A pen 3 is left'))).toBe(true)
    expect(varied.every(({ head }) => head === conversation.head)).toBe(true)
  })
})

describe('the file of a transformer', () => {
  let text: string
  beforeAll(async () => {
    text = await print(3, 0)
  })
  interface File {
    body: { shape: Record<string, number>; tokenizer: Record<string, unknown>; steps: number[]; weights: string }
    checksum: string
  }
  /** A file with a changed body and the matching checksum. */
  const changed = (change: (body: File['body']) => void): string => {
    const file = JSON.parse(text) as File
    change(file.body)
    file.checksum = hashOf(file.body)
    return JSON.stringify(file)
  }

  it.each<[string, () => string, RegExp]>([
    ['of another version', () => text.replace('"version":1', '"version":2'), /version 2, not 1/],
    ['changed', () => text.replace('"rows":400', '"rows":401'), /checksum does not fit/],
    [
      'of a width that heads do not divide',
      () => changed((body) => (body.shape['heads'] = 3)),
      /weights cannot be read/,
    ],
    ['of too many parameters', () => changed((body) => (body.shape['layers'] = 12)), /weights cannot be read/],
    ['of endless width', () => changed((body) => (body.shape['width'] = 1e9)), /its body.shape.width is not/],
    ['with fewer weights', () => changed((body) => (body.weights = body.weights.slice(4))), /weights cannot be read/],
    ['with no base64', () => changed((body) => (body.weights = '!!')), /weights cannot be read/],
    ['with fewer steps', () => changed((body) => void body.steps.pop()), /weights cannot be read/],
    ['with a step that is no number', () => changed((body) => (body.steps[0] = 0)), /its body.steps.0 is not/],
    [
      'with merges that double',
      () => changed((body) => (body.tokenizer['merges'] = Array.from({ length: 40 }, (_, at) => [259 + at, 259 + at]))),
      /weights cannot be read/,
    ],
    [
      'with more tokens than weights',
      () => changed((body) => (body.shape['vocabulary'] = 8)),
      /weights cannot be read/,
    ],
  ])('is refused in one sentence if it is %s', (_, given, message) => {
    const path = write(given())
    expect(() => openModel(path)).toThrow(message)
    expect(() => openModel(path)).toThrow(/^Expected a model made by shaketable train at [^\n]* Train it again\.$/)
  })
})
