import { describe, expect, it } from 'vitest'
import { beginScript } from '../../../src/environments/scripted/game.js'
import { ownScripts } from '../../../src/environments/scripted/files.js'
import { readPlayable } from '../../../src/environments/scripted/read-playable.js'
import { solveScript } from '../../../src/environments/scripted/solve.js'
import { honey } from './_scripts.js'

describe('the solver', () => {
  it('finds the shortest actions, which complete the script', () => {
    const script = readPlayable(honey)
    const found = solveScript(script)
    expect(found).toMatchObject({ kind: 'solved', actions: { length: 8 } })
    const game = beginScript(script)
    const turns = found.kind === 'solved' ? found.actions.map((action) => game.step(action)) : []
    expect(turns.map(({ won }) => won).indexOf(true)).toBe(7)
  })

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

  it('says that there is none where only trying everything shows it', () => {
    const { 'Available Actions': actions } = honey
    const once = {
      ...actions['wash {thing}'],
      preconditions: ['player has {thing}', 'not shelf is wet'],
      effects: ['not {thing} is dirty', 'shelf is wet'],
    }
    const chest = { ...honey.Environment.cellar.chest, 'jar of honey': { is: ['dirty'] } }
    const script = {
      ...honey,
      Environment: { ...honey.Environment, cellar: { chest } },
      'Completion Conditions': ['not mug is dirty', 'not jar of honey is dirty'],
      'Available Actions': {
        ...actions,
        'wash {thing}': { ...once, parameters: { thing: ['mug', 'jar of honey'] } },
      },
    }
    expect(solveScript(readPlayable(script))).toEqual({ kind: 'unsolvable' })
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

  it('says that it found none within its bound, and play goes on', () => {
    const lights = Array.from({ length: 40 }, (_, index) => `light ${String(index)}`)
    // A counter in binary, of which the last digit takes 2^40 actions.
    const script = {
      Environment: { hall: Object.fromEntries(lights.map((light) => [light, {}])) },
      Goal: 'Light the last.',
      'Completion Conditions': ['light 39 is on'],
      'Available Actions': Object.fromEntries(
        lights.map((light, index) => [
          `count ${light}`,
          {
            preconditions: lights.slice(Math.max(0, index - 19), index).map((lower) => `${lower} is on`),
            effects: [
              ...lights.slice(Math.max(0, index - 19), index).map((lower) => `not ${lower} is on`),
              `${light} is on`,
            ],
            observation: 'Click.',
          },
        ]),
      ),
    }
    const read = readPlayable(script)
    expect(solveScript(read)).toEqual({ kind: 'not-found' })
    expect(beginScript(read).solve()).toBeUndefined()
    expect(beginScript(read).step('count light 0')).toMatchObject({ won: false })
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
