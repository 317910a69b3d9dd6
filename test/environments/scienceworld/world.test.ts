import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { perturbations } from '../../../perturbations/index.js'
import { closeWorlds } from '../../../src/core/close-worlds.js'
import type { OpenedEnvironment } from '../../../src/define/environment.js'
import type { World } from '../../../src/core/environment.js'
import { createInvalidClassifier } from '../../../src/play/invalid-action.js'
import { perturb } from '../../../src/core/perturb.js'
import type { AppliedPerturbation } from '../../../src/core/perturbation.js'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { createSubGoals } from '../../../src/environments/scienceworld/labels.js'
import { isElectrical, taskTypes, variationsOf } from '../../../src/environments/scienceworld/tasks.js'
import { checkConforms } from '../../../src/laws/conforms.js'
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

function lens(name: string, more: Partial<AppliedPerturbation> = {}): AppliedPerturbation {
  return { perturbation: perturbations.find((one) => one.name === name)!, options: {}, ...more } as AppliedPerturbation
}

const say = async (world: World, action: string): Promise<string> => textOf((await world.step(action)).observation)

const living = 'find-living-thing/225'
const plant = 'grow-plant/0'
const seed = 'move apple seed in seed jar to flower pot 3'

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
  it('begins with the first observation and the inventory', async () => {
    const world = await begin(await open(), living)
    const { steps, inventory, taskDescription } = readRecordings().find(({ task }) => task === 'find-living-thing')!
    expect(textOf(world.opening)).toBe(`${steps[0]!.observation}\n${inventory}`)
    expect(world.briefing.goal).toBe(taskDescription)
    expect(world.briefing.help).toEqual(['check valid actions', 'inventory'])
  })

  it('lists the kinds of action at the cost of a step', async () => {
    const world = await begin(await open(), living)
    const turn = await world.step('check valid actions')
    expect(textOf(turn.observation)).toBe(
      'Choose an action from these valid actions: activate OBJ, close OBJ, deactivate OBJ, dunk OBJ in OBJ, eat OBJ, flush OBJ, focus on OBJ, go OBJ, inventory, look around, look at OBJ, look in OBJ, mix OBJ, move OBJ to OBJ, open OBJ, pick up OBJ, pour OBJ in OBJ, put down OBJ, read OBJ, task, use OBJ on OBJ, wait, wait1, check valid actions',
    )
    expect(turn).toMatchObject({ understood: true, progress: 0, ended: false })
    // Only exactly these words.
    expect(await say(world, 'Check valid actions')).toBe('No known action matches that input.')
  })

  it.each([
    ['help', /^Possible actions: \n\tactivate OBJ\n\tclose OBJ/],
    ['objects', /^Possible object references: \n\tagent\n/],
    ['task', /^Task description:\nYour task is to find a\(n\) living thing/],
    ['inventory', /^In your inventory, you see:\n\tan orange$/],
    ['reset task', /^You reset the goal progress and focus\.$/],
    ['Look At THE air', /^a air$/],
  ])('answers %s', async (action, answer) => {
    expect(await say(await begin(await open(), living), action)).toMatch(answer)
  })

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

  it('has a solution without the steps that the engine refuses', async () => {
    const world = await begin(await open({}, { mode: 'stumble move unknown seed to flower pot 3' }), living)
    expect(await world.solve!()).toEqual(await (await begin(await open(), living)).solve!())
    let last = await world.step('wait1')
    expect(await world.solve!()).toBeUndefined()
    const other = await begin(await open({}, { mode: 'stumble move unknown seed to flower pot 3' }), living)
    for (const action of (await other.solve!())!) last = await other.step(action)
    expect(last).toMatchObject({ progress: 1, ended: 'success' })
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

  it('conforms', async () => {
    const environment = await open()
    const tasks = [living, plant, 'test-conductivity/675'].map((id) => environment.find(id))
    expect((await checkConforms(environment, tasks, '0')).misfits).toEqual([])
  })
})

const labels = [
  {
    task: 'scienceworld',
    id: 0,
    goal: 'Bring something that lives to the orange box.',
    subgoals: ['You move to the outside.', 'You focus on the (frog|toad) egg', 'You move the .* to the orange box\\.'],
    difficulty: 'easy',
    additional_info: { var: 225, env_name: 'find-living-thing' },
  },
]

function writeLabels(rows: readonly unknown[] = labels): string {
  const path = join(mkdtempSync(join(scratch, 'labels-')), 'test.jsonl')
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'))
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
    expect(environment.tasks).toMatchObject([{ id: '0', goal: labels[0]!.goal, difficulty: 'easy' }])
    expect(environment.measure).toMatch(/; comparable with published rows$/)
    const world = await begin(environment, '0')
    expect(world.briefing.goal).toBe(labels[0]!.goal)
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

  it.each([
    [[{ ...labels[0], subgoals: ['(['] }], "1: '([' is not a regular expression that can be read here"],
    [[labels[0], { ...labels[0], additional_info: { var: -1, env_name: 'boil' } }], "at 'additional_info.var'"],
  ])('are refused with the line: %#', async (rows, words) => {
    const message = expect.stringContaining(words) as string
    await expect(open({ labels: writeLabels(rows) })).rejects.toMatchObject({ code: 'bad-input', message })
  })

  it('of one variation count once, the later row in the place of the earlier', async () => {
    const rows = [
      labels[0],
      { ...labels[0], id: 1, additional_info: { var: 3, env_name: 'boil' } },
      { ...labels[0], id: 2 },
    ]
    expect((await open({ labels: writeLabels(rows) })).tasks.map(({ id }) => id)).toEqual(['2', '1'])
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

  it('have progress by sub-goals on request, and success by the engine', async () => {
    const world = await begin(await open({ progress: 'subgoals' }), living)
    const turns = []
    for (const action of (await world.solve!())!) turns.push(await world.step(action))
    expect([...new Set(turns.map(({ progress }) => progress))]).toEqual([0, 1 / 3, 2 / 3, 1])
    expect(turns.at(-1)!.ended).toBe('success')
  })
})

describe('perturbations', () => {
  it('refuse the old wording and all wordings of the engine, in its own words', async () => {
    const world = await begin(await open(), living, lens('synonyms', { intensity: 1, draw: 1 }))
    const refused = [
      'look at air',
      'examine air',
      'Look on the air',
      'look at  air',
      'go to hallway',
      'walk to hallway',
    ]
    for (const action of refused) {
      expect([action, await say(world, action)]).toEqual([action, 'No known action matches that input.'])
    }
    expect(await say(world, 'inspect the air')).toBe('a air')
    expect(await say(world, 'Head toward hallway')).toBe('No known action matches that input.')
    expect(await say(world, 'unlatch door to hallway')).toBe('The door is already open.')
    expect(await say(world, 'head toward the hallway')).toBe('You move to the hallway.')
  })

  it('reword the dialogue, the list, and the help', async () => {
    const world = await begin(await open(), plant, lens('synonyms', { intensity: 1, draw: 1 }))
    const list = await say(world, 'check valid actions')
    expect(list).toContain(': power on OBJ, latch OBJ, ')
    expect(list).toContain(', head OBJ, belongings, survey the scene, inspect OBJ, ')
    expect(await say(world, 'help')).toContain('\n\ttip OBJ in OBJ\n')
    for (const action of (await world.solve!())!) {
      const answer = await say(world, action)
      if (!answer.startsWith('Ambiguous')) continue
      expect(answer).toMatch(
        /\n0:\ttransfer apple seed \(in seed jar, in inventory, in agent, in greenhouse\) to flower pot 3 /,
      )
      expect(answer).not.toContain('move ')
      expect(await say(world, seed)).toMatch(/^Unknown action\. {2}Type 'help'/)
      return
    }
    expect.unreachable()
  })

  it('take names within longer ones', async () => {
    const world = await begin(await open(), plant, lens('scienceworld-4'))
    const solution = (await world.solve!())!
    expect(solution).toContain('move apple-seed in seed-jar to flower-pot-3')
    let last = await world.step('pick up seed jar')
    expect(last).toMatchObject({ original: 'No known action matches that input.', command: undefined })
    for (const action of solution) last = await world.step(action)
    expect(last.ended).toBe('success')
  })

  it('leave the sub-goals alone', async () => {
    const environment = await open({ labels: writeLabels() })
    const world = await begin(environment, '0', lens('observation-paraphrase', { intensity: 1, draw: 1 }))
    const seen: string[] = []
    let last
    for (const action of (await world.solve!())!) {
      last = await world.step(action)
      seen.push(textOf(last.observation))
    }
    expect(seen).toContain('You walk into the outside.')
    expect(last).toMatchObject({ progress: 1, ended: 'success' })
  })
})

describe('actions that are not understood', () => {
  it.each([
    ['ponder air', 'unknown-verb'],
    ['open flux capacitor', 'unknown-item'],
    ['open the bee hive', 'wrong-state'],
    ['look at substance in metal pot', 'wrong-state'],
  ])('%s: %s', async (action, kind) => {
    const classify = createInvalidClassifier(await begin(await open(), living))!
    expect(classify(action, true)).toBe(kind)
  })
})

describe('engines', () => {
  it('that die end their episode alone', async () => {
    const environment = await open({}, { mode: 'die boo' })
    const [one, other] = [await begin(environment, living), await begin(environment, living)]
    await expect(one.step('boo')).rejects.toMatchObject({ code: 'environment' })
    await expect(one.step('inventory')).rejects.toThrow('ended with exit code 3')
    for (const world of [other, await begin(environment, living)])
      expect(await say(world, 'inventory')).toContain('an orange')
  })
})

describe("AgentBoard's prompt file", () => {
  it.skipIf(sharedData === undefined)('is shown to the byte, and its commands are reached', async () => {
    const path = join(sharedData!, 'agentboard_prompts/scienceworld_base.json')
    const file = JSON.parse(readFileSync(path, 'utf8')) as Record<'system_msg' | 'instruction' | 'examples', string>
    const environment = await open({ prompt: path })
    const { briefing } = await begin(environment, living)
    expect(briefing.system).toBe(file.system_msg)
    expect(textOf(briefing.instruction)).toBe(file.instruction)
    expect(`${textOf(briefing.examples[0]!.opening)}\n`).toBe(file.examples)
    expect(environment.notes).toEqual(
      ['use {OBJ} [on {OBJ}]', 'wait [DURATION]'].map(
        (text) =>
          `The instruction advertises '${text}', which is no action of this environment; it is left as it stands.`,
      ),
    )
    const reworded = (await begin(environment, living, lens('synonyms', { intensity: 1, draw: 1 }))).briefing
    expect(textOf(reworded.instruction)).toContain('`unlatch {OBJ}` / `latch {OBJ}`')
    expect(textOf(reworded.instruction)).toContain('`apply {OBJ} [on {OBJ}]`')
    expect(textOf(reworded.examples[0]!.opening)).toContain('\nACTION: inspect substance in metal pot\nOBSERVATION: ')
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
    ['another file', { jar: import.meta.filename }, {}, 'it is not a ZIP file'],
    ['no gateway', {}, { without: ['py4j/GatewayServer.class'] }, 'it has no file py4j/GatewayServer.class'],
    ['no Java', { java: '/nowhere/java' }, {}, "needs Java 8 or later, which is not at '/nowhere/java'"],
    ['two sources', { labels: 'x', split: 'dev' }, {}, 'scienceworld.labels brings its own'],
  ])('fails with a sentence: %s', async (_, options, jar, message) => {
    await expect(open(options, jar)).rejects.toThrow(message)
  })

  it('takes the JAR from the variable, and says the version of its engine', async () => {
    vi.stubEnv('SCIENCEWORLD_JAR', makeJar(scratch, { manifest: 'Specification-Version: 1.2.3\r\n' }))
    const environment = await openEnvironment('scienceworld', { java: fakeJava })
    vi.unstubAllEnvs()
    expect(environment.settings).toMatchObject({ engine: '1.2.3', tasks: 'own', prompt: 'own', progress: 'score' })
    expect(environment.measure).toContain("ScienceWorld's engine 1.2.3")
    expect(JSON.stringify(environment.settings)).not.toContain('/')
  })
})
