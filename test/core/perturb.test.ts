import { describe, expect, it } from 'vitest'
import { perturb } from '../../src/core/perturb.js'
import type { AppliedPerturbation, Environment, Perturbation, Turn, World } from '../../src/index.js'
import { createRandom, definePerturbation, renameItems, rewordActions, textOf } from '../../src/index.js'
import agentrefine2 from '../../perturbations/agentrefine-2.js'
import agentrefine3 from '../../perturbations/agentrefine-3.js'
import agentrefine4 from '../../perturbations/agentrefine-4.js'
import { createToy } from '../toy-environment.js'

type Condition = readonly (Perturbation | AppliedPerturbation)[]

async function begin(condition: Condition, environment: Environment = createToy(), task = 0): Promise<World> {
  const applied = condition.map((one) => ('perturbation' in one ? one : { perturbation: one }))
  return perturb(environment, applied).begin(environment.tasks[task]!, createRandom('seed'))
}

async function say(world: World, ...actions: string[]): Promise<Turn> {
  let turn: Turn | undefined
  for (const action of actions) turn = await world.step(action)
  return turn!
}

function sees(world: World): string {
  const { instruction, examples, goal, help, system } = world.briefing
  const example = examples
    .map(({ opening, exchanges }) =>
      [textOf(opening), ...exchanges.map(({ action, observation }) => `${action}: ${textOf(observation)}`)].join('\n'),
    )
    .join('\n')
  return [system, textOf(instruction), example, goal, help.join(', '), textOf(world.opening)].join('\n')
}

describe('a perturbed episode', () => {
  it('rewords the whole briefing and the opening', async () => {
    expect(sees(await begin([agentrefine3, agentrefine4]))).toMatchInlineSnapshot(`
      "You tidy a room.
      Tidy the room. You can:
      - go to {recep}
      - from {recep} take {obj}
      - put {obj} in/on {recep}
      - clean {obj} with {recep}
      - examine {item}
      - look
      - help
      - check valid actions

      put a book in sofa. You see a sofa1, a sofa2.
      go to sofa2: On the sofa2, you see a book1.
      from sofa2 take book1: You pick up the book1 from the sofa2.
      put book1 in/on sofa1: You put the book1 in/on the sofa1.
      put a clean mug in drawer10.
      check valid actions
      It is 8 o'clock and you have 10 turns. You see a sinkbasin1, a drawer1, a drawer10."
    `)
  })

  it.each([
    ['agentrefine-2', [agentrefine2], 'move to drawer 1', 'go to drawer 1'],
    ['agentrefine-4', [agentrefine4], 'go to drawer1', 'go to drawer 1'],
    ['agentrefine-2+agentrefine-4', [agentrefine2, agentrefine4], 'move to drawer10', 'go to drawer 10'],
    ['agentrefine-4+agentrefine-2', [agentrefine4, agentrefine2], 'move to drawer10', 'go to drawer 10'],
  ] as const)(
    '%s takes the new wording to the environment and refuses the old',
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

  it('rewords commands in lists and forms in a help text', async () => {
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
  ])('handles a loosely written %j as its clean twin does', async (clean, said) => {
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
})

describe('the share of names that change', () => {
  it('is drawn by the seed, and has the requested size', async () => {
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
})

describe('a lens of any shape', () => {
  const define = (lens: ReturnType<typeof rewordActions>): Perturbation =>
    definePerturbation({ name: 'own', summary: '', source: '', promise: 'invariant', open: () => lens })

  it('may swap two words or two names', async () => {
    const swapped = define({
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
    [
      'a name that is taken',
      renameItems((name) => (name === 'mug 1' ? 'pen 1' : name)),
      "would both be called 'pen 1'",
    ],
    ['no name', renameItems(() => ''), 'cannot stand in an action'],
    ['a name with a line break', renameItems((name) => `${name}\n`), 'cannot stand in an action on one line'],
  ])('is refused when it has %s', async (_, lens, message) => {
    await expect(begin([define(lens)])).rejects.toMatchObject({
      code: 'perturbation',
      message: expect.stringContaining(message) as string,
    })
  })
})
