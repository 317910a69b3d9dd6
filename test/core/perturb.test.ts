import { describe, expect, it } from 'vitest'
import type { AppliedPerturbation, Environment, Lens, Perturbation, Turn, World } from '../../src/index.js'
import { createRandom, isPerturbed, perturb, renameItems, rewordActions, textOf } from '../../src/index.js'
import agentrefine2 from '../../perturbations/agentrefine-2.js'
import agentrefine3 from '../../perturbations/agentrefine-3.js'
import agentrefine4 from '../../perturbations/agentrefine-4.js'
import { createToy } from '../toy-environment.js'
import { openEnvironment } from '../../src/environments/index.js'
import { checkLaws } from '../../src/laws/index.js'
import { ownPerturbation } from '../own-perturbation.js'
import { inGoal, inTurns } from '../text-hooks.js'

type Condition = readonly (Perturbation | AppliedPerturbation)[]

async function begin(condition: Condition, environment: Environment = createToy(), task = 0): Promise<World> {
  const applied = condition.map((one) => ('perturbation' in one ? one : { perturbation: one }))
  return perturb(environment, applied).begin(environment.tasks[task]!, createRandom('seed'))
}

const define = (
  name: string,
  lens: Lens | Perturbation['open'],
  promise: Perturbation['promise'] = 'harder',
): AppliedPerturbation => ({
  perturbation: ownPerturbation(name, typeof lens === 'function' ? lens : () => lens, promise),
})
const [reword, rename] = [{ perturbation: agentrefine2 }, { perturbation: agentrefine4 }]

async function say(world: World, ...actions: string[]): Promise<Turn> {
  let turn: Turn | undefined
  for (const action of actions) turn = await world.step(action)
  return turn!
}

it.each([
  ['agentrefine-2', [agentrefine2], 'move to drawer 1', 'go to drawer 1'],
  ['agentrefine-4', [agentrefine4], 'go to drawer1', 'go to drawer 1'],
  ['agentrefine-2+agentrefine-4', [agentrefine2, agentrefine4], 'move to drawer10', 'go to drawer 10'],
  ['agentrefine-4+agentrefine-2', [agentrefine4, agentrefine2], 'move to drawer10', 'go to drawer 10'],
] as const)(
  'a perturbed episode %s takes the new wording to the environment and refuses the old',
  async (_, condition, said, command) => {
    const world = await begin(condition)
    const refused = await say(world, command)
    const old = { understood: false, command: undefined, memorised: true, original: 'Nothing happens.' }
    expect(refused).toMatchObject(old)
    expect(textOf(refused.observation)).toBe('Nothing happens.')
    expect(await say(world, said)).toMatchObject({ understood: true, command })
    expect(world.dose!()).toMatchObject({ commandsSaid: condition.length, leaks: 0 })
  },
)

it('a perturbed episode rewords commands in lists and forms in a help text', async () => {
  const world = await begin([agentrefine2, agentrefine3, agentrefine4])
  await say(world, 'move to drawer1')
  expect(textOf((await say(world, 'check valid actions')).observation)).toBe(
    'Valid: move to sinkbasin1, move to drawer10, from drawer1 take mug1, from drawer1 take pen1, examine drawer1, look, help, check valid actions.',
  )
  const help = await say(world, 'help')
  expect(textOf(help.observation)).toContain(
    'You can: move to (place); from (place) take (thing); put (thing) in/on (place);',
  )
  expect(help.original).toContain('You can: go to (place); take (thing) from (place);')
})

it.each([
  ['go to drawer 1.', 'move to drawer 1.'],
  ['  go to drawer 1 ', '  move to drawer 1 '],
  ['take mug 1 from drawer 1.', 'from drawer 1 take mug 1.'],
  ['take mug 1 from drawer 1. .', 'from drawer 1 take mug 1. .'],
  ['go to drawer 7.', 'move to drawer 7.'],
  ['take mug 9 from drawer 1.', 'from drawer 1 take mug 9.'],
  ['go to  drawer 1', 'move to  drawer 1'],
  ['go to', 'go to'],
  ['', ''],
  ['.', '.'],
  ['look.', 'look.'],
  ['Look', 'Look'],
  ['think: from here I go to drawer 1', 'think: from here I go to drawer 1'],
])('a perturbed episode handles a loosely written %j as its clean twin does', async (clean, said) => {
  const twin = await begin([])
  const world = await begin([agentrefine2, agentrefine3])
  await say(twin, 'go to sinkbasin 1', 'go to drawer 1')
  await say(world, 'move to sinkbasin 1', 'move to drawer 1')
  const [expected, got] = [await say(twin, clean), await say(world, said)]
  expect(got.command).toBe(expected.command)
  expect(got.original).toBe(expected.original)
  expect(got.understood).toBe(expected.understood)
  expect(got.memorised).toBeUndefined()
})

it('the share of names that change is drawn by the seed, and has the requested size', async () => {
  const changed = async (seed: string, intensity: number): Promise<readonly string[]> => {
    const toy = createToy()
    const world = await perturb(toy, [{ perturbation: agentrefine4, intensity }]).begin(
      toy.tasks[0]!,
      createRandom(seed),
    )
    return world.names.filter((name) => !name.includes(' '))
  }
  const half = await Promise.all([...'abcdef'].map((seed) => changed(seed, 0.5)))
  expect(half[0]).toEqual(await changed('a', 0.5))
  expect(new Set(half.map(String)).size).toBeGreaterThan(2)
  for (const names of half) expect([0, 6]).not.toContain(names.length)
  expect([await changed('a', 0), (await changed('a', 1)).length]).toEqual([[], 6])
})

it('a lens of any shape may swap two words or two names', async () => {
  const swapped = define('own', {
    form: (template) =>
      ({ 'go to {recep}': 'examine {recep}', 'examine {item}': 'go to {item}' })[template] ?? template,
    name: (name) => ({ 'drawer 1': 'drawer 10', 'drawer 10': 'drawer 1' })[name] ?? name,
  })
  const world = await begin([swapped])
  expect(textOf((await say(world, 'examine drawer 1')).observation)).toBe(
    'You arrive at drawer 1. On the drawer 1, you see a mug 13.',
  )
  expect(await say(world, 'go to drawer 1')).toMatchObject({ command: 'examine drawer 10', understood: true })
  expect(world.dose!().leaks).toBe(0)
})

it.each([
  ['a lost slot', rewordActions({ 'go to {recep}': 'go' }), "has the slots [recep], but its new wording 'go' has []"],
  ['a slot too many', rewordActions({ look: 'look at {obj}' }), "but its new wording 'look at {obj}' has [obj]"],
  ['words that are taken', rewordActions({ 'go to {recep}': 'examine {recep}' }), "collides with 'examine {item}'"],
  ['the same words twice', rewordActions({ look: 'x', help: 'x' }), "'x' would be both"],
  ['no words', rewordActions({ look: '' }), 'cannot be worded as ""'],
  ['slots side by side', rewordActions({ 'take {obj} from {recep}': 'take {obj}{recep}' }), 'with words between its'],
  ['two lines', rewordActions({ look: 'look\naround' }), 'Write it on one line'],
  ['one name for two', renameItems((name) => name.replace(/ \d+$/, '')), "both be called 'drawer'"],
  ['a taken name', renameItems((name) => (name === 'mug 1' ? 'pen 1' : name)), "would both be called 'pen 1'"],
  ['no name', renameItems(() => ''), 'cannot stand in an action'],
  ['a name with a line break', renameItems((name) => `${name}\n`), 'cannot stand in an action on one line'],
])('a lens of any shape is refused when it has %s', async (_, lens, message) => {
  const error = { code: 'perturbation', message: expect.stringContaining(message) as string }
  await expect(begin([define('own', lens)])).rejects.toMatchObject(error)
})

/** One lens of each kind that the hooks support. */
const lenses = {
  sentence: define('sentence', { text: inTurns((pieces) => [...pieces, ' A clock ticks.']) }, 'invariant'),
  hide: define('hide', { lists: 'hide', commands: () => [] }),
  decoy: define('decoy', { lists: 'add', commands: (list) => ['dance slowly', ...list] }, 'invariant'),
  refunded: define('refunded', {
    act: (_, { turn }) => (turn % 3 === 1 ? { fails: 'before', answer: 'Time-out.', charged: false } : undefined),
    recovery: 'retry',
  }),
  delay: define('delay', { act: () => ({ fails: 'after', answer: '...', delay: 1 }), recovery: 'retry' }),
  goal: define('goal', { text: inGoal((goal) => `What you are to do: ${goal}`) }, 'invariant'),
  brief: define('brief', { brief: ({ examples }) => ({ examples: examples.slice(0, 0), system: 'You are tested.' }) }),
} as const

it.each(Object.entries(lenses))('a lens of the kind %s keeps the laws under and over others', async (_, lens) => {
  const environment = await openEnvironment('household')
  for (const applied of [
    [lens, reword, rename],
    [reword, rename, lens],
  ]) {
    const findings = await checkLaws({ environment, task: environment.tasks[0]!, applied, seed: '0' })
    expect(findings.filter(({ outcome }) => outcome === 'fails')).toEqual([])
    const held = findings.flatMap(({ law, outcome }) => (outcome === 'holds' ? [law] : []))
    expect(held).toEqual(expect.arrayContaining(['round trip', 'solution', 'old wording', 'same seed', 'dose']))
    if ('commands' in lens.perturbation.open({} as never)) expect(held).toContain('listed')
  }
})

describe('the order of hooks', () => {
  const note = (name: string): AppliedPerturbation =>
    define(name, {
      text: (pieces, { part }) => (part === 'goal' || part === 'observations' ? [...pieces, ` ${name}`] : pieces),
      commands: (list) => [...list, `do ${name}`],
      lists: 'add',
    })

  it('is that of the list, the first nearest the environment', async () => {
    const world = await begin([note('one'), note('two')])
    expect(world.briefing.goal).toMatch(/ one two$/)
    expect(textOf(world.opening)).toMatch(/ one two$/)
    expect(textOf((await say(world, 'check valid actions')).observation)).toMatch(/do one, do two\. one two$/)
    expect(await say(world, 'do one')).toMatchObject({ understood: false, command: undefined })
  })

  it('rewords what other hooks add, in the same lens and in those above it', async () => {
    const pointer = (names: readonly string[]): Lens => ({
      text: inTurns((pieces) => [...pieces, ' Try ', { command: `go to ${names[0]!}` }, '.']),
    })
    const own = define('own', ({ names }) => ({
      ...pointer(names),
      form: (form) => form.replace('go to', 'walk to'),
    }))
    const alone = await begin([own])
    expect(textOf(alone.opening)).toMatch(/ Try walk to sinkbasin 1\.$/)
    for (const condition of [
      [define('low', ({ names }) => pointer(names)), reword, rename],
      [rename, define('middle', ({ names }) => pointer(names)), reword],
    ]) {
      const world = await begin(condition)
      expect(textOf(world.opening)).toMatch(/ Try move to sinkbasin1\.$/)
      expect(world.dose!().leaks).toBe(0)
    }
  })
})

it('the view of a turn receives the turn, the action, whether it was understood, and the list, and respects the scope', async () => {
  const seen: unknown[] = []
  const watch = define('watch', {
    text: inTurns((pieces, { turn, action, understood, refused, commands }) => {
      seen.push([turn, action, understood, refused, commands?.[0]])
      return pieces
    }),
  })
  const world = await begin([watch, reword])
  await say(world, 'go to drawer 1', 'move to drawer 1', 'fly', 'check valid actions')
  expect(seen).toEqual([
    [0, undefined, undefined, false, undefined],
    [1, 'go to drawer 1', false, true, undefined],
    [2, 'go to drawer 1', true, false, undefined],
    [3, 'fly', false, false, undefined],
    [4, 'check valid actions', true, false, 'go to sinkbasin 1'],
  ])
  const out = await begin([{ ...lenses.sentence, scope: ['instruction'] }])
  expect(textOf(out.opening)).not.toContain('A clock ticks')
})

describe('a list of commands', () => {
  it('is the same wherever it is shown, and its changes are counted where they are read', async () => {
    const clean = await begin([define('none', {})])
    const list = await clean.admissible!()
    const world = await begin([lenses.decoy, rename])
    expect(await world.admissible!()).toEqual(['dance slowly', ...list.map((one) => one.replace(/ (\d+)$/, '$1'))])
    expect(world.dose!()).not.toHaveProperty('listed')
    expect(textOf((await say(world, 'check valid actions')).observation)).toMatch(/^Valid: dance slowly, go to sink/)
    expect(world.dose!()).toMatchObject({ listed: 1 })
    const hidden = await begin([lenses.hide])
    expect(textOf((await say(hidden, 'check valid actions')).observation)).toBe('Valid: .')
    expect(hidden.dose!()).toMatchObject({ listed: list.length })
    expect(await hidden.admissible!()).toEqual([])
    expect(isPerturbed(hidden) && (await hidden.possible!())).toEqual(list)
    expect((await say(hidden, 'go to drawer 1')).understood).toBe(true)
  })

  const decoys = [[[lenses.decoy]], [[lenses.decoy, reword]], [[rename, lenses.decoy]]]
  it.each(decoys)('refuses an additional command in the words of the environment', async (condition) => {
    const world = await begin(condition)
    await say(world, 'check valid actions')
    expect(await world.understands!('dance slowly')).toBe(false)
    const refused = { understood: false, command: undefined, original: 'Nothing happens.' }
    expect(await say(world, 'dance slowly')).toMatchObject(refused)
  })

  it.each<[string, Lens, string]>([
    ['hides one', { commands: (list) => list.slice(1) }, "hides 'go to sinkbasin 1', but its lens says lists: 're"],
    ['adds one', { commands: (list) => [...list, 'x'] }, "adds 'x', but its lens says lists: 'reorder'"],
    ['shows one twice', { lists: 'add', commands: (list) => [...list, list[0]!] }, "shows 'go to sinkbasin 1' twice"],
    ['adds a real one', { lists: 'add', commands: (list) => [...list, 'clean mug 1 with drawer 1'] }, ''],
  ])('is not changed in a way that the lens does not declare: one that %s', async (_, lens, message) => {
    const world = await begin([define('own', lens)])
    const asked = (async () => world.admissible!())()
    if (message !== '') await expect(asked).rejects.toThrow(`The hook 'commands' of 'own' ${message}`)
    else expect(await asked).toContain('clean mug 1 with drawer 1')
  })
})

it('an action can fail before or after it takes effect, and this is reported', async () => {
  const lens = define('fails', {
    act: (action, { turn }) =>
      turn === 1
        ? { fails: 'before', answer: ['No answer to ', { command: action }, '.'], charged: false }
        : turn === 2
          ? { fails: 'after', answer: 'Lost.' }
          : undefined,
  })
  const world = await begin([lens, reword])
  const before = await say(world, 'move to drawer 1')
  expect(before).toMatchObject({ failed: 'before', refunded: true, understood: true, command: 'go to drawer 1' })
  expect([textOf(before.observation), before.original]).toEqual(['No answer to move to drawer 1.', ''])
  expect(await world.understands!('take mug 1 from drawer 1')).toBe(false)
  const lost = await say(world, 'move to drawer 1')
  const arrived: unknown = expect.stringMatching(/^You arrive/)
  expect(lost).toMatchObject({ failed: 'after', observation: ['Lost.'], original: arrived })
  expect(await say(world, 'take mug 1 from drawer 1')).not.toHaveProperty('failed')
  expect(world.dose!()).toMatchObject({ failed: 2 })
})

it('a delayed answer is given before a later one, and all remaining ones at the end of an episode', async () => {
  const world = await begin([lenses.delay, reword])
  const plan = (await world.solve!())!
  const clean = await begin([])
  const expected: Turn[] = []
  for (const command of (await clean.solve!())!) expected.push(await clean.step(command))
  const seen: Turn[] = []
  for (const action of plan) seen.push(await world.step(action))
  const texts = seen.map(({ observation }) => textOf(observation))
  expect(texts.slice(0, 2)).toEqual(['...', `${expected[0]!.original}\n...`])
  expect(texts.at(-1)).toBe(`${expected.at(-2)!.original}\n${expected.at(-1)!.original}`)
  expect(seen.at(-1)).toMatchObject({ ended: 'success', progress: 1 })
  expect(seen.at(-1)).not.toHaveProperty('failed')
})
