import { beforeAll, describe, expect, it } from 'vitest'
import type { Model } from '../../../src/core/model.js'
import { createRandom } from '../../../src/core/random.js'
import { createLearned } from '../../../src/training/learn/learned-model.js'
import { readTurns } from '../../../src/training/learn/conversation.js'
import { train } from '../../../src/training/learn/train.js'
import type { Trained } from '../../../src/training/learn/train.js'
import { drawDepot, drawWording, plain, playDepot, solveShare, teach } from './_depot.js'

const count = 400
const options = { epochs: 3, seed: 'a' }

function trainOn(
  rowOf: (at: string) => ReturnType<typeof teach>,
  { epochs, seed } = options,
): { readonly trained: Trained; readonly model: Model } {
  const conversations = Array.from({ length: count }, (_, at) => readTurns(rowOf(String(at)).turns))
  const trained = train(conversations, { epochs, random: createRandom(seed) })
  return { trained, model: createLearned('depot', {}, trained) }
}

const fixedRow = (at: string) => teach(drawDepot(at), plain)
const variedRow = (at: string) => teach(drawDepot(at), drawWording(at), true)

describe('a trained model', () => {
  let fixed: ReturnType<typeof trainOn>
  let varied: ReturnType<typeof trainOn>
  beforeAll(() => {
    fixed = trainOn(fixedRow)
    varied = trainOn(variedRow)
  })

  it('solves unseen tasks in the wording of its training', async () => {
    expect(await solveShare(fixed.model, plain)).toBeGreaterThan(0.9)
  })

  it('solves almost nothing before it is trained', async () => {
    const { model } = trainOn(fixedRow, { epochs: 0, seed: 'a' })
    expect(await solveShare(model, plain)).toBeLessThan(0.3)
  })

  it('trained in many wordings, reads an unseen one from the prompt', async () => {
    const unheard = { visit: 'proceed to {place}', grab: 'from {place} pull {thing}' }
    expect(await solveShare(varied.model, plain)).toBeGreaterThan(0.9)
    expect(await solveShare(varied.model, unheard)).toBeGreaterThan(0.9)
  })

  it('memorises only what occurred often', () => {
    expect([...fixed.trained.vocabulary.said].sort()).toEqual(['grab {} at {}', 'visit {}'])
    expect(
      [...varied.trained.vocabulary.said].filter((form) => form.startsWith('visit') || form.startsWith('lift')),
    ).toEqual([])
  })

  it('does not learn from masked turns, but reads them as context', () => {
    const unmasked = trainOn((at) => {
      const row = variedRow(at)
      return { ...row, turns: row.turns.map((turn) => ({ ...turn, loss: true })) }
    })
    expect(unmasked.trained.vocabulary.said.has('lift {} off {}')).toBe(true)
    expect(unmasked.trained.learned).toBe(varied.trained.learned + count)
    expect(unmasked.trained.passedOver).toBe(0)
  })

  it('is the same for the same data and seed, and another for another seed', () => {
    const again = trainOn(variedRow)
    expect(again.trained.weights).toEqual(varied.trained.weights)
    const other = trainOn(variedRow, { epochs: 3, seed: 'b' })
    expect(other.trained.weights).not.toEqual(varied.trained.weights)
  })

  it('gives the same reply at temperature 0, and draws by the seed at another', async () => {
    const depot = drawDepot('one')
    const play = async (temperature: number, seed: number) =>
      (await playDepot(fixed.model, depot, plain, { temperature, seed })).actions
    expect(await play(0, 1)).toEqual(await play(0, 2))
    expect(await play(2, 1)).toEqual(await play(2, 1))
    const drawn = await Promise.all([1, 2, 3, 4, 5].map((seed) => play(2, seed)))
    expect(new Set(drawn.map((actions) => actions.join())).size).toBeGreaterThan(1)
  })

  it('skips an action with unknown names', () => {
    const row = readTurns([
      { role: 'user', text: 'Observation: You see a crate 1.' },
      { role: 'assistant', text: 'visit tower 9' },
      { role: 'user', text: 'Observation: What?' },
      { role: 'assistant', text: 'visit crate 1' },
    ])
    const { learned, passedOver } = train([row, row], { epochs: 1, random: createRandom('a') })
    expect([learned, passedOver]).toEqual([2, 2])
  })

  it.each([
    ['an empty conversation', []],
    ['no names', [{ role: 'user' as const, content: 'Hello.' }]],
    [
      'many thousand names',
      [{ role: 'user' as const, content: Array.from({ length: 5000 }, (_, at) => `crate ${String(at)}`).join(', ') }],
    ],
    ['one long line', [{ role: 'user' as const, content: `- '${'a'.repeat(200_000)} {b}': ${'{'.repeat(50_000)}` }]],
  ])('answers %s with some text', async (_, messages) => {
    const { text } = await fixed.model.complete(messages, { temperature: 1, seed: 0, maxTokens: 10, stop: [] })
    expect(typeof text).toBe('string')
  })
})
