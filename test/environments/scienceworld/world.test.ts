import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { closeWorlds } from '../../../src/core/close-worlds.js'
import type { OpenedEnvironment } from '../../../src/define/environment.js'
import type { World } from '../../../src/core/environment.js'
import { perturb } from '../../../src/core/perturb.js'
import type { AppliedPerturbation } from '../../../src/core/perturbation.js'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { createSubGoals } from '../../../src/environments/scienceworld/labels.js'
import { isElectrical, taskTypes, variationsOf } from '../../../src/environments/scienceworld/tasks.js'
import { scratchFolder } from '../../scratch.js'
import { sharedData } from '../../shared-data.js'
import type { FakeJar } from './fake.js'
import { fakeJava, makeJar, readRecordings } from './fake.js'

const scratch = scratchFolder()
const open = (options: object = {}, jar: FakeJar = {}): Promise<OpenedEnvironment> =>
  openEnvironment('scienceworld', { jar: makeJar(scratch, jar), java: fakeJava, ...options })

const worlds: World[] = []
afterEach(() => closeWorlds(worlds.splice(0)))

async function begin(environment: OpenedEnvironment, id: string, ...applied: AppliedPerturbation[]): Promise<World> {
  const world = await perturb(environment, applied).begin(environment.find(id), createRandom('0'))
  worlds.push(world)
  return world
}

const say = async (world: World, action: string): Promise<string> => textOf((await world.step(action)).observation)

const living = 'find-living-thing/225'
const plant = 'grow-plant/0'

/** Plays a recorded solution up to its first question for a number. */
async function playToQuestion(world: World): Promise<string> {
  const { steps } = readRecordings().find(({ task }) => task === 'grow-plant')!
  for (const { action, kind } of steps) {
    if (kind !== 'gold') continue
    const answer = await say(world, action)
    if (answer.startsWith('Ambiguous')) return answer
  }
  throw new Error('no question')
}

describe("AgentBoard's protocol", () => {
  it('ends in success with the score 1, in failure below 0, and never takes progress back', async () => {
    const environment = await open()
    const world = await begin(environment, living)
    const solution = (await world.solve!())!
    expect(solution.at(-1)).toMatch(/^move .* to orange box$/)
    let last = await world.step(solution[0]!)
    await world.step('look at air')
    expect(await world.solve!()).toEqual(solution.slice(1))
    for (const action of solution.slice(1)) last = await world.step(action)
    expect(last).toMatchObject({ progress: 1, ended: 'success' })
    const other = await begin(environment, living)
    for (const action of solution.slice(0, 6)) last = await other.step(action)
    const { progress } = last
    expect(progress).toBeGreaterThan(0)
    expect(await other.step('focus on air')).toMatchObject({ progress, ended: 'failure' })
  })

  it('asks for a number, takes one, and cancels at anything else', async () => {
    const environment = await open()
    const world = await begin(environment, plant)
    expect(await playToQuestion(world)).toMatch(/^Ambiguous request: .*:\n0:\tmove apple seed \(in seed jar, /)
    expect(await world.admissible!()).toEqual(['0', '1', '2', '3', '4', 'check valid actions'])
    expect(await world.step('3')).toMatchObject({
      original: 'You move the apple seed to the flower pot 3.',
      understood: true,
    })
    const other = await begin(environment, plant)
    await playToQuestion(other)
    expect(await other.refuse('anything')).toMatchObject({
      original:
        "Unknown action.  Type 'help' for a list of actions, and 'objects' for a list of possible object referents. ",
      understood: false,
    })
    expect(await say(other, '3')).toBe('No known action matches that input.')
  })
})

const label = {
  ...{ task: 'scienceworld', id: 0, goal: 'Bring something that lives to the orange box.', difficulty: 'easy' },
  subgoals: ['You move to the outside.', 'You focus on the (frog|toad) egg', 'You move the .* to the orange box\\.'],
  additional_info: { var: 225, env_name: 'find-living-thing' },
}

function writeLabels(): string {
  const path = join(scratch, 'test.jsonl')
  writeFileSync(path, JSON.stringify(label))
  return path
}

describe("AgentBoard's tasks", () => {
  it('draw the list of actions twice a turn, as AgentBoard does; our own draw it once a step', async () => {
    const lists = async (options: object, id: string, actions: readonly string[]): Promise<readonly string[]> => {
      const world = await begin(await open(options), id)
      for (const action of actions) await world.step(action)
      return (await world.admissible!()).filter((action) => action.startsWith('look at '))
    }
    const waits = (steps: number): readonly string[] => Array.from({ length: steps }, () => 'wait1')
    const own = await Promise.all([0, 1, 2, 3, 5].map((steps) => lists({}, living, waits(steps))))
    expect(new Set(own.map((list) => list.join())).size).toBe(own.length)
    const labelled = { labels: writeLabels() }
    expect(await lists(labelled, '0', [])).toEqual(own[0])
    expect(await lists(labelled, '0', ['wait1'])).toEqual(own[2])
    expect(await lists(labelled, '0', ['wait1', 'check valid actions'])).toEqual(own[3])
    expect(await lists(labelled, '0', ['wait1', 'check valid actions', 'wait1'])).toEqual(own[4])
    expect(await lists({}, living, ['wait1', 'check valid actions'])).toEqual(own[1])
  })

  it('have goals, difficulties and sub-goals of the label file, which alone decide', async () => {
    const environment = await open({ labels: writeLabels() })
    expect(environment.tasks).toMatchObject([{ id: '0', goal: label.goal, difficulty: 'easy' }])
    expect(environment.measure).toMatch(/; comparable with published rows$/)
    const world = await begin(environment, '0')
    expect(world.briefing.goal).toBe(label.goal)
    const turns = []
    for (const action of (await world.solve!())!) turns.push(await world.step(action))
    expect([...new Set(turns.map(({ progress }) => progress))]).toEqual([0, 1 / 3, 2 / 3, 1])
    expect(turns.at(-1)!.ended).toBe('success')
    // The engine's score is ignored, and so is its end.
    const other = await begin(environment, '0')
    expect(await other.step('focus on air')).toMatchObject({ progress: 0, ended: false })
  })

  it('count an action as understood that is listed after the step, to the byte', async () => {
    const environment = await open({ labels: writeLabels() })
    const world = await begin(environment, '0')
    const [first] = (await world.solve!())!
    const understood = async (action: string) => (await world.step(action)).understood
    expect(await understood('look around')).toBe(true)
    expect(await understood('Look around')).toBe(false)
    expect(await understood(first!)).toBe(false)
    expect(await understood('check valid actions')).toBe(true)
  })

  it.each(['(a+)+$', `^${'(a|aa)'.repeat(60)}$`])('have patterns that cannot hang: %s', (pattern) => {
    expect(() => createSubGoals([pattern]).record(`${'a'.repeat(90)}b`)).toThrow(
      `The sub-goal '${pattern.slice(0, 100)}' takes longer than 2 s on an observation.`,
    )
  })
})

describe('our own tasks', () => {
  it('are of all types in turn, of the test variations, and any other can be named', async () => {
    const { tasks, find, measure, data } = await open()
    expect(tasks).toHaveLength(90)
    expect(tasks[0]!.id).toBe('boil/21')
    expect(new Set(tasks.slice(0, 30).map(({ kind }) => kind)).size).toBe(30)
    expect(find('boil/3').id).toBe('boil/3')
    expect(() => find('boil/30')).toThrow("'boil' has the variations 0 to 29.")
    expect(() => find('bol/3')).toThrow("There is no ScienceWorld task 'bol/3'.")
    expect(measure).toContain("not AgentBoard's 90 tasks")
    expect(data).toEqual({ kind: 'benchmark', from: 'ScienceWorld', split: 'test' })
  })

  it.skipIf(sharedData === undefined)('have the splits of the engine, and sub-goals that its solutions reach', () => {
    const seen = new Set<string>()
    for (const name of ['gold-no-simplifications.jsonl', 'gold-agentboard-simplifications.jsonl']) {
      for (const recording of readRecordings(join(sharedData!, 'scienceworld', name))) {
        const { task, steps, nVariations, nTest } = recording as typeof recording & {
          nVariations: number
          nTest: number
        }
        const type = taskTypes().find((one) => one.name === task)!
        seen.add(task)
        expect([task, type.variations, variationsOf(type, 'test').length]).toEqual([task, nVariations, nTest])
        expect(recording.simplification.includes('noElectricalAction')).toBe(
          recording.simplification !== '' && !isElectrical(task),
        )
        const reached = createSubGoals(type.subGoals)
        const shares = steps.slice(1).map(({ observation }) => reached.record(observation))
        expect([task, shares[0], shares.at(-1)]).toEqual([task, 0, 1])
      }
    }
    expect(seen.size).toBe(30)
  })
})

describe('planning', () => {
  it.each<[string, object, FakeJar, string]>([
    [
      'no such file',
      { jar: '/nowhere/x.jar' },
      {},
      "/nowhere/x.jar is not ScienceWorld's engine: there is no such file",
    ],
    ['no Java', { java: '/nowhere/java' }, {}, "needs Java 8 or later, and '/nowhere/java' cannot be started"],
  ])('fails with a sentence: %s', async (_, options, jar, message) => {
    await expect(open(options, jar)).rejects.toThrow(message)
  })
})
