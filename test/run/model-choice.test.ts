import { describe, expect, it } from 'vitest'
import { fileOf, isServed, placeModels } from '../../src/run/model-choice.js'

const address = 'http://localhost:8000/v1'

describe('the choice of a model', () => {
  it.each([
    [{ name: 'learned:models/a.json' }, 'models/a.json', false],
    [{ name: 'mine', file: 'a.json' }, 'a.json', false],
    [{ name: 'learned:a', baseUrl: address }, undefined, true],
    [{ name: 'reader' }, undefined, false],
    [{ name: 'llama' }, undefined, true],
  ])('of %j tells the file of a trained model, and whether a server has it', (choice, file, served) => {
    expect([fileOf(choice), isServed(choice)]).toEqual([file, served])
  })

  it('never sends a model in a file to the address of all others', () => {
    const models = [{ name: 'reader' }, { name: 'mine', file: 'a.json' }]
    expect(placeModels(models, address)).toEqual([{ name: 'reader', baseUrl: address }, models[1]])
  })
})
