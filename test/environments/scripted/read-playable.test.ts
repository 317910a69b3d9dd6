import { describe, expect, it } from 'vitest'
import { readPlayable } from '../../../src/environments/scripted/read-playable.js'
import honey from '../../fixtures/scripts/honey.json' with { type: 'json' }

const actions = honey['Available Actions']

/** The script with an action `do {x}` of some fields beside its own. */
function withAction(fields: object, template = 'do {x}', parameters: object = { x: ['mug', 'jar of honey'] }) {
  return {
    ...honey,
    'Available Actions': { ...actions, [template]: { parameters, observation: 'Done.', ...fields } },
  }
}

const withThings = (kitchen: unknown) => ({ ...honey, Environment: { ...honey.Environment, kitchen } })
const withGoal = (...conditions: readonly string[]) => ({ ...honey, 'Completion Conditions': conditions })

/** Things in things, `depth` of them below the place. */
function nested(depth: number): unknown {
  let inside = {}
  for (let level = depth; level > 0; level--) inside = { [`box ${String(level)}`]: inside }
  return inside
}

it('reads the places, things and actions of a script', () => {
  const script = readPlayable(honey)
  expect(script).toMatchObject({
    goal: 'Put the clean mug and the jar of honey on the shelf.',
    places: ['kitchen', 'cellar'],
    things: ['sink', 'shelf', 'mug', 'chest', 'jar of honey'],
    words: [],
  })
  expect(script.source).toBe(honey)
  expect(script.forms[0]).toEqual({ template: 'go to {place}', meaning: 'walk to a place' })
})

const numbered = (count: number): readonly number[] => [...Array(count).keys()]
const refused: readonly (readonly [what: string, script: unknown, words: string])[] = [
  ['no place', { ...honey, Environment: {} }, 'at least one place under "Environment", got none'],
  ['an unknown start', { ...honey, Start: 'attic' }, "a place of the environment as 'Start', got 'attic'"],
  ['a name twice but for case', withThings({ Chest: {} }), "got 'chest' twice"],
  ['too much depth', withThings(nested(9)), "to a depth of 8, got more in 'box 8'"],
  ['an unknown thing', withGoal('mugg in shelf'), "a thing for 'mugg', got 'mugg in shelf'. Did you mean 'mug'?"],
  ['what holds at the start', withGoal('mug in shelf'), 'completion conditions that do not all hold'],
  ['a slot without values', withAction({}, 'do {x}', {}), "a list of values for {x} in 'do {x}', got none"],
  [
    'a word as a thing',
    withAction({ effects: ['player has {x}'] }, 'do {x}', { x: ['mug', 'red'] }),
    "expected a thing for 'red', got 'player has red'",
  ],
  ['a slot of no action in an observation', withAction({ observation: 'You {y}.' }), "in its observation, got '{y}'"],
  [
    'two new locations',
    withAction({ effects: ['{x} in {y}', '{x} in sink'] }, 'do {x} to {y}', { x: ['mug'], y: ['shelf'] }),
    "Expected one new location of '{x}' in the effects of 'do {x} to {y}'",
  ],
  ['a player who is nowhere', withAction({ effects: ['not player at kitchen'] }), "got 'not player at kitchen'"],
  [
    'too many combinations',
    withAction({}, 'do {x} with {y} and {z}', { x: numbered(40), y: numbered(40), z: numbered(40) }),
    'at most 50,000 combinations of values in all, got more with',
  ],
]

describe('a script is refused, in one sentence, for', () => {
  it.each(refused)('%s', (_, script, message) => {
    expect(() => readPlayable(script)).toThrow(expect.objectContaining({ code: 'bad-input' }) as Error)
    expect(() => readPlayable(script)).toThrow(message)
  })
})
