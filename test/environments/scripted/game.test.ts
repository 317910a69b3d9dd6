import { describe, expect, it } from 'vitest'
import { beginScript } from '../../../src/environments/scripted/game.js'
import { readPlayable } from '../../../src/environments/scripted/read-playable.js'
import honey from '../../fixtures/scripts/honey.json' with { type: 'json' }
import { ownScripts } from '../../../src/environments/scripted/files.js'
import { solveScript } from '../../../src/environments/scripted/solve.js'

const begin = () => beginScript(readPlayable(honey))

describe('a game of a script', () => {
  it('opens with the place, its things and their states, and nothing that is in something closed', () => {
    expect(begin().opening).toBe(
      'The places are: kitchen, cellar. You are in the kitchen. You see: sink, shelf. In the shelf: mug (dirty).',
    )
    expect(begin().step('go to cellar').observation).toBe(
      'You walk to the cellar. You are in the cellar. You see: chest (closed).',
    )
  })

  it.each<readonly [action: string, error: string, observation: string]>([
    ['fly to cellar', 'parameter_error', 'The action is not understood.'],
    ['wash chest', 'parameter_error', 'The action is not understood.'],
    ['Go to cellar', 'parameter_error', 'The action is not understood.'],
    ['open chest', 'place_error', 'Nothing happens: what this needs is not within reach.'],
    ['take mug from sink', 'place_error', 'Nothing happens: what this needs is not within reach.'],
    ['wash mug', 'logic_error', 'Nothing happens: something else is needed first.'],
  ])('answers %s with a %s, which changes nothing', (action, error, observation) => {
    const game = begin()
    const before = game.admissible()
    expect(game.check(action)).toBe(error)
    expect(game.step(action)).toEqual({ observation, error, progress: 1 / 3, won: false })
    expect(game.admissible()).toEqual(before)
  })

  it('keeps the best progress, and is won when all conditions hold at once', () => {
    const game = begin()
    const share = (action: string) => game.step(action).progress
    expect(share('take mug from shelf')).toBeCloseTo(1 / 3)
    expect(share('wash mug')).toBeCloseTo(1 / 3)
    expect(share('put mug in shelf')).toBeCloseTo(2 / 3)
    expect(game.step('take mug from shelf')).toMatchObject({ progress: 2 / 3, won: false })
    const plan = game.solve()!
    const last = plan.map((action) => game.step(action)).at(-1)
    expect(last).toMatchObject({ progress: 1, won: true })
    expect(game.solve()).toEqual([])
  })
})

/** Boxes in boxes, and actions that do one thing each. */
const x = ['box', 'bag', 'coin', 'pin']
const boxes = {
  Environment: { hall: { box: { bag: { coin: {} } }, lid: { is: ['closed'], pin: {} } }, yard: {} },
  Goal: 'Spend the coin.',
  'Completion Conditions': ['coin is spent'],
  'Available Actions': {
    'hold {x}': { parameters: { x }, effects: ['player has {x}'], observation: 'hold {x}.' },
    'close {x}': { parameters: { x }, effects: ['{x} is closed'], observation: 'close {x}.' },
    'teleport {x}': { parameters: { x }, effects: ['player at yard'], observation: 'teleport {x}.' },
  },
}

describe('locations', () => {
  it('reach to any depth, in the place and in the hand, but into nothing closed', () => {
    const game = beginScript(readPlayable(boxes))
    expect(game.opening).toBe(
      'The places are: hall, yard. You are in the hall. You see: box, lid (closed). In the box: bag. In the bag: coin.',
    )
    expect(game.check('hold coin')).toBeUndefined()
    expect(game.check('hold pin')).toBe('place_error')
    game.step('hold box')
    expect(game.step('teleport coin').observation).toBe(
      'teleport coin. You are in the yard. You see nothing here. You carry: box. In the box: bag. In the bag: coin.',
    )
    expect(game.check('hold coin')).toBeUndefined()
    game.step('close box')
    expect(game.check('hold coin')).toBe('place_error')
    expect(game.check('hold box')).toBeUndefined()
  })
})

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
