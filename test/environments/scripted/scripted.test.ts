import { describe, expect, it } from 'vitest'
import { beginScript } from '../../../src/environments/scripted/game.js'
import { readPlayable } from '../../../src/environments/scripted/read-playable.js'
import honey from '../../fixtures/scripts/honey.json' with { type: 'json' }
import { ownScripts } from '../../../src/environments/scripted/files.js'
import { solveScript } from '../../../src/environments/scripted/solve.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { scratchWriter } from '../../scratch.js'

const begin = () => beginScript(readPlayable(honey))

it('a game of a script opens with the place, its things and their states, but nothing in what is closed', () => {
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
])('a game of a script answers %s with a %s, which changes nothing', (action, error, observation) => {
  const game = begin()
  const before = game.admissible()
  expect(game.check(action)).toBe(error)
  expect(game.step(action)).toEqual({ observation, error, progress: 1 / 3, won: false })
  expect(game.admissible()).toEqual(before)
})

it('a game of a script keeps the best progress, and is won when all conditions hold at once', () => {
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

it('locations reach to any depth, in the place and in the hand, but into nothing closed', () => {
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

it.each(ownScripts())('the solver solves $id, and finds the same again', ({ script }) => {
  const found = solveScript(readPlayable(script))
  expect(found.kind).toBe('solved')
  expect(solveScript(readPlayable(script))).toEqual(found)
})

it.each([
  ['a thing that nothing gets out', ['mug in sink', 'sink in cellar']],
  ['a state that nothing gives', ['mug is hot']],
  ['conditions that exclude each other', ['player has mug', 'chest in cellar', 'mug is hot']],
])('the solver says that there is no solution: %s', (_, conditions) => {
  expect(solveScript(readPlayable(withGoal(...conditions)))).toEqual({ kind: 'unsolvable' })
})

it('the solver puts nothing into itself by way of another thing', () => {
  const script = withAction({ effects: ['{x} in {y}'] }, 'nest {x} into {y}', {
    ...{ x: ['mug', 'shelf'], y: ['mug', 'shelf'] },
  })
  const solve = (...conditions: readonly string[]) =>
    solveScript(readPlayable({ ...script, 'Completion Conditions': conditions }))
  expect(solve('shelf in mug').kind).toBe('solved')
  expect(solve('shelf in mug', 'mug in shelf')).toEqual({ kind: 'unsolvable' })
})

it('the solver solves from a state in the middle, and knows dead ends', () => {
  const smash = { preconditions: ['player has {thing}'], effects: ['not player has {thing}'] }
  const game = beginScript(readPlayable(withAction(smash, 'smash {thing}', { thing: ['mug'] })))
  game.step('take mug from shelf')
  expect(game.solve()).toHaveLength(7)
  game.step('smash mug')
  expect(game.solve()).toBeUndefined()
})

const write = scratchWriter()

const damaged = { ...honey, Start: 'attic' }
it('the environment scripted plays three scripts of its own without any option', async () => {
  const environment = await openEnvironment('scripted')
  expect(environment.tasks.map(({ id }) => id)).toEqual(ownScripts().map(({ id }) => id))
  expect(environment).toMatchObject({
    version: '1',
    settings: { scripts: 'own' },
    data: { kind: 'generated' },
    notes: [],
  })
  expect(await environment.diagnose!()).toEqual([
    'Of 3 scripts 3 can be completed, 0 cannot, and for 0 it was not found out.',
  ])
})

describe('scripts from files', () => {
  const lines = [JSON.stringify({ id: 'honey', persona: 'a beekeeper', script: honey }), JSON.stringify(honey), '']

  it('are JSON lines, each a script or with one in `script`', async () => {
    const environment = await openEnvironment('scripted', { scripts: write('two.jsonl', lines.join('\n')) })
    expect(environment.tasks.map(({ id }) => id)).toEqual(['honey', 'two/2'])
    expect(environment.tasks[0]!.hash).toBe(environment.tasks[1]!.hash)
    expect(environment).toMatchObject({ settings: { scripts: 'files' }, data: { kind: 'files' }, notes: [] })
  })

  it('that cannot be used are left out, counted, with their reasons', async () => {
    const text = [...lines.slice(0, 2), JSON.stringify(damaged), '{"id":', lines[0]].join('\n')
    const environment = await openEnvironment('scripted', { scripts: write('some.jsonl', text) })
    expect(environment.tasks).toHaveLength(2)
    const said =
      "scripted: 3 of 5 scripts are LEFT OUT. some.jsonl:3: Expected a place of the environment as 'Start', got 'attic'. docs/benchmarks.md describes the format; some.jsonl:4: It is not JSON: Unexpected end of JSON input; some.jsonl:5: Another script has the id 'honey'."
    expect(environment.notes).toEqual([said])
    expect(environment.data!.leftOut).toEqual({ count: 3, of: 5, text: said })
  })

  it.each([
    ['none that can be used', 'bad.jsonl', JSON.stringify(damaged), 'There is no script that can be played: bad.jsonl'],
    ['a long id', 'id.json', JSON.stringify({ id: 'a\nb', script: honey }), "Expected an 'id' of 1 to 100"],
    ['no such file', 'nowhere.jsonl', undefined, 'cannot be read: there is no such file or folder'],
  ])('are an error for %s', async (_, name, text, words) => {
    const scripts = text === undefined ? name : write(name, text)
    const message = expect.stringContaining(words) as string
    await expect(openEnvironment('scripted', { scripts })).rejects.toMatchObject({ code: 'bad-input', message })
  })
})

/** The script with an action `do {x}` of some fields beside its own. */
function withAction(fields: object, template = 'do {x}', parameters: object = { x: ['mug', 'jar of honey'] }) {
  const actions = { ...honey['Available Actions'], [template]: { parameters, observation: 'Done.', ...fields } }
  return { ...honey, 'Available Actions': actions }
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

it.each(refused)('a script is refused, in one sentence, for %s', (_, script, message) => {
  expect(() => readPlayable(script)).toThrow(expect.objectContaining({ code: 'bad-input' }) as Error)
  expect(() => readPlayable(script)).toThrow(message)
})
