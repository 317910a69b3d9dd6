import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { Plan } from '../../src/run/plan.js'
import { type LlamaServer, startLlama } from '../models/llama-server.js'
import { scratchFolder } from '../scratch.js'
import { linesOf, reportOf, rowsOf, start, succeed, untilLines } from './_command.js'

const scratch = scratchFolder()
const servers: LlamaServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const at = (name: string): string => join(scratch, name)
const planOf = (out: string) =>
  JSON.parse(readFileSync(at(`${out}/plan.json`), 'utf8')) as { plan: Plan; history?: { added: string }[] }
const keysOf = (out: string): ReadonlySet<string> => new Set(rowsOf(at(out)).map(({ key }) => key))
const play = async (out: string, line: string, variables = {}): Promise<string> =>
  (await succeed(`run ${line} --out ${out}`, scratch, variables)).stderr

it('a run that grows in its folder and is killed at any moment goes on with the same command, and loses nothing', async () => {
  const grid =
    '--env household --tasks 6 --model parrot,reader --perturb agentrefine-1,agentrefine-2 --temperatures 0,1'
  const line = (seeds: string): string => `${grid} --agent act --steps 6 --seeds ${seeds}`
  for (const grown of ['1 --workers 0', '2 --workers 0', '2 --workers 2', '3 --workers 0', '3 --workers 2']) {
    const rows = at('killed/outcomes.jsonl')
    const before = existsSync(rows) ? linesOf(rows).length : 0
    const running = start(`run ${line(grown)} --out killed`.split(' '), scratch)
    await Promise.race([untilLines(rows, before + 5), running.ended])
    running.child.kill('SIGKILL')
    await running.ended
  }
  await play('killed', line('3'))
  await play('unbroken', line('3'))
  expect(reportOf(at('killed'))).toEqual(reportOf(at('unbroken')))
  const keys = rowsOf(at('killed')).map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  expect((await succeed('runs killed --check', scratch)).stdout).toBe('killed is sound.\n')
  expect(planOf('killed').history!.map(({ added }) => added)).toEqual(['1 seed', '1 seed'])
}, 120_000)

it('models that are served one after the other are one run, each played while its server is there', async () => {
  const [base, tuned] = await Promise.all([startLlama({ model: 'base' }), startLlama({ model: 'tuned' })])
  servers.push(tuned)
  writeFileSync(
    at('one.yaml'),
    `environments: [{ name: household, tasks: 2 }]
perturbations: [placebo]
models:
  - reader
  - { name: base, baseUrl: '${base.baseUrl}' }
  - { name: tuned, baseUrl: '${tuned.baseUrl}', apiKeyEnv: TUNED_KEY, variantOf: base }
agents: [act]
temperatures: [0]
seeds: 1
stepLimit: 3
`,
  )
  const key = { TUNED_KEY: 'a-key' }
  await play('both', 'one.yaml', key)
  const said = await play('one', 'one.yaml --only model=base')
  expect(said).toMatch(/^Playing 4 selected episodes into one\.$/m)
  expect(said).toMatch(/^one has 4 of its 12 planned episodes; its reports are partial\.$/m)
  expect(tuned.received.filter(({ headers }) => headers.authorization === undefined)).toEqual([])
  await base.close()
  await play('one', 'one.yaml --only model=tuned', key)
  await tuned.close()
  servers.pop()
  await play('one', 'one.yaml --only model=reader')
  expect(planOf('one').plan).toEqual(planOf('both').plan)
  expect(keysOf('one')).toEqual(keysOf('both'))
  expect(await play('one', 'one.yaml', key)).toContain('one has all 12 episodes already')
}, 120_000)
