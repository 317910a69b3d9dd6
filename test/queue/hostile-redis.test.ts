import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectQueue, keys } from '../../src/queue/connect.js'
import { readQueuedRun } from '../../src/queue/messages.js'
import { rowsOf, shaketable, start } from '../cli/_command.js'
import { scratchFolder } from '../scratch.js'
import type { TestRedis } from './_queue.js'
import { hasRedis, startRedis, until, writeRooms } from './_queue.js'

const scratch = scratchFolder()
const listed = JSON.stringify({ name: 'foreign', folder: 'x', place: 'x', episodes: 1 })
const foreign = 'dddddddddddddddd'

function runOf(seeds: number): string {
  const named = [{ name: 'a' }]
  const shared = { temperatures: [0], seeds: Array.from({ length: seeds }, (_, seed) => seed), models: named }
  const environment = { name: 'a', tasks: Array.from({ length: 20 }, (_, task) => ({ id: String(task) })) }
  const of = { name: 'a', environments: named, perturbations: [], agents: ['act'], concurrency: 1, plugins: [] }
  const plan = { schema: 1, version: '1', environments: [environment], agents: named, ...shared }
  const columns = [{ label: 'none', perturbations: [] }]
  return JSON.stringify({ live: false, experiment: { ...of, ...shared }, plan: { ...plan, columns }, servers: [] })
}

it('reads a foreign run of too many episodes as one that is refused', () => {
  expect(readQueuedRun(runOf(1000)).plan.seeds).toHaveLength(1000)
  expect(() => readQueuedRun(runOf(1_000_000))).toThrow('at most 1,000,000 episodes, got 20,000,000')
})

describe.skipIf(!hasRedis)('a Redis server', { timeout: 180_000 }, () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis(join(scratch, 'redis'))
  })
  afterAll(() => redis.close())
  beforeEach(() => void redis.ask('flushall'))
  const play = (out: string, ...flags: string[]) => {
    const args = writeRooms(scratch, 24, 1, 'oracle', 'placebo')
    return start([...args, '--out', out, '--queue', redis.url, ...flags], scratch)
  }
  const work = (variables = {}) => start(['worker', '--queue', redis.url, '--lock-seconds', '1'], scratch, variables)
  const jobs = (): string[] => redis.ask('--scan', '--pattern', 'shaketable:queue:*:b*').split('\n').filter(Boolean)

  it('whose jobs and keys were changed from outside is played to the end, and says so', async () => {
    redis.ask('hset', keys.runs, foreign, listed)
    redis.ask('lpush', keys.run(foreign), 'x')
    const running = play('changed')
    await until(() => jobs().length >= 2)
    const [first, second] = jobs()
    redis.ask('hset', first!, 'data', '{bad json')
    redis.ask('del', second!)
    redis.ask('lpush', second!, 'x')
    const worker = work()
    const { code, stderr } = await running.ended
    worker.child.kill('SIGTERM')
    const said = await worker.ended
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('is damaged: its data were changed') as string,
    })
    expect(rowsOf(join(scratch, 'changed')).map(({ outcome }) => outcome)).toEqual(Array(48).fill('success'))
    expect(said).toMatchObject({ code: 0 })
    expect(said.stderr).toContain(
      `foreign (${foreign}) is not played here: Redis at ${redis.url} refuses a command: the key ${keys.run(foreign)} is not of shaketable's type.`,
    )
    const { stderr: cleaned } = await shaketable(['queue', 'clean', '--yes', '--queue', redis.url], scratch)
    expect([cleaned, redis.ask('--scan').trim()]).toEqual(['', ''])
  })

  it('that is full is waited for, or refused with a reason', async () => {
    const [worker, running] = [work({ WAIT_MS: '300' }), play('full')]
    await until(() => jobs().length >= 1)
    redis.ask('config', 'set', 'maxmemory-policy', 'noeviction')
    redis.ask('config', 'set', 'maxmemory', '1')
    await setTimeout(4000)
    const refused = await play('refused').ended
    expect([running.child.exitCode, worker.child.exitCode]).toEqual([null, null])
    expect(refused).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(`Redis at ${redis.url} is full`) as string,
    })
    redis.ask('config', 'set', 'maxmemory', '0')
    expect(await running.ended).toMatchObject({ code: 0 })
    worker.child.kill('SIGTERM')
    const { code, stderr } = await worker.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('is full') as string })
    expect(rowsOf(join(scratch, 'full')).map(({ outcome }) => outcome)).toEqual(Array(48).fill('success'))
  })

  it('keeps no settings of a queue that is asked about, and those that a restart left are cleaned', async () => {
    const connection = await connectQueue(redis.url, () => undefined)
    await connection.queue(foreign).waitUntilReady()
    await connection.queue(foreign).getJobCounts()
    expect(redis.ask('--scan').trim()).toBe('')
    redis.ask('hset', keys.meta(foreign), 'opts.maxLenEvents', '200')
    const { stdout } = await shaketable(['queue', 'clean', '--yes', '--queue', redis.url], scratch)
    expect([stdout, redis.ask('--scan').trim()]).toEqual([
      `Removed what the run ${foreign} left from ${redis.url}.\n`,
      '',
    ])
    connection.close()
  })
})
