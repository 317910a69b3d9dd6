import { describe, expect, it } from 'vitest'
import { beginScript } from '../../../src/environments/scripted/game.js'
import { ownScripts } from '../../../src/environments/scripted/files.js'
import { readPlayable } from '../../../src/environments/scripted/read-playable.js'
import { solveScript } from '../../../src/environments/scripted/solve.js'
import honey from '../../fixtures/scripts/honey.json' with { type: 'json' }

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

  it('puts nothing into itself by way of another thing', () => {
    const nest = {
      parameters: { x: ['mug', 'shelf'], y: ['mug', 'shelf'] },
      effects: ['{x} in {y}'],
      observation: 'Nested.',
    }
    const script = { ...honey, 'Available Actions': { ...honey['Available Actions'], 'nest {x} into {y}': nest } }
    const solve = (...conditions: readonly string[]) =>
      solveScript(readPlayable({ ...script, 'Completion Conditions': conditions }))
    expect(solve('shelf in mug').kind).toBe('solved')
    expect(solve('shelf in mug', 'mug in shelf')).toEqual({ kind: 'unsolvable' })
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
