import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ProbeReport } from '../../src/models/probe/probe-server.js'
import { closing } from '../models/loopback.js'
import { type FakeServer, type Habits, startFakeServer } from '../models/probe/fake-server.js'
import { scratchFolder } from '../scratch.js'
import { linesOf, shaketable, succeed } from './_command.js'

const scratch = scratchFolder()

const kept = closing<FakeServer>()
const start = (habits?: Habits): Promise<FakeServer> => kept(startFakeServer(habits))

describe('shaketable doctor --env', () => {
  writeFileSync(join(scratch, 'questions.json'), '[{"question":"Q?","answer":"x"}]')

  it.each([
    ['household', 0, 'household is ready\nIt has 134 tasks.\n'],
    ['hotpotqa', 0, 'hotpotqa is ready\nIt has 60 tasks.\n'],
    ['hotpotqa --set hotpotqa.questions=questions.json', 1, 'hotpotqa is not ready: The question file has no para'],
    ['process', 1, "process is not ready: The environment 'process' needs the command"],
  ])('%s', async (flags, code, said) => {
    const done = await shaketable(`doctor --env ${flags}`, scratch)
    expect(done).toMatchObject({ code, stdout: expect.stringContaining(said) as string })
  })
})

describe('shaketable doctor', () => {
  const doctor = (baseUrl: string, more = '') => `doctor --base-url ${baseUrl} --model tuned${more}`

  it('reports each trait of a server and what it means for a run', async () => {
    const { baseUrl } = await start({
      models: [{ id: 'tuned', max_model_len: 4096 }],
      system: 'refused',
      seed: 'ignored',
    })
    const { stdout } = await succeed(doctor(baseUrl), scratch)
    expect(stdout).toMatch(/^system role +refused +An agent's system message is folded into the first user message/m)
    expect(stdout).toMatch(/^context +4,096 +The oldest history is left out/m)
    expect(stdout).toMatch(/^seed +ignored /m)
  })

  const escape: Habits['before'] = (_, response) => (
    response.writeHead(400).end('{"error":{"message":"no \\u001b[2J"}}'),
    true
  )
  const other = { models: [{ id: 'tune' }], answersTo: ['tune'] }
  it.each<[string, Habits, number, RegExp, string?]>([
    ['a refused key', { key: 'another' }, 2, /^The key was refused\. .* Check OPENAI_API_KEY\.\n$/],
    ['a model that is not there', other, 2, /has no model 'tuned': .* Did you mean 'tune'\? It has: tune\.\n$/],
    ['words that move the cursor', { before: escape }, 2, /no \\x1b\[2J/],
    ['a stall', { before: () => true }, 4, /No whole answer from 'tuned' within 1,?000 ms|within 1 s/, ' --timeout 1'],
  ])('ends with one clear sentence on %s', async (_, habits, exit, said, more) => {
    const { baseUrl } = await start(habits)
    const { code, stdout, stderr } = await shaketable(doctor(baseUrl, more), scratch)
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([exit, '', 1])
    expect(stderr).toMatch(said)
  })
})

describe('a run on servers', () => {
  const grid = '--env household --tasks 1 --perturb placebo --seeds 2 --temperatures 0 --set seedsAtZero=2 --steps 2'
  const run = (out: string, baseUrl: string) => `run --model tuned --base-url ${baseUrl} ${grid} --out ${out}`
  const at = (out: string, name: string): string => join(scratch, out, name)
  const rolesOf = ({ asked }: FakeServer, from: number): string[][] =>
    asked.slice(from).map(({ body }) => (body!['messages'] as { role: string }[]).map(({ role }) => role))

  it('probes the server first, stores the result, and follows it', async () => {
    const server = await start({ models: [{ id: 'tuned', max_model_len: 4096 }], system: 'refused', seed: 'refused' })
    const { stderr } = await succeed(run('learned', server.baseUrl), scratch)
    expect(stderr).toMatch(/^tuned at \S+, after \d+ calls: .*system role refused, .*context 4,096; shaketable doctor /)
    expect(stderr).toMatch(/\nTasks: household: 1 task \(generated, .*\)\.\nPlaying 4 episodes/)
    const kept = JSON.parse(readFileSync(at('learned', 'servers.json'), 'utf8')) as { servers: ProbeReport[] }
    expect(kept.servers).toMatchObject([{ model: 'tuned', traits: { systemRole: 'fold', seed: 'refused' } }])
    const { calls } = kept.servers[0]!
    expect(server.asked.length).toBe(calls + 8)
    expect(rolesOf(server, calls).every((roles) => !roles.includes('system'))).toBe(true)
    expect(server.asked.slice(calls).every(({ body }) => !('seed' in body!))).toBe(true)
    const { plan } = JSON.parse(readFileSync(at('learned', 'plan.json'), 'utf8')) as { plan: { models: object[] } }
    expect(plan.models).toMatchObject([{ settings: { systemRole: 'fold', contextTokens: 4096 } }])
  })

  it('uses the stored result when resumed, and checks only which model is served', async () => {
    const server = await start({ system: 'refused' })
    await shaketable(run('resumed', server.baseUrl), scratch)
    for (const name of ['outcomes.jsonl', 'trajectories.jsonl'])
      writeFileSync(at('resumed', name), `${linesOf(at('resumed', name))[0]!}\n`)
    server.become({ models: [{ id: 'tuned' }] })
    server.asked.splice(0)
    const { stderr } = await succeed(run('resumed', server.baseUrl), scratch)
    expect(stderr).toMatch(/^Tasks: .*\nresumed has 1 of 4 episodes; playing/)
    expect(server.asked.slice(0, 1).map(({ path, body }) => [path, body])).toEqual([['/v1/models', undefined]])
    expect(rolesOf(server, 1).map((roles) => roles.includes('system'))).toEqual(Array(6).fill(false))
  })

  it('refuses a checkpoint whose server lists another model, and may answer to any name', async () => {
    const server = await start({ models: [{ id: 'tuned-20' }] })
    const models = `models: { from: [tuned-20, tuned-100], baseUrl: '${server.baseUrl}' }`
    writeFileSync(join(scratch, 'steps.yaml'), `environments: [household]\nperturbations: [none]\n${models}\n`)
    const { code, stderr } = await shaketable('run steps.yaml', scratch)
    const said = /^Expected the checkpoint 'tuned-100' on its server, but \S+ serves tuned-20, not tuned-100\./
    expect([code, stderr]).toEqual([2, expect.stringMatching(said)])
  })

  it('stops before it creates anything when the server is dead', async () => {
    const server = await startFakeServer()
    await server.close()
    const { code, stderr } = await shaketable(run('none', server.baseUrl), scratch)
    expect([code, stderr]).toEqual([4, expect.stringMatching(/^Expected a server at /)])
    expect(existsSync(join(scratch, 'none'))).toBe(false)
  })
})
