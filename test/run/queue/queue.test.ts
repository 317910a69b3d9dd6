import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectQueue, readQueueAddress } from '../../../src/run/queue/connect.js'
import { packEpisode, unpackEpisode } from '../../../src/run/store/record.js'
import { createGrid } from '../../../src/run/grid.js'
import { createLocalPlayer } from '../../../src/run/play-cell.js'
import { partingOf, rowsOf, shaketable, start } from '../../cli/_command.js'
import { doorParts } from '../_fakes.js'
import { scratchFolder } from '../../scratch.js'
import type { TestRedis } from './_queue.js'
import { Workers, countRows, hasRedis, hold, startRedis, tryQueue, until, writeRooms } from './_queue.js'

const scratch = scratchFolder()
const grid = createGrid(doorParts(2), '0')

describe('an address of a queue', () => {
  it.each([
    ['redis://localhost:6379', 'redis://localhost:6379'],
    ['redis://:${QUEUE_PASSWORD}@localhost', 'redis://:a%2Fb%40c@localhost'],
    ['$QUEUE_ADDRESS', 'redis://:x@host:1'],
  ])('is read with its variables: %s', (given, url) => {
    process.env['QUEUE_PASSWORD'] = 'a/b@c'
    process.env['QUEUE_ADDRESS'] = 'redis://:x@host:1'
    expect(readQueueAddress(given).href).toBe(url)
  })

  it.each([
    'http://localhost',
    'redis://',
    'localhost:6379',
    'redis://:secret@host:port',
    'redis://:se/cret@host',
    '${NO_SUCH}',
  ])('is refused without its password: %s', (given) => {
    expect(() => readQueueAddress(given)).toThrow(/^--queue: expected a/)
    expect(() => readQueueAddress(given)).not.toThrow(/secret|se\/cret/)
  })
})

describe('the result of a job', () => {
  const played = createLocalPlayer(grid, 1).play([3])

  it('comes back as it was sent', async () => {
    const { row, ...sent } = (await played)[0]!
    expect(await unpackEpisode(await packEpisode(sent), row.key)).toEqual({ row, ...sent })
    const spread = { ...sent, rowLine: JSON.stringify(JSON.parse(sent.rowLine), null, 2) }
    expect((await unpackEpisode(await packEpisode(spread), row.key)).rowLine).toBe(sent.rowLine)
  })

  it.each([
    ['another key', /[0-9a-f]{20}/, '0'.repeat(20)],
    ['a wrong value', /"progress":[\d.]+/, '"progress":7'],
  ])('is refused if it has %s', async (_, part, other) => {
    const { row, rowLine, ...sent } = (await played)[0]!
    const text = await packEpisode({ ...sent, rowLine: rowLine.replace(part, other) })
    await expect(unpackEpisode(text, row.key)).rejects.toThrow('another episode')
  })
})

describe.skipIf(!hasRedis)('a run through a queue', () => {
  let redis: TestRedis
  let locked: TestRedis
  beforeAll(async () => {
    redis = await startRedis(join(scratch, 'redis'))
    locked = await startRedis(join(scratch, 'locked'), 'pa/ss')
  })
  afterAll(() => Promise.all([redis.close(), locked.close()]))

  it('has every episode once, and the reports of one machine, though processes are killed', async () => {
    const tried = await tryQueue(join(scratch, 'trial'))
    const counts = { rows: 320, different: 320, errors: 0 }
    expect(tried).toMatchObject({ ...counts, parting: undefined, restarts: 1, killedWorkers: 3 })
    expect(tried.said).toMatch(
      /The connection to redis:.* is lost; waiting for it\.\n(.*\n)*The connection to .* is back/,
    )
  }, 240_000)

  it('ends an episode that ends its thread or its process as an error, and keeps all others', async () => {
    const folder = join(scratch, 'poison')
    const args = writeRooms(folder, 5, 1, 'oracle', 'none')
    const workers = new Workers(['--queue', redis.url, '--lock-seconds', '1'], folder, { POISON: '1' })
    workers.add()
    workers.add()
    const { code, stderr } = await shaketable([...args, '--out', 'run', '--queue', redis.url], folder)
    await workers.stop()
    const rows = rowsOf(join(folder, 'run'))
    const errors = rows.filter(({ outcome }) => outcome === 'environment-error')
    expect([code, rows.length, errors.map(({ task }) => task).sort()]).toEqual([1, 5, ['key-2', 'key-3']])
    expect(stderr).toContain('in 3 tries: a worker thread ended before its work was done.')
    expect(stderr).toContain('in 3 tries: its workers ended.')
  }, 120_000)

  it('is drained, shown, continued and cleaned', { timeout: 120_000 }, async () => {
    const folder = join(scratch, 'drain')
    const [out, queue] = [join(folder, 'run'), ['--out', 'run', '--queue', redis.url]]
    const grid = [...writeRooms(folder, 28, 1, 'oracle'), '--set', 'name=long']
    const ask = (...words: string[]) => shaketable(['queue', ...words, '--queue', redis.url], folder)
    const workers = new Workers(['--queue', redis.url, '--concurrency', '1', '--run', 'long'], folder, { HELD: '1' })
    workers.add()
    /** Plays until the episodes of this task are active. */
    const playTo = async (task: number) => {
      hold(folder, task)
      const running = start([...grid, ...queue], folder)
      await until(() => countRows(out) === 4 * task)
      return running
    }
    const first = await playTo(4)
    const [, id] = /^long +([0-9a-f]{16}) +112 +\d+ +1 +\d+ +1 +\d+ on \S+ +run$/m.exec((await ask('status')).stdout)!
    expect((await ask('clean')).stderr).toMatch(/^long is being played by process \d+ on /)
    expect((await ask('drain', '--run', 'other')).stderr).toMatch(/^Unknown run on this queue 'other'\..*Known: long/)
    expect((await ask('drain')).stdout).toMatch(/^Drained long: /)
    hold(folder, 8)
    const { code, stderr } = await first.ended
    expect([code, stderr]).toEqual([4, expect.stringMatching(/The queue was drained.* 17 of 112 episodes are kept/)])
    expect((await ask('status')).stdout).toMatch(/^No runs on redis:/)

    const second = await playTo(12)
    second.child.kill('SIGINT')
    await until(() => redis.ask('hget', `shaketable:queue:${id!}:meta`, 'paused').trim() !== '')
    hold(folder, 16)
    expect((await second.ended).code).toBe(130)
    expect(countRows(out)).toBe(49)

    const third = await playTo(20)
    third.child.kill('SIGKILL')
    await third.ended
    expect((await ask('clean')).stderr).toMatch(/^long is being played by/)
    hold(folder, 1000)
    expect((await shaketable([...grid, ...queue], folder)).code).toBe(0)
    expect(await workers.stop()).toEqual([0])
    expect(redis.ask('--scan', '--pattern', 'shaketable:queue:*:b*').trim()).toBe('')
    await shaketable([...grid, '--out', 'here'], folder)
    expect(partingOf(join(folder, 'here'), out)).toBeUndefined()
  })

  it('is not played by a worker with other files, which says what differs', { timeout: 60_000 }, async () => {
    const [folder, other] = [join(scratch, 'here'), join(scratch, 'there')]
    const args = writeRooms(folder, 5, 1)
    mkdirSync(other)
    copyFileSync(join(folder, 'rooms.mjs'), join(other, 'rooms.mjs'))
    writeFileSync(
      join(other, 'rooms.mjs'),
      readFileSync(join(other, 'rooms.mjs'), 'utf8').replace("version: '1'", "version: '2'"),
    )
    const running = start([...args, '--set', 'name=own', '--out', 'run', '--queue', redis.url], folder)
    const { code, stderr } = await shaketable(['worker', '--queue', redis.url, '--run', 'own'], other)
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /This machine makes another experiment than the run's[^]*environments\.rooms\.version: was 1\+\w+, is 2\+/,
      ),
    ])
    const workers = new Workers(['--queue', redis.url], other)
    workers.add()
    let said = ''
    running.child.stderr!.on('data', (text: string) => (said += text))
    await until(() => /does not play this run: This machine/.test(said))
    running.child.kill('SIGINT')
    await running.ended
    await workers.stop()
  })

  it('is refused with a reason and without the password', async () => {
    const folder = join(scratch, 'refused')
    const args = writeRooms(folder, 1, 1)
    const refusalOf = async (url: string): Promise<string> =>
      connectQueue(url, () => undefined).then(
        () => 'none',
        (thrown: unknown) => (thrown as Error).message,
      )
    const host = locked.url.slice(8)
    expect(await refusalOf(locked.url)).toContain('it wants a password')
    expect(await refusalOf(`redis://:wr0ng@${host}`)).toMatch(/^(?!.*wr0ng).*refuses this login/)
    const played = async (url: string, ...flags: string[]): Promise<readonly [number | null, string]> => {
      const { code, stderr } = await shaketable([...args, '--queue', url, ...flags], folder)
      return [code, stderr.split('\n').findLast((line) => line !== '')!]
    }
    expect(await played('redis://localhost:1')).toEqual([
      4,
      expect.stringMatching(/^Cannot reach the queue at redis:\/\/localhost:1: .*ECONNREFUSED/),
    ])
    const { stdout, stderr } = await shaketable(['queue', 'status', '--queue', `redis://:\${SECRET}@${host}`], folder, {
      SECRET: 'pa/ss',
    })
    expect([stdout, stderr]).toEqual([`No runs on ${locked.url}.\n`, ''])
  })
})
