import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { World } from '../../../src/core/environment.js'
import { createRandom } from '../../../src/core/random.js'
import { householdTasks } from '../../../src/environments/household/scenes/tasks.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { scratchFolder } from '../../scratch.js'
import { gameFileOf, gameFileText } from './write-games.js'

const tasks = householdTasks('valid-unseen').slice(0, 12)
const data = scratchFolder()

function write(id: string, content: string): void {
  const path = join(data, 'json_2.1.1', id, 'game.tw-pddl')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

beforeAll(() => {
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

  const trial = 'pick_and_place_simple-Mug-None-Desk-1'
  const outside = ['../../etc/passwd/x', '/etc/passwd', 'valid_unseen/../valid_seen/x', 'valid_unseen/./x']
  outside.push('valid_unseen/a\0/x', '')
  it.each<readonly [id: string, reason: string]>([
    [`valid_seen/${trial}/trial_1`, 'is marked unsolvable'],
    [`valid_seen/${trial}/trial_empty`, `valid_seen/${trial}/trial_empty/game.tw-pddl. --list`],
    [`train/${trial}/trial_1`, `train/${trial}/trial_1/game.tw-pddl`],
    [`train/${trial}/trial_1_typed`, "at 'grammar'"],
    [`train/${trial}/trial_7`, 'There is no '],
    ...outside.map((id) => [id, 'is not the id of a game'] as const),
  ])('explains why %j cannot be played', async (id, reason) => {
    const environment = await open()
    expect(() => environment.find(id)).toThrowError(
      expect.objectContaining({ code: 'bad-input', message: expect.stringContaining(reason) as string }) as Error,
    )
  })
})

it('generated tasks are the default, in the old wording, in the order in which they were drawn', async () => {
  const environment = await openEnvironment('household')
  expect(environment.tasks.map(({ id }) => id)).toEqual(householdTasks('valid-unseen').map(({ id }) => id))
  expect(environment.settings).toEqual({ games: 'generated', generation: 'old', prompt: 'own' })
  const world = (await environment.begin(environment.tasks[0]!, createRandom('0'))) as World
  expect(world.briefing.forms.map(({ template }) => template)).toContain('put {obj} in/on {recep}')
})
