import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRun } from '../../../src/run/store/read-run.js'
import { reportOf, rowsOf, shaketable } from '../../cli/_command.js'
import { type Request, closeServer, serveChat } from '../../cli/_served.js'
import { scratchFolder } from '../../scratch.js'
import { type TestRedis, Workers, hasRedis, startRedis } from './_queue.js'

const scratch = scratchFolder()

const args = (address: string, out: string, ...more: string[]): string[] => [
  ...['run', '--base-url', address, '--model', 'tuned', '--env', 'household', '--tasks', '4', '--perturb', 'placebo'],
  ...['--seeds', '1', '--temperatures', '0.5', '--steps', '6', '--out', out, ...more],
]

/** An answer that depends on the conversation alone. */
const answer = ({ messages = [] }: Partial<Request>) => ({
  content: messages.length % 4 === 0 ? 'Action: inventory' : 'Action: look',
})

describe.skipIf(!hasRedis)('models behind servers, through a queue', () => {
  let redis: TestRedis
  let workers: Workers
  beforeAll(async () => {
    redis = await startRedis(join(scratch, 'redis'))
    workers = new Workers(['--queue', redis.url, '--concurrency', '3'], scratch, { OPENAI_API_KEY: 'sk-worker' })
    workers.add()
    workers.add()
  })
  afterAll(async () => {
    await workers.stop()
    await redis.close()
  })

  it('are called by workers with their own keys and what the coordinator found, and have the same reports', async () => {
    const asked: (Request & { readonly max_tokens?: number; readonly max_completion_tokens?: number })[] = []
    const address = await serveChat((request) => {
      asked.push(request)
      return 'max_tokens' in request
        ? { status: 400, content: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." }
        : answer(request)
    })
    const here = await shaketable(args(address, 'here'), scratch, { OPENAI_API_KEY: 'sk-coordinator' })
    expect(here.code, here.stderr).toBe(0)
    asked.length = 0

    const monitor = spawn('redis-cli', ['-p', new URL(redis.url).port, 'monitor'])
    let sent = ''
    monitor.stdout.on('data', (chunk: Buffer) => (sent += chunk.toString('latin1')))
    const queue = ['--queue', redis.url]
    const queued = await shaketable(args(address, 'queued', ...queue), scratch, { OPENAI_API_KEY: 'sk-coordinator' })
    monitor.kill()
    expect(queued.code, queued.stderr).toBe(0)
    expect(sent).toContain('shaketable:run')
    expect(sent).not.toMatch(/sk-(coordinator|worker)/)

    const ofWorkers = asked.filter(({ authorization }) => authorization === 'Bearer sk-worker')
    const rows = rowsOf(join(scratch, 'queued'))
    const calls = rows.reduce((sum, { measures }) => sum + measures.modelCalls, 0)
    const probed = Number(/after (\d+) calls/.exec(queued.stderr)![1])
    expect([rows.length, ofWorkers.length]).toEqual([8, calls])
    expect(ofWorkers.every((one) => one.max_completion_tokens !== undefined)).toBe(true)
    expect(rows.every(({ date }) => /^20\d\d-\d\d-\d\d$/.test(date ?? ''))).toBe(true)
    const trajectories = readRun(join(scratch, 'queued')).trajectories(rows.map(({ key }) => key))
    const attempts = [...trajectories.values()].map(({ steps }) => steps.flatMap((step) => step.attempts ?? []).length)
    expect(attempts).toEqual(rows.map(({ measures }) => measures.modelCalls))
    expect(queued.stderr).toMatch(
      new RegExp(`This session took ${String(probed + calls)} calls in ${String(probed + calls)} attempts`),
    )
    expect(reportOf(join(scratch, 'queued'))).toEqual(reportOf(join(scratch, 'here')))
  })

  it('are sent no more calls than --max calls permits all workers together', async () => {
    let requests = 0
    const address = await serveChat(async (request, count) => {
      requests = count
      await new Promise((resolve) => setTimeout(resolve, 20))
      return answer(request)
    })
    const flags = ['--no-probe', '--tasks', '20', '--max', 'calls=60', '--json', '--queue', redis.url]
    const { code, stdout, stderr } = await shaketable(args(address, 'ceiling', ...flags), scratch)
    expect([code, requests], stderr).toEqual([4, 60])
    expect(stderr).toContain('The budget of this session is used up (--max calls=60)')
    const { spent } = JSON.parse(stdout) as { readonly spent: { readonly attempts: number } }
    expect(spent.attempts).toBe(60)
    expect(rowsOf(join(scratch, 'ceiling')).length).toBeGreaterThan(0)
  })

  it('that never answer again end the run as without a queue, and what was played is kept', async () => {
    const address = await serveChat((request, count) => {
      // Six episodes of at most six calls run at a time, so that four are complete by then.
      if (count === 60) setTimeout(closeServer, 10)
      return answer(request)
    })
    const flags = ['--no-probe', '--tasks', '20', '--set', 'attempts=1', '--queue', redis.url]
    const { code, stderr, stdout } = await shaketable(args(address, 'gone', ...flags), scratch)
    expect(code, stderr).toBe(4)
    expect(stderr).toMatch(
      /\n\d+ calls in a row have failed, so the run was stopped\. The last: .*127\.0\.0\.1.* episodes are kept in gone, and its reports are marked as partial/,
    )
    expect(stdout).toContain('PARTIAL')
    expect(rowsOf(join(scratch, 'gone')).length).toBeGreaterThan(0)
    expect(workers.said.join('')).toMatch(/is not played here: \d+ calls in a row have failed/)
  })
})
