import type { Server } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Engine } from '../../../src/environments/scienceworld/engine.js'
import type { Value } from '../../../src/environments/scienceworld/py4j.js'
import { Gateway } from '../../../src/environments/scienceworld/py4j.js'
import { scratchFolder } from '../../scratch.js'
import { sharedData, sharedRows } from '../../shared-data.js'
import type { FakeJar, Recording } from './fake.js'
import { fakeJava, makeJar, readRecordings } from './fake.js'

const scratch = scratchFolder()
const realJar = process.env['SCIENCEWORLD_JAR']

const engines: Engine[] = []
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()))
})

async function start(jar: FakeJar = {}, deadlineMs = 20_000): Promise<Engine> {
  const engine = await Engine.start({ jar: makeJar(scratch, jar), java: fakeJava, deadlineMs })
  engines.push(engine)
  return engine
}

interface Exchange {
  readonly sent: string
  readonly received: string
}

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

describe("py4j's text protocol", () => {
  it.skipIf(sharedData === undefined)('is that of four recorded sessions, to the byte', async () => {
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
      const engine = await Engine.start({ jar, java: realJar === undefined ? fakeJava : 'java', deadlineMs: 60_000 })
      engines.push(engine)
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
