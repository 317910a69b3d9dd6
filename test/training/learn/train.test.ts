import { beforeAll, describe, expect, it } from 'vitest'
import type { Model } from '../../../src/core/model.js'
import { createRandom } from '../../../src/core/random.js'
import { createLearned } from '../../../src/training/learn/learned-model.js'
import { readTurns } from '../../../src/training/learn/conversation.js'
import { train } from '../../../src/training/learn/train.js'
import type { Trained } from '../../../src/training/learn/train.js'
import { drawDepot, drawWording, plain, solveShare, teach } from './_depot.js'

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
  }, 240_000)

  it('solves unseen tasks in the wording of its training', async () => {
    expect(await solveShare(fixed.model, plain)).toBeGreaterThan(0.9)
  })

  it('trained in many wordings, reads an unseen one from the prompt', async () => {
    const unheard = { visit: 'proceed to {place}', grab: 'from {place} pull {thing}' }
    expect(await solveShare(varied.model, plain)).toBeGreaterThan(0.9)
    expect(await solveShare(varied.model, unheard)).toBeGreaterThan(0.9)
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
})
