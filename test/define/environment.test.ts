import { describe, expect, it, vi } from 'vitest'
import type { EnvironmentDefinition, WorldDefinition } from '../../src/index.js'
import { createRandom, defineEnvironment, perturb, rewordActions } from '../../src/index.js'
import { ownPerturbation } from '../own-perturbation.js'

type Definition = EnvironmentDefinition<Record<never, never>>

const tasks = [{ id: 'one', goal: 'leave' }]
const world: WorldDefinition = { opening: 'A hall.', step: () => ({ observation: 'You walk.' }) }
const define = (given: Partial<Definition> = {}) =>
  defineEnvironment({ name: 'hall', tasks, begin: () => world, ...given })
const begin = async (given: Partial<WorldDefinition> = {}, definition: Partial<Definition> = {}) => {
  const environment = await define({ begin: () => ({ ...world, ...given }), ...definition }).open()
  return environment.begin(environment.tasks[0]!, createRandom('0'))
}

it('a defined environment has defaults for everything but a name, tasks and begin', async () => {
  const environment = await define().open()
  expect(environment).toMatchObject({ name: 'hall', summary: 'hall', version: '1', settings: {}, notes: [] })
  expect(environment.tasks).toEqual([{ ...tasks[0], hash: expect.stringMatching(/^[0-9a-f]{16}$/) as string }])
  expect(() => environment.find('onne')).toThrow("The environment 'hall' has no task 'onne'. Did you mean 'one'?")
})

it('a defined environment does not guess what it does not report', async () => {
  const whole = await begin()
  expect(Object.keys(whole).sort().join(' ')).toBe('briefing environment names opening originalOpening refuse step')
  const unknown = { understood: undefined, progress: 0, ended: false }
  const observation = ['You walk.']
  expect(await whole.step('go')).toEqual({ observation, original: 'You walk.', command: 'go', ...unknown })
  const refused = { observation: ['The action is not understood.'], command: undefined }
  expect(await whole.refuse('go')).toMatchObject({ ...refused, understood: undefined })
})

it('a defined environment takes an action as understood if it was admissible before the step', async () => {
  let doors = ['north']
  const whole = await begin({
    admissible: () => Promise.resolve(doors),
    step: () => {
      doors = ['south']
      return Promise.resolve({ observation: 'You walk.', progress: 0.5 })
    },
  })
  expect(await whole.step('north')).toMatchObject({ understood: true, progress: 0.5 })
  expect(await whole.step('north')).toMatchObject({ understood: false })
  expect(await whole.refuse('north')).toMatchObject({ understood: false, progress: 0.5 })
  expect(await whole.understands!('south')).toBe(true)
})

it('a defined environment is perturbed like any other: what is not reported stays absent', async () => {
  const perturbation = ownPerturbation('walk', () => rewordActions({ 'go {way}': 'walk {way}' }))
  const briefing = { forms: { 'go {way}': 'walk' } }
  const open = async (given: Partial<WorldDefinition>) => {
    const environment = await define({ begin: () => ({ ...world, briefing, names: ['north'], ...given }) }).open()
    return perturb(environment, [{ perturbation }]).begin(environment.tasks[0]!, createRandom('0'))
  }
  const dumb = await open({})
  expect([dumb.admissible, dumb.understands, dumb.solve]).toEqual([undefined, undefined, undefined])
  expect((await dumb.step('go north')).memorised).toBeUndefined()
  const later = () => Promise.resolve(['go north'])
  const slow = await open({ admissible: later, solve: later })
  expect(await slow.admissible!()).toEqual(['walk north'])
  expect(await slow.solve!()).toEqual(['walk north'])
  expect(await slow.step('go north')).toMatchObject({ command: undefined, understood: false, memorised: true })
  expect(await slow.step('walk north')).toMatchObject({ command: 'go north', understood: true })
})

describe('options', () => {
  it('may name a variable in a path, and nowhere else', async () => {
    const texts = defineEnvironment({
      name: 'texts',
      options: { file: { path: true, summary: 'a file' }, title: { summary: 'a title' } },
      open: ({ file, title }) => ({ tasks: [{ id: `${file} ${title}`, goal: 'read' }], begin: () => world }),
    })
    vi.stubEnv('TEXTS', '/texts')
    const { tasks } = await texts.open({ file: '$TEXTS/one', title: '$TEXTS' })
    expect(tasks[0]!.id).toBe('/texts/one $TEXTS')
    vi.unstubAllEnvs()
    expect(() => texts.open({ file: '$TEXTS/one' })).toThrow("The option 'file' of the environment 'texts'")
  })

  const sized = defineEnvironment({
    name: 'sized',
    options: {
      size: { summary: 'How many rooms', type: 'number' },
      dark: { summary: 'No light', type: 'boolean' },
      ways: { summary: 'Which ways', choices: ['north', 'south'], list: true },
    },
    open: ({ size = 3, dark = false, ways = ['north'] }) => ({
      tasks: [{ id: `${String(size + 1)} ${String(!dark)} ${ways.join('+')}`, goal: 'leave' }],
    }),
    begin: () => world,
  })

  it('are read as experiment files and flags give them, and become the settings', async () => {
    const ids = async (options: Record<string, unknown>) => (await sized.open(options)).tasks.map(({ id }) => id)
    expect(await ids({})).toEqual(['4 true north'])
    expect(await ids({ size: '7', dark: 'true', ways: 'south, north' })).toEqual(['8 false south+north'])
    expect((await sized.open({ size: 7 })).settings).toEqual({ size: 7 })
  })

  it.each([
    [{ sise: 1 }, "Did you mean 'size'?"],
    [{ size: 'big' }, "expected a number, got 'big'"],
    [{ ways: 'up' }, "expected one of north, south, got 'up'"],
  ])('refuses %j', (options, message) => {
    expect(() => sized.open(options)).toThrow(message)
  })
})

describe('an invalid definition', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ taks: [] }, "Did you mean 'tasks'?"],
    [{ begin: 'now' }, "'begin' must be a function, got 'now'"],
    [{ tasks: undefined }, "has no 'tasks'"],
    [{ options: { size: 3 } }, "The option 'size' of the environment 'hall' must be an object"],
    [{ vocabulary: { actions: { look: 'see' } } }, "'actions.look' cannot be used"],
  ])('is refused: %j', (given, message) => {
    expect(() => define(given)).toThrow(message)
  })

  it.each<[unknown[], string]>([
    [[{ id: 'one' }], "'goal' must be a string, got undefined"],
    [[...tasks, ...tasks], "has two tasks 'one'"],
  ])('is refused when its tasks are read: %j', async (given, message) => {
    const environment = await define({ tasks: () => given as typeof tasks }).open()
    expect(() => environment.tasks).toThrow(message)
  })

  const turn = (rest: object) => ({ step: () => ({ observation: 'x', ...rest }) })
  it.each<[hook: string, given: Record<string, unknown>, message: string]>([
    ['begin', { opening: 3 }, "'opening' must be a string, or a list of"],
    ['begin', { stepp: 1 }, "Did you mean 'step'?"],
    ['begin', { briefing: { form: {} } }, "Did you mean 'forms'?"],
    ['begin', { briefing: { forms: { go: 3 } } }, "'meaning' must be"],
    ['step', { step: () => 'You walk.' }, "must be an object, got 'You walk.'"],
    ['step', turn({ progress: NaN }), "'progress' must be a number from 0 to 1, got NaN"],
    ['step', turn({ ended: true }), "'ended' must be false, 'success' or 'failure', got true"],
    ['refuse', { refuse: () => Promise.resolve() }, 'must be an object, got undefined'],
    ['admissible', { admissible: () => 'go' }, "must be a list of strings, got 'go'"],
    ['understands', { understands: () => 1 }, 'must be true or false, got 1'],
    ['solve', { solve: () => Promise.resolve([1]) }, 'must be a list of strings, got a list'],
    ['read', { read: () => 'go' }, "must be undefined or { template, filling }, got 'go'"],
  ])('reports an invalid result of %s: %o', async (hook, given, message) => {
    const meet = async (): Promise<unknown> => {
      const whole = (await begin(given)) as unknown as Record<string, (...asked: unknown[]) => unknown>
      return whole[hook]!('go', [], [])
    }
    const error = { code: 'environment', message: expect.stringContaining(message) as string }
    await expect(meet()).rejects.toMatchObject(error)
  })
})
