import { describe, expect, it } from 'vitest'
import { createParrot } from '../../baselines/parrot.js'
import { createOracle } from '../../baselines/oracle.js'
import { createReader } from '../../baselines/reader.js'
import { perturbations } from '../../perturbations/index.js'
import type { Environment, Model, Wording, World } from '../../src/index.js'
import { createRandom, perturb, perturbWorld, textOf } from '../../src/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { parseCondition } from '../../src/run/conditions.js'
import { playAll } from '../baselines/_play.js'
import { createToy, promptOf } from '../toy-environment.js'

const applied = (condition: string) => parseCondition(condition, perturbations).applied

async function begin(condition: string, first: Wording, environment: Environment = createToy()): Promise<World> {
  const random = createRandom('seed')
  const world = await environment.begin(environment.tasks[0]!, random)
  return perturbWorld(world, applied(condition), random, first === 'original' ? 0 : 1)
}

describe('mode alias', () => {
  it('shows both forms of an action and both spellings of a name, in the order of the episode', async () => {
    const toy = createToy()
    const clean = promptOf(await toy.begin(toy.tasks[0]!, createRandom('seed')))
    const [form, both] = ['- take {obj} from {recep}', '- take {obj} from {recep} or from {recep} take {obj}']
    expect(clean).toContain(`\n${form}\n`)
    expect(promptOf(await begin('agentrefine-3:mode=alias', 'original'))).toBe(clean.replace(form, both))
    const spellings = promptOf(await begin('agentrefine-4:mode=alias', 'alias'))
    expect(spellings).toContain('go to sofa2: On the sofa2 (sofa 2), you see a book1 (book 1).')
    expect(spellings).toContain('put a clean mug in drawer10 (drawer 10).')
  })

  it.each<[condition: string, action: string, command: string, wording: string | undefined]>([
    ['agentrefine-3', 'take mug 1 from drawer 1', 'take mug 1 from drawer 1', 'original'],
    ['agentrefine-3', 'from drawer 1 take mug 1', 'take mug 1 from drawer 1', 'alias'],
    ['agentrefine-3', 'go to drawer 1', 'go to drawer 1', undefined],
    ['agentrefine-4', 'take mug 1 from drawer 1', 'take mug 1 from drawer 1', 'original'],
    ['agentrefine-4', 'take mug1 from drawer1', 'take mug 1 from drawer 1', 'alias'],
    ['agentrefine-4', 'take mug 1 from drawer1', 'take mug 1 from drawer 1', 'mixed'],
  ])('under %s reads %j as %j', async (condition, action, command, wording) => {
    for (const first of ['original', 'alias'] as const) {
      const world = await begin(`${condition}:mode=alias`, first)
      await world.step('go to drawer 1')
      const turn = await world.step(action)
      expect([turn.command, turn.wording]).toEqual([command, turn.understood ? wording : undefined])
      if (wording !== undefined && command === command.trim()) expect(turn.understood).toBe(true)
    }
  })

  it('lists both wordings of each command side by side', async () => {
    const world = await begin('agentrefine-4:mode=alias', 'alias')
    const [first, second, third, fourth] = await world.admissible!()
    expect([first, second]).toEqual(['go to sinkbasin1', 'go to sinkbasin 1'])
    expect([third, fourth]).toEqual(['go to drawer1', 'go to drawer 1'])
    expect(textOf((await world.step('check valid actions')).observation)).toContain('go to drawer1, go to drawer 1')
  })

  it('shows prose beside names and commands in the wording that is listed first', async () => {
    const household = await openEnvironment('household')
    const { briefing } = await household.begin(household.tasks[0]!, createRandom('seed'))
    const goalOf = async (first: Wording) => (await begin('item-synonyms:mode=alias', first, household)).briefing.goal
    expect(await goalOf('original')).toBe(briefing.goal)
    expect(await goalOf('alias')).not.toBe(briefing.goal)
  })

  it('lists each wording first in half of the tasks of a seed and of the seeds of a task', async () => {
    const { tasks, ...household } = await openEnvironment('household')
    const environment = perturb({ ...household, tasks: tasks.slice(0, 4) }, applied('agentrefine-3:mode=alias'))
    const firsts: string[] = []
    for (const seed of [7, 8]) {
      for (const task of environment.tasks) {
        const world = await environment.begin(task, createRandom(task.id), seed)
        firsts.push(textOf(world.briefing.instruction).includes("'from {recep} take {obj}' or") ? 'a' : 'o')
      }
    }
    expect(firsts.join('')).toBe('aoaooaoa')
  })

  it.each([
    ['typos:mode=alias', "'typos' rewords neither actions nor names of items"],
    ['swapped-verbs:mode=alias', 'In mode alias both wordings are accepted'],
  ])('refuses %s when it is opened', async (condition, message) => {
    const household = await openEnvironment('household')
    await expect(begin(condition, 'alias', household)).rejects.toThrow(message)
  })
})

/** How many executed actions were in the original wording and in the alias, for each wording that came first. */
async function choices(model: Model, condition: string) {
  const sums = { original: [0, 0], alias: [0, 0] }
  const household = await openEnvironment('household')
  const conditions = applied(condition)
  for (const { result } of await playAll(model, household, household.tasks.slice(0, 4), { conditions })) {
    const { first, original, alias, mixed } = result.measures.choices!
    expect([result.outcome, mixed]).toEqual(['success', 0])
    sums[first][0]! += original
    sums[first][1]! += alias
  }
  return sums
}

const none = 0
const some = expect.toSatisfy((count: number) => count > 0)

it.each(['synonyms', 'item-synonyms'])('controls choose the wording that they know: %s', async (name) => {
  const condition = `${name}:mode=alias`

  expect(await choices(createParrot(), condition)).toEqual({ original: [some, none], alias: [some, none] })
  expect(await choices(createOracle(), condition)).toEqual({ original: [none, some], alias: [none, some] })
  expect(await choices(createReader(), condition)).toEqual({ original: [some, none], alias: [none, some] })
})
