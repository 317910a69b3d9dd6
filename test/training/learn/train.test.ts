import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { createLearned } from '../../../src/training/learn/learned-model.js'
import { readTurns } from '../../../src/training/learn/conversation.js'
import { train } from '../../../src/training/learn/train.js'
import type { Trained } from '../../../src/training/learn/train.js'
import { drawDepot, drawWording, plain, solveShare, teach } from './_depot.js'

const count = 400

function trainOn(rowOf: (at: string) => ReturnType<typeof teach>): Trained {
  const conversations = Array.from({ length: count }, (_, at) => readTurns(rowOf(String(at)).turns))
  return train(conversations, { epochs: 3, random: createRandom('a') })
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
