import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Plan } from '../../src/run/plan.js'
import { startLlama } from '../models/llama-server.js'
import type { LlamaServer } from '../models/llama-server.js'
import { scratchFolder } from '../scratch.js'
import { linesOf, reportOf, rowsOf, shaketable, start, untilLines } from './_command.js'

const scratch = scratchFolder()
const servers: LlamaServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const at = (name: string): string => join(scratch, name)
const planOf = (out: string) =>
  JSON.parse(readFileSync(at(`${out}/plan.json`), 'utf8')) as { plan: Plan; history?: { added: string }[] }

describe('a run in the same folder', () => {
  const flags = (out: string, ...more: string[]): string[] => [
    ...'run --agent act --steps 6 --workers 0 --out'.split(' '),
    out,
    ...more,
  ]

  it('takes more of everything, and reports to the byte what one run of it all reports', async () => {
    const steps = [
      '--env household --tasks 2 --model parrot --perturb agentrefine-1 --seeds 1 --temperatures 0',
      '--env household --tasks 3 --model parrot,reader --perturb agentrefine-1 --seeds 2 --temperatures 0',
      '--tasks 3 --model parrot,reader --perturb agentrefine-1,agentrefine-2 --seeds 2 --temperatures 0,1 --env household,babyai',
    ]
    const said: string[] = []
    for (const step of steps) {
      const { code, stderr } = await shaketable(flags('grown', ...step.split(' ')), scratch)
      expect(code, stderr).toBe(0)
      said.push(...stderr.split('\n').filter((line) => line.startsWith('grown grows')))
    }
    expect(said).toEqual([
      'grown grows by 1 seed; model reader; 1 task of household.',
      'grown grows by temperature 1; environment babyai; condition agentrefine-2.',
    ])
    expect((await shaketable(flags('whole', ...steps.at(-1)!.split(' ')), scratch)).code).toBe(0)
    expect(reportOf(at('grown'))).toEqual(reportOf(at('whole')))
    const keys = rowsOf(at('grown')).map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    expect(new Set(keys)).toEqual(new Set(rowsOf(at('whole')).map(({ key }) => key)))
  }, 120_000)

  it('that is killed at any moment while it grows goes on with the same command, and loses nothing', async () => {
    const all =
      '--env household --tasks 6 --model parrot,reader --perturb agentrefine-1,agentrefine-2 --temperatures 0,1'.split(
        ' ',
      )
    const command = flags('killed', ...all)
    for (const seeds of ['1', '2', '2', '3', '3']) {
      const rows = at('killed/outcomes.jsonl')
      const before = existsSync(rows) ? linesOf(rows).length : 0
      const running = start([...command, '--seeds', seeds], scratch)
      await Promise.race([untilLines(rows, before + 5), running.ended])
      running.child.kill('SIGKILL')
      await running.ended
    }
    const { code, stderr } = await shaketable([...command, '--seeds', '3'], scratch)
    expect(code, stderr).toBe(0)
    expect((await shaketable(flags('unbroken', ...all, '--seeds', '3'), scratch)).code).toBe(0)
    expect(reportOf(at('killed'))).toEqual(reportOf(at('unbroken')))
    expect(planOf('killed').history!.map(({ added }) => added)).toEqual(['1 seed', '1 seed'])
  }, 120_000)
})

describe('one experiment whose models are served one after the other', () => {
  const file = (base: string, tuned: string): string => `
name: one-gpu
environments: [{ name: household, tasks: 2 }]
perturbations: [placebo]
models:
  - reader
  - { name: base, baseUrl: '${base}' }
  - { name: tuned, baseUrl: '${tuned}', apiKeyEnv: TUNED_KEY, variantOf: base }
agents: [act]
temperatures: [0]
seeds: 2
seedsAtZero: 1
stepLimit: 3
`
  const play = (out: string, ...more: string[]) => shaketable(['run', 'one.yaml', '--out', out, ...more], scratch)

  it('plays each while its server is there, and is the run that has them all', async () => {
    const [base, tuned] = await Promise.all([
      startLlama({ model: 'base' }),
      startLlama({ model: 'tuned', context: 2048 }),
    ])
    servers.push(tuned)
    writeFileSync(at('one.yaml'), file(base.baseUrl, tuned.baseUrl))
    const key = { TUNED_KEY: 'a-key' }
    expect((await shaketable(['run', 'one.yaml', '--out', 'both'], scratch, key)).code).toBe(0)

    const first = await play('one', '--only', 'model=base')
    expect(first.code, first.stderr).toBe(0)
    expect(first.stderr).toMatch(/^Playing 4 selected episodes into one\.$/m)
    expect(first.stderr).toMatch(/^one has 4 of its 16 planned episodes; its reports are partial\.$/m)
    expect(tuned.received.filter(({ headers }) => headers.authorization === undefined)).toEqual([])
    expect(planOf('one').plan.models.map(({ unprobed = false }) => unprobed)).toEqual([false, false, true])
    await base.close()

    const asked = tuned.received.length
    const second = await shaketable(['run', 'one.yaml', '--out', 'one', '--only', 'model=tuned'], scratch, key)
    expect(second.code, second.stderr).toBe(0)
    expect(tuned.received.length).toBeGreaterThan(asked)
    await tuned.close()
    servers.pop()

    const third = await play('one', '--only', 'model=reader')
    expect(third.code, third.stderr).toBe(0)
    const { plan, history } = planOf('one')
    expect(plan).toEqual(planOf('both').plan)
    expect(history!.map(({ added }) => added)).toEqual(['the settings of tuned'])
    expect(new Set(rowsOf(at('one')).map(({ key }) => key))).toEqual(new Set(rowsOf(at('both')).map(({ key }) => key)))
    const known = JSON.parse(readFileSync(at('one/servers.json'), 'utf8')) as { servers: { model: string }[] }
    expect(known.servers.map(({ model }) => model)).toEqual(['base', 'tuned'])

    const again = await shaketable(['run', 'one.yaml', '--out', 'one'], scratch, key)
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('one has all 16 episodes already')])
  }, 120_000)
})
