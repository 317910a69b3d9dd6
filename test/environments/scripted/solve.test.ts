import { describe, expect, it } from 'vitest'
import { beginScript } from '../../../src/environments/scripted/game.js'
import { ownScripts } from '../../../src/environments/scripted/files.js'
import { readPlayable } from '../../../src/environments/scripted/read-playable.js'
import { solveScript } from '../../../src/environments/scripted/solve.js'
import { honey } from './_scripts.js'

describe('the solver', () => {
  it.each(ownScripts())('solves $id, and finds the same again', ({ script }) => {
    const found = solveScript(readPlayable(script))
    expect(found.kind).toBe('solved')
    expect(solveScript(readPlayable(script))).toEqual(found)
  })

  it.each([
    ['a thing that nothing gets out', ['mug in sink', 'sink in cellar']],
    ['a state that nothing gives', ['mug is hot']],
    [
      'conditions that exclude each other by what actions there are',
      ['player has mug', 'chest in cellar', 'mug is hot'],
    ],
  ])('says that there is no solution: %s', (_, conditions) => {
    expect(solveScript(readPlayable({ ...honey, 'Completion Conditions': conditions }))).toEqual({ kind: 'unsolvable' })
  })

  it.each([
    ['no thing is ever in itself', ['box in bag', 'bag in box'], 'unsolvable', 0],
    ['what is in a thing goes with it', ['box in bag', 'coin is spent'], 'solved', 2],
    ['a thing has one location, the last that an action gives it', ['not bag in hall', 'not bag in box'], 'solved', 1],
  ])('knows that %s', (_, conditions, kind, actions) => {
    const script = readPlayable({
      Environment: { hall: { box: { coin: {} }, bag: {} }, yard: {} },
      Goal: 'Spend the coin.',
      'Completion Conditions': conditions,
      'Available Actions': {
        'nest {x} into {y}': {
          parameters: { x: ['box', 'bag'], y: ['box', 'bag'] },
          effects: ['{x} in {y}'],
          observation: 'Nested.',
        },
        'spend {x}': { parameters: { x: ['coin'] }, effects: ['{x} is spent'], observation: 'Spent.' },
        'part {x} and {y}': {
          parameters: { x: ['bag'], y: ['bag'] },
          effects: ['{x} in hall', '{y} in yard'],
          observation: 'Parted.',
        },
      },
    })
    const found = solveScript(script)
    const game = beginScript(script)
    const turns = found.kind === 'solved' ? found.actions.map((action) => game.step(action)) : []
    expect([found.kind, turns.length, turns.at(-1)?.won]).toEqual([kind, actions, actions === 0 ? undefined : true])
  })

  it('solves from a state in the middle, and knows dead ends', () => {
    const script = {
      ...honey,
      'Available Actions': {
        ...honey['Available Actions'],
        'smash {thing}': {
          parameters: { thing: ['mug'] },
          preconditions: ['player has {thing}'],
          effects: ['not player has {thing}'],
          observation: 'It is gone.',
        },
      },
    }
    const game = beginScript(readPlayable(script))
    game.step('take mug from shelf')
    expect(game.solve()).toHaveLength(7)
    game.step('smash mug')
    expect(game.solve()).toBeUndefined()
  })
})
