import { describe, expect, it } from 'vitest'
import { readPlayable } from '../../../src/environments/scripted/read-playable.js'
import { honey } from './_scripts.js'

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

it('begins at the first place without "Start", and takes numbers as values', () => {
  const { Start, ...rest } = withAction({ effects: ['mug is {x}'] }, 'set {x}', { x: [3, 'red', 3] })
  const script = readPlayable(rest)
  expect(Start).toBe('kitchen')
  expect(script.words).toEqual(['3', 'red'])
})

it('reads things to a depth of 8', () => {
  const environment = { ...honey.Environment, attic: nested(7) }
  expect(readPlayable({ ...honey, Environment: environment }).things).toContain('box 7')
})

const long = 'x'.repeat(61)
const numbered = (count: number): readonly number[] => [...Array(count).keys()]
const refused: readonly (readonly [what: string, script: unknown, words: string])[] = [
  ['no object', 'text', 'A playable script cannot be read: expected object, received string.'],
  ['no goal', { ...honey, Goal: undefined }, "at 'Goal': expected string, received undefined"],
  ['an empty goal', { ...honey, Goal: ' ' }, "at 'Goal'"],
  ['no environment', { ...honey, Environment: [] }, "at 'Environment'"],
  ['no place', { ...honey, Environment: {} }, 'at least one place under "Environment", got none'],
  ['no actions', { ...honey, 'Available Actions': {} }, 'Expected 1 to 60 actions, got 0.'],
  ['no completion conditions', withGoal(), "at 'Completion Conditions'"],
  ['an unknown start', { ...honey, Start: 'attic' }, "a place of the environment as 'Start', got 'attic'"],
  ['a name twice', withThings({ chest: {} }), "names that are all different, got 'chest' twice"],
  ['a name twice but for case', withThings({ Chest: {} }), "got 'chest' twice"],
  ['a marker in a name', withThings({ 'man in black': {} }), "got 'man in black'"],
  ['the name player', withThings({ Player: {} }), "got 'Player'"],
  ['a sign in a name', withThings({ 'a{b}': {} }), "got 'a{b}'"],
  ['a long name', withThings({ [long]: {} }), 'names of at most 60 characters'],
  ['a list of things', withThings({ sink: ['mug'] }), "an object with the things in 'sink', got a list"],
  ['states of a place', withThings({ is: ['dark'] }), "got one in the place 'kitchen'"],
  ['a state of two words', withThings({ sink: { is: ['very full'] } }), "as 'is' of 'sink'"],
  ['too much depth', withThings(nested(9)), "to a depth of 8, got more in 'box 8'"],
  ['an unknown thing', withGoal('mugg in shelf'), "a thing for 'mugg', got 'mugg in shelf'. Did you mean 'mug'?"],
  ['a place as a thing', withGoal('player has cellar'), "expected a thing for 'cellar'"],
  ['a thing as a place', withGoal('player at shelf'), "expected a place for 'shelf'"],
  ['another form', withGoal('mug on shelf'), "or 'THING is STATE', got 'mug on shelf'"],
  ['a slot in the completion', withGoal('{x} in shelf'), "expected a slot of the action for '{x}'"],
  ['a thing in itself', withGoal('mug in mug'), "expected a thing in something else, got 'mug in mug'"],
  ['what holds at the start', withGoal('mug in shelf'), 'completion conditions that do not all hold'],
  ['a condition twice', withGoal('player has mug', 'player has mug'), "got 'player has mug' twice"],
  ['two locations', withGoal('mug in shelf', 'mug in sink'), "got 'mug in shelf' and 'mug in sink'"],
  ['a location and a hand', withGoal('mug in shelf', 'player has mug'), "got 'mug in shelf' and 'player has mug'"],
  ['two places', withGoal('player at cellar', 'player at kitchen'), 'expected conditions that can hold together'],
  ['a condition and its contrary', withGoal('mug is hot', 'not mug is hot'), "'mug is hot' and 'not mug is hot'"],
  ['an unknown slot', withAction({ preconditions: ['{y} in shelf'] }), "expected a slot of the action for '{y}'"],
  ['a slot without values', withAction({}, 'do {x}', {}), "a list of values for {x} in 'do {x}', got none"],
  ['values of no slot', withAction({}, 'do {x}', { x: ['mug'], y: ['mug'] }), "the slots of 'do {x}' only, got 'y'"],
  [
    'a word as a thing',
    withAction({ effects: ['player has {x}'] }, 'do {x}', { x: ['mug', 'red'] }),
    "expected a thing for each value of {x}, of which 'red' is none",
  ],
  ['an unknown field', withAction({ precondition: [] }), "at 'Available Actions → do {x}': Unrecognized key"],
  ['no observation', withAction({ observation: undefined }), "'Available Actions → do {x} → observation'"],
  ['a slot of no action in an observation', withAction({ observation: 'You {y}.' }), "in its observation, got '{y}'"],
  ['contrary preconditions', withAction({ preconditions: ['mug is hot', 'not mug is hot'] }), 'can hold together'],
  ['contrary effects', withAction({ effects: ['{x} is hot', 'not {x} is hot'] }), "The effects of 'do {x}'"],
  [
    'two new locations',
    withAction({ effects: ['{x} in {y}', '{x} in sink'] }, 'do {x} to {y}', { x: ['mug'], y: ['shelf'] }),
    "Expected one new location for a thing in the effects of 'do {x} to {y}'",
  ],
  ['a player who is nowhere', withAction({ effects: ['not player at kitchen'] }), "got 'not player at kitchen'"],
  ['equal texts', withAction({}, 'open chest', {}), "actions with different texts, got 'open chest' from"],
  ['the text of the help', withAction({}, 'check valid actions', {}), 'which asks for those that are possible'],
  ['slots without words between', withAction({}, 'do {x} {y}', { x: ['mug'], y: ['mug'] }), 'words and blanks between'],
  ['a slot twice', withAction({}, 'do {x} to {x}'), 'Expected each slot once in an action'],
  ['a slot in a word', withAction({}, 'do{x}'), 'words and blanks between'],
  ['odd braces', withAction({}, 'do {x', {}), 'Expected slots such as {thing} in actions'],
  ['too many slots', withAction({}, 'do {a} b {b} c {c} d {d} e {e}', {}), 'at most 4 slots in an action'],
  ['too many names', withThings(Object.fromEntries(numbered(200).map((n) => [`t${n}`, {}]))), 'at most 200 names'],
  [
    'too many actions',
    { ...honey, 'Available Actions': Object.fromEntries(numbered(61).map((n) => [`act ${n}`, { observation: 'x' }])) },
    'Expected 1 to 60 actions, got 61.',
  ],
  ['too many conditions', withGoal(...numbered(21).map((n) => `mug is s${n}`)), '<=20 items'],
  ['too many values', withAction({}, 'do {x}', { x: numbered(201) }), '<=200 items'],
  [
    'too many combinations',
    withAction({}, 'do {x} with {y} and {z}', { x: numbered(40), y: numbered(40), z: numbered(40) }),
    'at most 50,000 combinations of values in all, got more with',
  ],
  [
    'too much text',
    withAction({}, 'do {x} with {y}', {
      x: numbered(200).map((n) => `${'x'.repeat(55)}${n}`),
      y: numbered(200).map((n) => `${'y'.repeat(55)}${n}`),
    }),
    'at most 20,000 characters of conditions',
  ],
]

describe('a script is refused, in one sentence, for', () => {
  it.each(refused)('%s', (_, script, message) => {
    expect(() => readPlayable(script)).toThrow(expect.objectContaining({ code: 'bad-input' }) as Error)
    expect(() => readPlayable(script)).toThrow(message)
  })
})

it('takes no harm from keys that objects have themselves', () => {
  const script: unknown = JSON.parse(JSON.stringify(honey).replace('"sink":{}', '"constructor":{},"__proto__":{}'))
  expect(() => readPlayable(script)).toThrow("got '__proto__'")
  const slots: unknown = JSON.parse(JSON.stringify(withAction({})).replaceAll('"x":', '"__proto__":'))
  expect(() => readPlayable(slots)).toThrow('Expected a list of values for {x}')
})
