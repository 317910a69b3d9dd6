import { type Server, createServer } from 'node:net'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { Engine } from '../../../src/environments/scienceworld/engine.js'
import { type Value, Gateway } from '../../../src/environments/scienceworld/py4j.js'
import { closing } from '../../models/loopback.js'
import { scratchFolder } from '../../scratch.js'
import { sharedData, sharedRows } from '../../shared-data.js'
import { type FakeJar, type Recording, fakeJava, makeJar, readRecordings } from './fake.js'
import { closeWorlds } from '../../../src/core/close-worlds.js'
import type { AppliedPerturbation, OpenedEnvironment, World } from '../../../src/index.js'
import { createRandom, perturb, textOf } from '../../../src/index.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { createSubGoals } from '../../../src/environments/scienceworld/labels.js'
import { isElectrical, taskTypes, variationsOf } from '../../../src/environments/scienceworld/tasks.js'

const scratch = scratchFolder()
const realJar = process.env['SCIENCEWORLD_JAR']

const kept = closing<Engine>()
const start = (jar: FakeJar = {}, deadlineMs = 20_000): Promise<Engine> =>
  kept(Engine.start({ jar: makeJar(scratch, jar), java: fakeJava, deadlineMs }))

type Exchange = Readonly<{ sent: string; received: string }>

/** A server that answers recorded exchanges in their order, if they are sent to the byte. */
async function replay(exchanges: readonly Exchange[]): Promise<{ server: Server; port: number; wrong: string[] }> {
  const wrong: string[] = []
  let at = 0
  const server = createServer({ noDelay: true }, (socket) => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (!text.endsWith('\ne\n')) return
      const { sent, received } = exchanges[at++] ?? { sent: '(nothing)', received: '!x' }
      if (text !== sent) wrong.push(`expected ${JSON.stringify(sent)}, got ${JSON.stringify(text)}`)
      text = ''
      // In two writes, as answers arrive in any pieces.
      socket.write(received.slice(0, 7))
      setImmediate(() => socket.write(`${received.slice(7)}\n`))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as { port: number }).port, wrong }
}

/** Sends what an exchange sends. @returns the answer, or what was thrown */
async function send(gateway: Gateway, { sent }: Exchange): Promise<unknown> {
  const [kind = '', target = '', method = '', ...rest] = sent.split('\n').slice(0, -2)
  if (kind === 'i') return gateway.create(target)
  if (kind === 'm') return gateway.free({ ref: method })
  const values = rest.map((line): Value => {
    const [type, value] = [line[0], line.slice(1)]
    if (type === 'i') return Number(value)
    if (type === 'b') return value === 'True'
    return type === 'r' ? { ref: value } : value.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one))
  })
  const on = target.startsWith('z:') ? (target as `z:${string}`) : { ref: target }
  return gateway.call(on, method, ...values).catch((thrown: Error) => thrown.message)
}

it.skipIf(sharedData === undefined)("py4j's text protocol is that of four recorded sessions, to the byte", async () => {
  let count = 0
  for (const { exchanges } of sharedRows<{ exchanges: readonly Exchange[] }>('scienceworld/wire.jsonl.gz')) {
    const { server, port, wrong } = await replay(exchanges)
    const gateway = await Gateway.open(port, 5000)
    for (const exchange of exchanges) {
      const got = await send(gateway, exchange)
      const [type, rest] = [exchange.received.slice(1, 3), exchange.received.slice(3)]
      if (type === 'ys') expect(got).toBe(rest.replaceAll('\\n', '\n'))
      else if (type === 'yd' || type === 'yi') expect(got).toBe(Number(rest))
      else if (type === 'yb') expect(got).toBe(rest === 'true')
      else if (type === 'yl' || type === 'yr') expect(got).toEqual({ ref: rest })
      else if (type === 'xs') expect(got).toBe(rest.slice(0, rest.indexOf('\\n')))
      else expect(exchange.received).toBe('!yv')
    }
    gateway.close()
    server.close()
    expect(wrong).toEqual([])
    count += exchanges.length
  }
  expect(count).toBe(1352)
})

/** Plays a recording with its inputs. @returns where it differs */
async function compare(engine: Engine, { task, variation, simplification, steps, ...recording }: Recording) {
  await engine.load(task, variation, simplification)
  expect(await engine.description()).toBe(recording.taskDescription)
  const differences: string[] = []
  for (const { action, observation, score, completed } of steps) {
    const got = await engine.step(action)
    if (got.observation !== observation || got.score !== score || got.completed !== completed) {
      differences.push(`${task}: ${action}: ${JSON.stringify(got)}`)
    }
  }
  return differences
}

describe("ScienceWorld's engine", () => {
  it.skipIf(sharedData === undefined)('plays all recorded solutions, about 2,000 steps, to the byte', async () => {
    let steps = 0
    for (const name of ['gold-no-simplifications.jsonl', 'gold-agentboard-simplifications.jsonl']) {
      const path = join(sharedData!, 'scienceworld', name)
      const jar = realJar ?? makeJar(scratch, { recordings: path })
      const java = realJar === undefined ? fakeJava : 'java'
      const engine = await kept(Engine.start({ jar, java, deadlineMs: 60_000 }))
      for (const recording of readRecordings(path)) {
        expect(await compare(engine, recording)).toEqual([])
        steps += recording.steps.length
      }
    }
    expect(steps).toBe(2175)
  })

  it('goes on after an exception in Java', async () => {
    const engine = await start({ mode: 'throw boo' })
    await engine.load('find-living-thing', 225, '')
    await expect(engine.step('boo')).rejects.toThrow("ScienceWorld's engine could not do 'step': java.lang.Oops: 9")
    expect((await engine.step('inventory')).observation).toContain('In your inventory')
  })

  const failed = "ScienceWorld's engine failed: "
  it.each([
    ['die', 'ended with exit code 3. Its stderr ends: Exception: out of luck'],
    ['hang', 'it did not answer within 5 s (scienceworld.deadline).'],
    ['flood', 'it sent a line of more than 32 MB.'],
  ])('fails with a sentence if it does this on a step: %s', async (mode, fault) => {
    const engine = await start({ mode: `${mode} boo` }, mode === 'hang' ? 5000 : 20_000)
    await engine.load('find-living-thing', 225, '')
    await expect(engine.step('boo')).rejects.toMatchObject({ code: 'environment', message: failed + fault })
    await expect(engine.step('inventory')).rejects.toThrow(failed + fault)
  })
})

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

it("AgentBoard's protocol ends in success with the score 1, in failure below 0, and never takes progress back", async () => {
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

it("AgentBoard's protocol asks for a number, takes one, and cancels at anything else", async () => {
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

const label = {
  ...{ task: 'scienceworld', id: 0, goal: 'Bring something that lives to the orange box.', difficulty: 'easy' },
  subgoals: ['You move to the outside.', 'You focus on the (frog|toad) egg', 'You move the .* to the orange box\\.'],
  additional_info: { var: 225, env_name: 'find-living-thing' },
}

const labels = join(scratch, 'test.jsonl')
writeFileSync(labels, JSON.stringify(label))

it("AgentBoard's tasks have goals, difficulties and sub-goals of the label file, which alone decide", async () => {
  const environment = await open({ labels })
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

it("AgentBoard's tasks count an action as understood that is listed after the step, to the byte", async () => {
  const environment = await open({ labels })
  const world = await begin(environment, '0')
  const [first] = (await world.solve!())!
  const understood = async (action: string) => (await world.step(action)).understood
  expect(await understood('look around')).toBe(true)
  expect(await understood('Look around')).toBe(false)
  expect(await understood(first!)).toBe(false)
  expect(await understood('check valid actions')).toBe(true)
})

it.each(['(a+)+$', `^${'(a|aa)'.repeat(60)}$`])("AgentBoard's tasks have patterns that cannot hang: %s", (pattern) => {
  expect(() => createSubGoals([pattern]).record(`${'a'.repeat(90)}b`)).toThrow(
    `The sub-goal '${pattern.slice(0, 100)}' takes longer than 2 s on an observation.`,
  )
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

it.each<[string, object, FakeJar, string]>([
  ['no such file', { jar: '/nowhere/x.jar' }, {}, "/nowhere/x.jar is not ScienceWorld's engine: there is no such file"],
  ['no Java', { java: '/nowhere/java' }, {}, "needs Java 8 or later, and '/nowhere/java' cannot be started"],
])('planning fails with a sentence: %s', async (_, options, jar, message) => {
  await expect(open(options, jar)).rejects.toThrow(message)
})
