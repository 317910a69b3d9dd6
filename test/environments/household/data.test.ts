import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Turn, World } from '../../../src/core/environment.js'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { householdTasks } from '../../../src/environments/household/scenes/tasks.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { syncWorld } from '../../sync-world.js'
import { gameFileOf, gameFileText } from './write-games.js'

const tasks = householdTasks({ split: 'valid-unseen' }).slice(0, 12)
const [first, second] = tasks.map(({ id }) => id) as [string, string]
const begin = createRandom('0')
let data: string

function write(id: string, content: string): void {
  const path = join(data, 'json_2.1.1', id, 'game.tw-pddl')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'shaketable-'))
  for (const task of tasks) write(task.id, gameFileText(gameFileOf(task.game('new'))))
  const game = gameFileOf(tasks[0]!.game('new'))
  const trial = 'pick_and_place_simple-Mug-None-Desk-1/trial_1'
  write(`valid_seen/${trial}`, gameFileText({ ...game, solvable: false }))
  write('valid_seen/pick_and_place_with_movable_recep-Mug-None-Desk-1/trial_1', '{')
  write('valid_seen/pick_and_place_simple-MugSliced-None-Desk-1/trial_1', '{')
  write('valid_seen/unknown_kind-Mug-None-Desk-1/trial_1', '{')
  mkdirSync(join(data, 'json_2.1.1/valid_seen/pick_and_place_simple-Mug-None-Desk-1/trial_empty'))
  write(`train/${trial}`, '{ "pddl_domain": ')
  write(`train/${trial}_typed`, gameFileText({ ...game, grammar: 3 as never }))
})
afterAll(() => rmSync(data, { recursive: true }))

const open = (options: Record<string, unknown> = {}) => openEnvironment('household', { data, ...options })

describe("ALFWorld's data folder", () => {
  it('names the games that are left out because their files are damaged, but not unsolvable ones', async () => {
    const { tasks: listed } = await open({ split: 'valid-seen' })
    expect(listed.every(({ id }) => !id.includes('trial_1'))).toBe(true)
    const trial = 'train/pick_and_place_simple-Mug-None-Desk-1/trial'
    const whole = gameFileText(gameFileOf(tasks[0]!.game('new')))
    const more = { [`${trial}_2`]: whole, [`${trial}_cut`]: whole.slice(0, -1), [`${trial}_empty`]: '' }
    expect(more[`${trial}_cut`]).toContain('"solvable":true')
    for (const [id, content] of Object.entries(more)) write(id, content)
    const environment = await open({ split: 'train' })
    expect(environment.tasks.map(({ id }) => id)).toEqual([`${trial}_2`])
    const text = expect.stringMatching(
      /^household: 4 of 5 games are LEFT OUT, as their game\.tw-pddl is damaged: .*trial_cut\b.*\. Restore/,
    ) as string
    expect(environment.notes).toEqual([text])
    expect(environment.data).toMatchObject({ kind: 'benchmark', leftOut: { count: 4, of: 5, text } })
    for (const id of Object.keys(more)) rmSync(join(data, 'json_2.1.1', id), { recursive: true })
  })

  it('gives its games as tasks, from the folder or from json_2.1.1 in it', async () => {
    const environment = await open({ order: 'sorted' })
    expect(environment.tasks.map(({ id }) => id)).toEqual(tasks.map(({ id }) => id).sort())
    const inner = await open({ data: join(data, 'json_2.1.1'), order: 'sorted' })
    expect(inner.tasks).toEqual(environment.tasks)
    const task = environment.find(first)
    expect(task).toEqual({
      id: first,
      goal: `${tasks[0]!.goal}.`,
      kind: tasks[0]!.kind,
      difficulty: tasks[0]!.kind === 'pick_and_place_simple' ? 'easy' : 'hard',
      hash: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    })
  })

  it('plays a game in its own wording or in that of the other generation', async () => {
    const say = async (generation?: string) => {
      const environment = await open(generation === undefined ? {} : { generation })
      const world = (await environment.begin(environment.find(first), begin)) as World
      const place = syncWorld(world).admissible()[0]!
      return textOf((world.step(place) as Turn).observation)
    }
    expect(await say()).toMatch(/^You arrive at /)
    expect(await say('new')).toBe(await say())
    expect(`You arrive at ${await say('old')}`).not.toBe(await say())
    expect(await say('old')).not.toMatch(/^You arrive at /)
  })

  it('finds a task without its split, and with the name of the file', async () => {
    const environment = await open()
    const short = first.split('/').slice(1).join('/')
    expect(environment.find(short)).toEqual(environment.find(first))
    expect(environment.find(`${first}/game.tw-pddl`)).toEqual(environment.find(first))
  })

  it('leaves out the same games as ALFWorld', async () => {
    expect((await open({ split: 'valid_seen' })).tasks).toEqual([])
    expect((await open({ split: 'valid-seen' })).tasks).toEqual([])
  })

  const trial = 'pick_and_place_simple-Mug-None-Desk-1'
  it.each<readonly [id: string, reason: string]>([
    [`valid_seen/${trial}/trial_1`, 'is marked unsolvable'],
    [`valid_seen/${trial}/trial_empty`, 'There is no game.tw-pddl in'],
    [`train/${trial}/trial_1`, `train/${trial}/trial_1/game.tw-pddl`],
    [`train/${trial}/trial_1_typed`, 'expected "grammar" to be a string'],
    [`train/${trial}/trial_7`, `Did you mean 'train/${trial}/trial_1'?`],
    ['valid_sean/a/b', "Did you mean 'valid_seen'?"],
    ...[
      '../../etc/passwd/x',
      'valid_unseen/../valid_seen/x',
      '/etc/passwd',
      'valid_unseen/./x',
      'valid_unseen/a\0/x',
      '',
    ].map((id) => [id, 'is not the id of a game'] as const),
  ])('explains why %j cannot be played', async (id, reason) => {
    const environment = await open()
    expect(() => environment.find(id)).toThrowError(
      expect.objectContaining({ code: 'bad-input', message: expect.stringContaining(reason) as string }) as Error,
    )
  })

  it.each([
    [{ data: '/nowhere' }, 'bad-input', 'there is no such folder'],
    [{ data: import.meta.filename }, 'bad-input', 'it is not a folder'],
    [{ data: tmpdir(), split: 'train' }, 'bad-input', 'it holds none of them'],
    [{ split: 'valid-train' }, 'bad-input', "There is no split 'valid_train'"],
    [{ split: 'test' }, 'usage', "'split'"],
    [{ generation: 'newest' }, 'usage', "'generation'"],
    [{ orders: 'sorted' }, 'usage', "Did you mean 'order'?"],
  ])('refuses the options %j', async (options, code, reason) => {
    const opened = open(options).then(({ tasks: read }) => read)
    await expect(opened).rejects.toMatchObject({ code, message: expect.stringContaining(reason) as string })
  })

  it('checks a prompt file against the wording of the games', async () => {
    const prompt = join(data, 'prompt.json')
    const turn = 'Your task is to: x.\nA room.\nAction: look\nObservation: A room.\n'
    const examples = { put: turn, clean: turn, heat: turn, cool: turn, puttwo: turn, examine: turn }
    writeFileSync(prompt, JSON.stringify({ system_msg: '', instruction: "- 'put {obj} in/on {recep}'\n", examples }))
    expect((await open({ prompt })).notes).toEqual([expect.stringContaining("'put {obj} in/on {recep}'")])
    expect((await open({ prompt, generation: 'old' })).notes).toEqual([])
    expect((await open({ prompt, split: 'valid-train' })).notes).toHaveLength(1)
  })

  it('detects a game that changed after it was listed', async () => {
    const environment = await open()
    const task = environment.find(second)
    write(second, gameFileText(gameFileOf(tasks[2]!.game('new'))))
    expect(() => environment.begin(task, begin)).toThrowError(/has changed since/)
    write(second, gameFileText(gameFileOf(tasks[1]!.game('new'))))
  })

  it('plays a game whose grammar is not one of ALFWorld’s only in a wording that is asked for', async () => {
    const game = gameFileOf(tasks[0]!.game('old'))
    const id = 'train/pick_and_place_simple-Mug/trial_1'
    write(id, gameFileText({ ...game, grammar: game.grammar.replace('You pick up', 'You grab') }))
    const asFile = await open()
    expect(() => asFile.begin(asFile.find(id), begin)).toThrowError(/expected the grammar of ALFWorld's release/)
    for (const generation of ['old', 'new']) {
      const asked = await open({ generation })
      const { forms } = ((await asked.begin(asked.find(id), begin)) as World).briefing
      expect(forms.some(({ template }) => template === 'put {obj} in/on {recep}')).toBe(generation === 'old')
    }
  })

  it('reports that a goal of another kind has no progress, and plays it raw', async () => {
    const game = gameFileOf(tasks[0]!.game('old'))
    const grammar = game.grammar.replace(/Your task is to: [^"]*/, 'Your task is to: be happy.')
    write('valid_seen/pick_and_place_simple-Mug/trial_1', gameFileText({ ...game, grammar }))
    const environment = await open()
    const task = environment.find('valid_seen/pick_and_place_simple-Mug/trial_1')
    expect(() => environment.begin(task, begin)).toThrowError(/'be happy.', which is none of ALFWorld's six kinds/)
    expect(environment.raw!(task).opening).toContain('Your task is to: be happy.')
  })
})

describe('generated tasks', () => {
  it('are the default, in the old wording, in the order in which they were drawn', async () => {
    const environment = await openEnvironment('household')
    expect(environment.tasks.map(({ id }) => id)).toEqual(householdTasks({ split: 'valid-unseen' }).map(({ id }) => id))
    expect(environment.settings).toEqual({ games: 'generated', generation: 'old', prompt: 'own' })
    const world = (await environment.begin(environment.tasks[0]!, begin)) as World
    expect(world.briefing.forms.map(({ template }) => template)).toContain('put {obj} in/on {recep}')
    const sorted = await openEnvironment('household', { order: 'sorted' })
    expect(sorted.tasks.map(({ id }) => id)).toEqual(tasksSorted())
  })

  it('are found by id, in the other split too', async () => {
    const environment = await openEnvironment('household')
    const train = householdTasks({ split: 'train' })[3]!
    expect(environment.find(train.id)).toMatchObject({ id: train.id, goal: `${train.goal}.` })
    expect(environment.find(first)).toEqual(environment.tasks[0])
    expect(() => environment.find(`${first}0`)).toThrowError(`Did you mean '${first}'?`)
    expect(() => environment.find('../x')).toThrowError(/There is no generated household task/)
  })

  it('have no separate split for seen games', async () => {
    await expect(openEnvironment('household', { split: 'valid-seen' })).rejects.toMatchObject({ code: 'usage' })
  })
})

function tasksSorted(): string[] {
  return householdTasks({ split: 'valid-unseen' })
    .map(({ id }) => id)
    .sort()
}
