import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readQueueAddress } from '../../src/queue/connect.js'
import { createUnpacker, packEpisodes, readCells } from '../../src/queue/messages.js'
import { createGrid } from '../../src/run/grid.js'
import { createLocalPlayer } from '../../src/run/play-cell.js'
import { partingOf, rowsOf, shaketable, start } from '../cli/_command.js'
import { doorParts } from '../run/_fakes.js'
import { scratchFolder } from '../scratch.js'
import type { TestRedis } from './_queue.js'
import { Workers, hasRedis, startRedis, tryQueue, until, writeRooms } from './_queue.js'

const scratch = scratchFolder()
const grid = createGrid(doorParts(2), '0')

describe('an address of a queue', () => {
  it.each([
    ['redis://localhost:6379', 'redis://localhost:6379'],
    ['rediss://:p%40ss@queue.lab/2', 'rediss://:p%40ss@queue.lab/2'],
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
  const unpack = createUnpacker(grid)
  const pack = (value: unknown): string => deflateRawSync(JSON.stringify(value)).toString('base64')
  const played = createLocalPlayer(grid, 1).play([3, 4])

  it('comes back as it was sent', async () => {
    const episodes = await unpack(await packEpisodes(await played))
    expect([...episodes]).toEqual((await played).map((episode, place) => [place + 3, episode]))
  })

  it.each<[string, (lines: { rowLine: string; trajectoryLine: string; prompts: unknown[] }) => unknown, RegExp]>([
    ['no text', () => null, /got null/],
    ['something else', () => 'bm90IHBhY2tlZA==', /cannot be unpacked/],
    ['another list', () => pack([1]), /other data/],
    [
      'a row of another run',
      (one) => pack([{ ...one, rowLine: one.rowLine.replace('door-0', 'door-9') }]),
      /another run/,
    ],
    [
      'a row with a line end',
      (one) => pack([{ ...one, rowLine: one.rowLine.replace('{', '{\n') }]),
      /row that is not one/,
    ],
    [
      'a wrong value',
      (one) => pack([{ ...one, rowLine: one.rowLine.replace(/"progress":[\d.]+/, '"progress":7') }]),
      /row that is not/,
    ],
    [
      'another key',
      (one) => pack([{ ...one, rowLine: one.rowLine.replace(/"key":"./, '"key":"_') }]),
      /row that is not/,
    ],
    ['another trajectory', (one) => pack([{ ...one, trajectoryLine: '{"key":"a"}' }]), /trajectory of another/],
    [
      'two trajectories',
      (one) => pack([{ ...one, trajectoryLine: `${one.trajectoryLine}\n{}` }]),
      /trajectory of another/,
    ],
    ['other calls', (one) => pack([{ ...one, attemptsLine: '{"key":"a"}' }]), /calls of another/],
    [
      'a forged prompt',
      (one) => pack([{ ...one, prompts: [{ hash: 'a', line: '{"hash":"a","role":"user","content":""}' }] }]),
      /its hash/,
    ],
  ])('is refused if it is %s', async (_, change, reason) => {
    const { rowLine, trajectoryLine, prompts } = (await played)[0]!
    await expect(unpack(change({ rowLine, trajectoryLine, prompts: [...prompts] }))).rejects.toThrow(reason)
  })

  it.each([
    [{}],
    [{ cells: [] }],
    [{ cells: [1, 1] }],
    [{ cells: [-1] }],
    [{ cells: [16] }],
    [{ cells: ['1'] }],
    [null],
  ])('belongs to a job with cells of the grid, not %j', (data) => expect(readCells(data, 16)).toBeUndefined())
})

describe.skipIf(!hasRedis)('a run through a queue', () => {
  let redis: TestRedis
  let locked: TestRedis
  beforeAll(async () => {
    redis = await startRedis(join(scratch, 'redis'))
    locked = await startRedis(join(scratch, 'locked'), 'pa/ss')
  })
  afterAll(() => Promise.all([redis.close(), locked.close()]))

  it(
    'has every episode once, and the reports of one machine, though processes are killed',
    { timeout: 240_000 },
    async () => {
      const kills = { workerKills: 3, coordinatorKills: 1 }
      const sizes = { tasks: 60, seeds: 1, workers: 2, waitMs: 30, pauseMs: 1500 }
      const tried = await tryQueue({ folder: join(scratch, 'trial'), ...kills, ...sizes })
      const wanted = { episodes: 480, rows: 480, different: 480, errors: 0, parting: undefined, restarts: 1 }
      expect(tried).toMatchObject({ ...wanted, killedWorkers: 3, killedCoordinators: 1 })
      expect(tried.said).toMatch(
        /The connection to redis:.* is lost; waiting for it\.\n(.*\n)*The connection to .* is back\./,
      )
    },
  )

  it.each(['thread', 'process'])(
    'ends an episode that ends its %s as an error, and keeps all others',
    { timeout: 120_000 },
    async (how) => {
      const folder = join(scratch, how)
      const args = writeRooms(folder, 5, 1)
      const workers = new Workers(['--queue', redis.url, '--concurrency', '1', '--lock-seconds', '1'], folder, {
        POISON: how,
      })
      workers.add()
      workers.add()
      const { code, stderr } = await shaketable([...args, '--out', 'run', '--queue', redis.url], folder)
      await workers.stop()
      const rows = rowsOf(join(folder, 'run'))
      const errors = rows.filter(({ outcome }) => outcome === 'environment-error')
      expect([code, rows.length, errors.length]).toEqual([1, 40, 8])
      expect(new Set(errors.map(({ task }) => task))).toEqual(new Set(['key-3']))
      expect(stderr).toMatch(
        /No worker could play this episode in 3 tries: (a worker thread ended before its work was done|its workers ended)\./,
      )
    },
  )

  it('is drained, shown, continued and cleaned', { timeout: 120_000 }, async () => {
    const folder = join(scratch, 'drain')
    const args = [...writeRooms(folder, 40, 1), '--name', 'long', '--out', 'run', '--queue', redis.url]
    const ask = (...words: string[]) => shaketable(['queue', ...words, '--queue', redis.url], folder)
    const workers = new Workers(['--queue', redis.url, '--concurrency', '1', '--run', 'long'], folder, {
      WAIT_MS: '20',
    })
    workers.add()
    const first = start(args, folder)
    await until(() => {
      try {
        return rowsOf(join(folder, 'run')).length > 0
      } catch {
        return false
      }
    })
    const { stdout } = await ask('status', '--json')
    const { runs } = JSON.parse(stdout) as { readonly runs: readonly object[] }
    expect(runs).toMatchObject([{ name: 'long', folder: 'run', episodes: 320, drained: false, workers: 1, slots: 1 }])
    expect((await ask('clean', '--yes')).stderr).toMatch(/^long is being played by process \d+ on /)
    expect((await ask('drain', '--run', 'other')).stderr).toMatch(/^Unknown run on this queue 'other'\..*Known: long/)
    expect((await ask('drain')).stdout).toMatch(/^Drained long: /)
    const { code, stderr } = await first.ended
    expect([code, stderr]).toEqual([4, expect.stringMatching(/The queue was drained.* \d+ of 320 episodes are kept/)])
    const kept = rowsOf(join(folder, 'run')).length
    expect(kept).toBeLessThan(320)
    expect((await ask('status')).stdout).toMatch(/^No runs on redis:/)

    const second = start(args, folder)
    await until(() => rowsOf(join(folder, 'run')).length > kept)
    second.child.kill('SIGINT')
    expect((await second.ended).code).toBe(130)

    const more = rowsOf(join(folder, 'run')).length
    const third = start(args, folder)
    await until(() => rowsOf(join(folder, 'run')).length > more)
    third.child.kill('SIGKILL')
    await third.ended
    expect((await ask('clean')).stderr).toMatch(/^long is being played by/)
    expect((await shaketable(args, folder)).code).toBe(0)
    expect(await workers.stop()).toEqual([0])
    await shaketable([...args.slice(0, -4), '--out', 'here'], folder)
    expect(partingOf(join(folder, 'here'), join(folder, 'run'))).toBeUndefined()
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
    const running = start([...args, '--name', 'own', '--out', 'run', '--queue', redis.url], folder)
    const { code, stderr } = await shaketable(['worker', '--queue', redis.url, '--run', 'own'], other)
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /The files of this machine make another experiment[^]*environments\.rooms\.version: was 1\+\w+, is 2\+/,
      ),
    ])
    const workers = new Workers(['--queue', redis.url], other)
    workers.add()
    let said = ''
    running.child.stderr!.on('data', (text: string) => (said += text))
    await until(() => /does not play this run: The files of this machine/.test(said))
    running.child.kill('SIGINT')
    await running.ended
    await workers.stop()
  })

  it('is refused with a reason and without the password', async () => {
    const folder = join(scratch, 'refused')
    const args = writeRooms(folder, 1, 1)
    const played = async (url: string, ...flags: string[]): Promise<readonly [number | null, string]> => {
      const { code, stderr } = await shaketable([...args, '--queue', url, ...flags], folder, { SECRET: 'pa/ss' })
      return [code, stderr.split('\n').findLast((line) => line !== '')!]
    }
    const host = locked.url.slice(8)
    expect(await played('redis://localhost:1')).toEqual([
      4,
      expect.stringMatching(/^Cannot reach the queue at redis:\/\/localhost:1: .*ECONNREFUSED/),
    ])
    expect(await played(locked.url)).toEqual([4, expect.stringContaining('it wants a password')])
    expect(await played(`redis://:wr0ng@${host}`)).toEqual([
      4,
      expect.stringMatching(/^(?!.*wr0ng).*refuses this login/),
    ])
    expect(await played(redis.url, '--replay', 'x')).toEqual([2, expect.stringContaining('--replay has no effect')])
    expect(await played(redis.url, '--workers', '2')).toEqual([2, expect.stringContaining('--workers has no effect')])
    const { stdout, stderr } = await shaketable(['queue', 'status', '--queue', `redis://:\${SECRET}@${host}`], folder, {
      SECRET: 'pa/ss',
    })
    expect([stdout, stderr]).toEqual([`No runs on ${locked.url}.\n`, ''])
  })
})
