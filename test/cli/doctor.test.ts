import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ProbeReport } from '../../src/models/probe/probe-server.js'
import type { FakeServer, Habits } from '../models/probe/fake-server.js'
import { startFakeServer } from '../models/probe/fake-server.js'
import { scratchFolder } from '../scratch.js'
import { linesOf, shaketable } from './_command.js'

const scratch = scratchFolder()

const servers: FakeServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(habits: Habits = {}): Promise<FakeServer> {
  const server = await startFakeServer(habits)
  servers.push(server)
  return server
}

describe('shaketable doctor --env', () => {
  const questions = join(scratch, 'questions.json')
  writeFileSync(questions, '[{"question":"Q?","answer":"x"}]')

  it.each<readonly [flags: string, code: number, stdout: string, stderr: string]>([
    ['--env household', 0, 'household is ready\nIt has 134 tasks.\n', ''],
    [
      '--env hotpotqa',
      0,
      'hotpotqa is ready\nIt has 60 tasks.\nQuestions: 60 of our own. Pages: 120 of our own.\n',
      '',
    ],
    [
      `--env hotpotqa --set hotpotqa.questions=${questions}`,
      1,
      'hotpotqa is not ready: The question file has no paragraphs. Add',
      '',
    ],
    ['--env agentgym', 1, "agentgym is not ready: The environment 'agentgym' needs the address", ''],
  ])('%s', async (flags, code, stdout, stderr) => {
    const done = await shaketable(`doctor ${flags}`.trim().split(' '), scratch)
    expect(done).toMatchObject({
      code,
      stdout: expect.stringContaining(stdout) as string,
      stderr: expect.stringContaining(stderr) as string,
    })
  })
})

describe('shaketable doctor', () => {
  const doctor = (baseUrl: string, ...more: string[]) => ['doctor', '--base-url', baseUrl, '--model', 'tuned', ...more]

  it('reports each trait of a server and what it means for a run', async () => {
    const { baseUrl } = await start({
      models: [{ id: 'tuned', max_model_len: 4096 }],
      system: 'refused',
      seed: 'ignored',
    })
    const { code, stdout, stderr } = await shaketable(doctor(baseUrl), scratch)
    expect([code, stderr]).toEqual([0, ''])
    const lines = stdout.split('\n')
    expect(lines[0]).toMatch(new RegExp(`^tuned at ${baseUrl}, after 1\\d calls`))
    const place = lines.findIndex((line) => line.startsWith('system role'))
    expect(lines[place]).toMatch(
      /^system role +refused +An agent's system message is folded into the first user message/,
    )
    // The output is no terminal, so nothing is cut.
    expect(stdout).not.toContain('…')
    expect(stdout).toMatch(/^context +4,096 +The oldest history is left out/m)
    expect(stdout).toMatch(/^seed +ignored /m)
  })

  const escape: Habits['before'] = (_, response) => (
    response.writeHead(400).end('{"error":{"message":"no \\u001b[2J"}}'),
    true
  )
  it.each<[string, Habits, number, RegExp, string[]?]>([
    ['a refused key', { key: 'another' }, 2, /^The key was refused\. .* Check OPENAI_API_KEY\.\n$/],
    [
      'a model that is not there',
      { models: [{ id: 'tune' }], answersTo: ['tune'] },
      2,
      /has no model 'tuned': .* Did you mean 'tune'\? It has: tune\.\n$/,
    ],
    ['words that move the cursor', { before: escape }, 2, /no \\x1b\[2J/],
    ['a stall', { before: () => true }, 4, /No whole answer from 'tuned' within 200 ms/, ['--timeout', '0.2']],
  ])('ends with one clear sentence on %s', async (_, habits, exit, said, more = []) => {
    const { baseUrl } = await start(habits)
    const { code, stdout, stderr } = await shaketable(doctor(baseUrl, ...more), scratch)
    expect([code, stdout]).toEqual([exit, ''])
    expect(stderr).toMatch(said)
    expect(stderr.trim().split('\n').length).toBe(1)
  })
})

describe('a run on servers', () => {
  const run = (out: string, baseUrl: string, ...more: string[]) => [
    ...[
      ...'run --env household --tasks 1 --perturb placebo --model tuned --set seedsAtZero=2 --base-url'.split(' '),
      baseUrl,
      '--seeds',
      '2',
    ],
    ...['--temperatures', '0', '--steps', '2', '--out', out, ...more],
  ]
  const at = (out: string, name: string): string => join(scratch, out, name)
  const rolesOf = ({ asked }: FakeServer, from: number): string[][] =>
    asked.slice(from).map(({ body }) => (body!['messages'] as { role: string }[]).map(({ role }) => role))

  it('probes the server first, stores the result, and follows it', async () => {
    const server = await start({ models: [{ id: 'tuned', max_model_len: 4096 }], system: 'refused', seed: 'refused' })
    const { code, stderr } = await shaketable(run('learned', server.baseUrl), scratch)
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(
      new RegExp(
        `^tuned at ${server.baseUrl}, after \\d+ calls: .*system role refused, .*seed refused, .*context 4,096; shaketable doctor .*\nTasks: household: 1 task \\(generated, .*\\)\\.\nPlaying 4 episodes`,
      ),
    )
    const kept = JSON.parse(readFileSync(at('learned', 'servers.json'), 'utf8')) as { servers: ProbeReport[] }
    expect(kept).toMatchObject({
      schema: 1,
      servers: [{ model: 'tuned', traits: { systemRole: 'fold', seed: 'refused' } }],
    })
    const { calls } = kept.servers[0]!
    expect(server.asked.length).toBe(calls + 8)
    expect(rolesOf(server, calls).every((roles) => !roles.includes('system'))).toBe(true)
    expect(server.asked.slice(calls).every(({ body }) => !('seed' in body!))).toBe(true)
    const { plan } = JSON.parse(readFileSync(at('learned', 'plan.json'), 'utf8')) as {
      plan: { models: { settings: unknown }[] }
    }
    expect(plan.models[0]!.settings).toMatchObject({ systemRole: 'fold', contextTokens: 4096 })
  })

  it('uses the stored result when resumed, checks only which model is served, and does so even if the server has changed', async () => {
    const before = await start({ system: 'refused' })
    const port = Number(new URL(before.baseUrl).port)
    await shaketable(run('resumed', before.baseUrl), scratch)
    const rows = linesOf(at('resumed', 'outcomes.jsonl'))
    writeFileSync(at('resumed', 'outcomes.jsonl'), `${rows[0]!}\n`)
    writeFileSync(at('resumed', 'trajectories.jsonl'), `${linesOf(at('resumed', 'trajectories.jsonl'))[0]!}\n`)
    await before.close()
    const after = await startFakeServer({ models: [{ id: 'tuned', max_model_len: 2048 }] }, port)
    servers.push(after)
    const { code, stderr } = await shaketable(run('resumed', after.baseUrl), scratch)
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/^Tasks: .*\nresumed has 1 of 4 episodes; playing the rest\.\n/)
    expect(after.asked.slice(0, 1).map(({ path, body }) => [path, body])).toEqual([['/v1/models', undefined]])
    expect(rolesOf(after, 1).length).toBe(6)
    expect(rolesOf(after, 1).every((roles) => !roles.includes('system'))).toBe(true)
    const keys = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { key: string }).key).sort()
    expect(keys(linesOf(at('resumed', 'outcomes.jsonl')))).toEqual(keys(rows))
  })

  it('refuses a checkpoint whose server lists another model, and may answer to any name', async () => {
    const server = await start({ models: [{ id: 'tuned-20' }] })
    const models = `models: { from: [tuned-20, tuned-100], baseUrl: '${server.baseUrl}' }`
    writeFileSync(
      join(scratch, 'steps.yaml'),
      `environments: [household]\ntasks: 2\nperturbations: [none]\n${models}\n`,
    )
    const { code, stderr } = await shaketable(['run', 'steps.yaml'], scratch)
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^Expected the checkpoint 'tuned-100' on its server, but \S+ serves tuned-20, not tuned-100\./,
      ),
    ])
  })

  it('stops before it creates anything when the server is dead', async () => {
    const server = await startFakeServer()
    await server.close()
    const { code, stderr } = await shaketable(run('none', server.baseUrl), scratch)
    expect([code, stderr]).toEqual([4, expect.stringMatching(/^Expected a server at /)])
    expect(existsSync(join(scratch, 'none'))).toBe(false)
  })
})
