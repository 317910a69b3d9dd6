import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { KnownServer } from '../../src/run/servers.js'
import type { FakeServer } from '../models/probe/fake-server.js'
import { startFakeServer } from '../models/probe/fake-server.js'
import type { LlamaServer } from '../models/llama-server.js'
import { startLlama } from '../models/llama-server.js'
import { scratchFolder } from '../scratch.js'
import { linesOf, shaketable, start, untilLines } from './_command.js'

const scratch = scratchFolder()
const servers: (LlamaServer | FakeServer)[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function llama(milliseconds = 0): Promise<LlamaServer> {
  const server = await startLlama({ model: 'tuned', milliseconds })
  servers.push(server)
  return server
}

const grid = '--env household --tasks 4 --perturb placebo --seeds 1 --temperatures 0 --steps 3 --agent act'.split(' ')
const flags = (baseUrl: string, out: string, ...more: string[]) =>
  ['run', '--model', 'tuned', '--base-url', baseUrl, '--out', out, ...grid, ...more] as const
const keptIn = (out: string): KnownServer =>
  (JSON.parse(readFileSync(join(scratch, out, 'servers.json'), 'utf8')) as { servers: KnownServer[] }).servers[0]!

/** Plays a run and removes all of it but one episode. */
async function begin(baseUrl: string, out: string): Promise<void> {
  const { code, stderr } = await shaketable(flags(baseUrl, out), scratch)
  expect(code, stderr).toBe(0)
  for (const name of ['outcomes.jsonl', 'trajectories.jsonl']) {
    const path = join(scratch, out, name)
    writeFileSync(path, `${linesOf(path)[0]!}\n`)
  }
}

describe('a resumed run', () => {
  it('stops before it starts when the server has other weights', async () => {
    const server = await llama()
    await begin(server.baseUrl, 'weights')
    server.swap({ parameters: 585_600 })
    const asked = server.received.length
    const { code, stderr } = await shaketable(flags(server.baseUrl, 'weights'), scratch)
    expect(code).toBe(2)
    expect(stderr).toMatch(/serves another model under the name 'tuned' .*--accept-changed-model/)
    expect(server.received.slice(asked).filter(({ path }) => path.endsWith('/chat/completions'))).toEqual([])
    expect(server.received.length - asked).toBeLessThan(10)
    expect(linesOf(join(scratch, 'weights', 'outcomes.jsonl'))).toHaveLength(1)
  })

  it('continues if the user allows it, and reports that in the run and first of all in its reports', async () => {
    const server = await llama()
    await begin(server.baseUrl, 'accepted')
    server.swap({ parameters: 585_600, fingerprint: 'b2-123' })
    const { code, stderr, stdout } = await shaketable(
      flags(server.baseUrl, 'accepted', '--accept-changed-model'),
      scratch,
    )
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/meta\.n_params was 292,800, is 585,600/)
    expect(stdout).toContain('the server changed to another model under the same name')
    const { changes, served } = keptIn('accepted')
    expect(changes).toMatchObject([{ accepted: true }])
    expect(changes![0]!.differences).toContainEqual({ name: 'meta.n_params', was: 292_800, is: 585_600 })
    expect(served).toMatchObject({ 'meta.n_params': 585_600, system_fingerprint: 'b2-123' })
    const notices = linesOf(join(scratch, 'accepted', 'report/tables/main.csv')).filter((line) =>
      line.startsWith('# NOTICE: '),
    )
    expect(notices[0]).toMatch(/meta\.n_params 292,800, then 585,600/)
    const again = await shaketable(flags(server.baseUrl, 'accepted'), scratch)
    expect(again.code, again.stderr).toBe(0)
  })
})

describe('a run of a model that the server does not list', () => {
  it('reports that at its start and in its reports', async () => {
    const server = await startFakeServer({ models: [{ id: 'other-7b' }] })
    servers.push(server)
    const { code, stderr } = await shaketable(flags(server.baseUrl, 'unlisted'), scratch)
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/^NOTICE tuned at \S+: model listed no: .*'other-7b'/m)
    const csv = readFileSync(join(scratch, 'unlisted', 'report/tables/main.csv'), 'utf8')
    expect(csv).toMatch(/^# NOTICE: .*does not list a model of this name but answered .*'other-7b'/m)
  })
})

describe('a run under way', () => {
  it("stops when the server's fingerprint changes, and keeps what was played", async () => {
    const server = await llama(10)
    const running = start(flags(server.baseUrl, 'swapped', '--concurrency', '1'), scratch)
    await untilLines(join(scratch, 'swapped', 'outcomes.jsonl'), 2)
    server.swap({ fingerprint: 'b2-123' })
    const { code, stderr } = await running.ended
    expect(code).toBe(4)
    expect(stderr).toMatch(/system_fingerprint was b1-de3ff81, is b2-123/)
    const rows = linesOf(join(scratch, 'swapped', 'outcomes.jsonl'))
    expect(rows.filter((row) => !row.includes('-error')).length).toBeGreaterThanOrEqual(2)
    const again = await shaketable(flags(server.baseUrl, 'swapped'), scratch)
    expect(again.code).toBe(2)
    const accepted = await shaketable(flags(server.baseUrl, 'swapped', '--accept-changed-model'), scratch)
    expect(accepted.code, accepted.stderr).toBe(0)
  })

  it('continues with a hosted API whose fingerprint changes, and reports that', async () => {
    const server = await startFakeServer({
      models: [{ id: 'tuned', owned_by: 'system', created: 1_600_000_000 }],
      fingerprint: (count) => (count < 30 ? 'fp_1' : 'fp_2'),
    })
    servers.push(server)
    const { code, stderr } = await shaketable(flags(server.baseUrl, 'hosted'), scratch)
    expect(code, stderr).toBe(0)
    expect(stderr.match(/system_fingerprint was fp_1, is fp_2/g)).toHaveLength(1)
    expect(keptIn('hosted').changes).toMatchObject([{ differences: [{ name: 'system_fingerprint' }] }])
    const csv = readFileSync(join(scratch, 'hosted', 'report/tables/main.csv'), 'utf8')
    expect(csv).toMatch(/^# NOTICE: .*fp_1, then fp_2/m)
  })
})
