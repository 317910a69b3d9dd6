import { describe, expect, it } from 'vitest'
import { drawIndex, drawsOf } from '../../baselines/_draw.js'
import { readSight } from '../../baselines/household/sight.js'
import { formsOf } from '../../baselines/household/wording.js'

describe('recognising the verb of a form', () => {
  it.each([
    ['go to {recep}', '', 'go', 'go to {p}'],
    ['move to {recep}', '', 'go', 'move to {p}'],
    ['move {obj} to {recep}', '', 'put', 'move {t} to {p}'],
    ['from {recep} take {obj}', '', 'take', 'from {p} take {t}'],
    ['clean {obj} using {recep}', '', 'clean', 'clean {t} using {p}'],
    ['toggle {obj}/{recep}', '', 'use', 'toggle {t}'],
    ['examine {recep}/{obj}', '', 'examine', 'examine {p}'],
    ['zorp {recep}', 'walk to a place', 'go', 'zorp {p}'],
    ['zorp {recep}', 'open the place you are at', 'open', 'zorp {p}'],
    ['zorp {a} {b}', 'wash a thing', 'clean', 'zorp {t} {p}'],
    ['open {recep}', 'walk to a place', 'go', 'open {p}'],
    ['pick up {obj}', '', 'take', 'pick up {t}'],
    ['inventory', '', 'inventory', 'inventory'],
  ])('%j, meaning %j, is for %s', (template, meaning, verb, known) => {
    expect(formsOf({ goal: '', forms: [{ template, meaning }], examples: [], help: [] })).toEqual([
      { verb, template: known },
    ])
  })

  it.each([
    ['from desk1 take mug2', 'You pick up the mug2 from the desk1.', 'take', 'from {p} take {t}'],
    ['frob desk 1 <- mug 2', 'You put the mug 2 in/on the desk 1.', 'put', 'frob {p} <- {t}'],
    ['zorp desk 1', 'On the desk 1, you see a mug 2, and a mug 1.', 'go', 'zorp {p}'],
    ['zorp fridge 1', 'The fridge 1 is closed.', 'go', 'zorp {p}'],
    ['examine desk 1', 'On the desk 1, you see nothing.', 'examine', 'examine {p}'],
    ['krish fridge 1', 'You open the fridge 1. The fridge 1 is open. In it, you see nothing.', 'open', 'krish {p}'],
    ['blip desklamp 1', 'You turn on the desklamp 1.', 'use', 'blip {t}'],
    ['heat mug 2 with microwave 1', 'You heat the mug 2 using the microwave 1.', 'heat', 'heat {t} with {p}'],
  ])('infers the verb of %j from its observation', (action, observation, verb, template) => {
    expect(formsOf({ goal: '', forms: [], examples: [{ action, observation }], help: [] })).toEqual([
      { verb, template },
    ])
  })
})

describe('reading an observation', () => {
  it.each([
    ['On the desk 1, you see a mug 2, and a pen 1.', { places: [{ name: 'desk 1', holds: ['mug 2', 'pen 1'] }] }],
    ['On the desk1, you see a mug2.', { places: [{ name: 'desk1', holds: ['mug2'] }] }],
    [
      'You open the safe 1. The safe 1 is open. In it, you see nothing.',
      { places: [{ name: 'safe 1', shut: false, holds: [] }], done: { verb: 'open', place: 'safe 1' } },
    ],
    ['You cool the mug 1 using the fridge 1.', { done: { verb: 'cool', thing: 'mug 1', place: 'fridge 1' } }],
    ['You are carrying: a pen 1.', { carrying: 'pen 1' }],
    ['You are facing the desk 1. Next to it, you see a pen 1.', { places: [], room: [] }],
    ['Nothing happens.', { refused: true }],
    ['Choose an action from these valid actions: go to bed 1, look', { commands: ['go to bed 1', 'look'] }],
    ['', { refused: false, places: [] }],
  ])('reads %j', (observation, sight) => {
    expect(readSight(observation)).toMatchObject(sight)
  })
})

const constant = (value: number) => () => value

describe('drawing a choice', () => {
  it('draws among equal options', () => {
    expect([0, 0.4, 0.9].map((value) => drawIndex([0, -1, 0, 0], 0, constant(value)))).toEqual([0, 2, 3])
  })

  it('follows a softmax', () => {
    const scores = [0, -1, -Infinity]
    const counts = [0, 0, 0]
    for (let seed = 0; seed < 20_000; seed++) counts[drawIndex(scores, 1, drawsOf(seed, 'goal', 3))]!++
    const share = 1 / (1 + Math.exp(-1))
    expect(counts[0]! / 20_000).toBeCloseTo(share, 1)
    expect(counts[2]).toBe(0)
  })
})
