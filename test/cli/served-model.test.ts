import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { KnownServer } from '../../src/run/servers.js'
import { type LlamaServer, startLlama } from '../models/llama-server.js'
import { closing } from '../models/loopback.js'
import { type FakeServer, type Habits, startFakeServer } from '../models/probe/fake-server.js'
import { scratchFolder } from '../scratch.js'
import { linesOf, rowsOf, shaketable, start, succeed, untilLines } from './_command.js'
import { serveChat } from './_served.js'

const scratch = scratchFolder()
const kept = closing<LlamaServer>()
const llama = (milliseconds = 0) => kept(startLlama({ model: 'tuned', milliseconds }))
const keptFake = closing<FakeServer>()
const fake = async (habits: Habits): Promise<string> => (await keptFake(startFakeServer(habits))).baseUrl

const grid = '--env household --tasks 4 --perturb placebo --seeds 1 --temperatures 0 --steps 3 --agent act'
const line = (baseUrl: string, out: string, more = ''): string =>
  `run --model tuned --base-url ${baseUrl} --out ${out} ${grid}${more}`
const at = (out: string, name: string): string => join(scratch, out, name)
const keptIn = (out: string): KnownServer =>
  (JSON.parse(readFileSync(at(out, 'servers.json'), 'utf8')) as { servers: KnownServer[] }).servers[0]!
const noticesIn = (out: string): string[] =>
  linesOf(at(out, 'report/tables/main.csv')).filter((one) => one.startsWith('# NOTICE: '))

describe('a run on servers', () => {
  it('stops before it goes on when the server has other weights, unless that is accepted and reported', async () => {
    const server = await llama()
    await shaketable(line(server.baseUrl, 'weights'), scratch)
    for (const name of ['outcomes.jsonl', 'trajectories.jsonl'])
      writeFileSync(at('weights', name), `${linesOf(at('weights', name))[0]!}\n`)
    server.swap({ parameters: 585_600, fingerprint: 'b2-123' })
    const asked = server.received.length
    const refused = await shaketable(line(server.baseUrl, 'weights'), scratch)
    const said = /serves another model under the name 'tuned' .*--accept-changed-model/
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(said)])
    expect(server.received.slice(asked).filter(({ path }) => path.endsWith('/chat/completions'))).toEqual([])
    expect(linesOf(at('weights', 'outcomes.jsonl'))).toHaveLength(1)

    const accepted = await succeed(line(server.baseUrl, 'weights', ' --accept-changed-model'), scratch)
    expect(accepted.stdout).toContain('the server changed to another model under the same name')
    expect(keptIn('weights').changes![0]!.differences).toContainEqual({
      ...{ name: 'meta.n_params', was: 292_800, is: 585_600 },
    })
    expect(noticesIn('weights')[0]).toMatch(/meta\.n_params 292,800, then 585,600/)
    await succeed(line(server.baseUrl, 'weights'), scratch)
  })

  it('says at its start and in its reports that the server does not list its model', async () => {
    const { stderr } = await succeed(line(await fake({ models: [{ id: 'other-7b' }] }), 'unlisted'), scratch)
    expect(stderr).toMatch(/^NOTICE tuned at \S+: model listed no: .*'other-7b'/m)
    expect(noticesIn('unlisted').join('\n')).toMatch(/does not list a model of this name but answered .*'other-7b'/)
  })

  it("stops when the server's fingerprint changes, and keeps what was played", async () => {
    const server = await llama(10)
    const running = start(line(server.baseUrl, 'swapped', ' --concurrency 1').split(' '), scratch)
    await untilLines(at('swapped', 'outcomes.jsonl'), 2)
    server.swap({ fingerprint: 'b2-123' })
    const { code, stderr } = await running.ended
    expect([code, stderr]).toEqual([4, expect.stringMatching(/system_fingerprint was b1-de3ff81, is b2-123/)])
    const rows = linesOf(at('swapped', 'outcomes.jsonl'))
    expect(rows.filter((row) => !row.includes('-error')).length).toBeGreaterThanOrEqual(2)
  })

  it('continues with a hosted API whose fingerprint changes, and reports that', async () => {
    const baseUrl = await fake({
      models: [{ id: 'tuned', owned_by: 'system', created: 1_600_000_000 }],
      fingerprint: (count) => (count < 20 ? 'fp_1' : 'fp_2'),
    })
    const { stderr } = await succeed(line(baseUrl, 'hosted'), scratch)
    expect(stderr.match(/system_fingerprint was fp_1, is fp_2/g)).toHaveLength(1)
    expect(noticesIn('hosted').join('\n')).toMatch(/fp_1, then fp_2/)
  })
})

it('a budget of calls is a ceiling for attempts, and little of it is spent on episodes that are abandoned', async () => {
  let requests = 0
  // Slow, and every seventh answer is an error. An episode takes 20 calls, and 8 are played at a time.
  const address = await serveChat(async (_, count) => {
    requests = count
    await setTimeout(5 + ((count * 7) % 11))
    return count % 7 === 0 ? { status: 500, content: 'busy' } : { content: 'Action: look' }
  })
  const more = '--env household --tasks 20 --perturb none --steps 20 --seeds 1 --concurrency 8 --no-probe --json'
  const limits = '--max calls=150 --out calls'
  const { code, stdout } = await shaketable(`run --base-url ${address} --model tuned ${more} ${limits}`, scratch)
  const { spent } = JSON.parse(stdout) as { spent: { attempts: number } }
  expect([code, requests <= 150, spent.attempts]).toEqual([4, true, requests])
  // Were the calls divided evenly among the eight, none would come to its end.
  expect(rowsOf(join(scratch, 'calls')).length).toBeGreaterThan(0)
})
