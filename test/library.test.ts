import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createRandom, defineAgent, play } from 'shaketable'
import { readRun, renderReports, runExperiment } from 'shaketable/run'
import { MemoryStore, checkLaws, createScripted, laws } from 'shaketable/testing'
import { createToy } from './toy-environment.js'
import { scratchFolder } from './scratch.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = scratchFolder()

const small = { environments: ['household'], tasks: 1, temperatures: [0], seeds: 1, stepLimit: 10 }

describe('shaketable as a library', () => {
  it('plays the script of its page from the built package', async () => {
    const [, script] = /```js\n([^]*?)```/.exec(readFileSync(join(root, 'docs/plugins.md'), 'utf8'))!
    expect(script!.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
    mkdirSync(join(scratch, 'node_modules'))
    symlinkSync(root, join(scratch, 'node_modules/shaketable'))
    writeFileSync(join(scratch, 'script.mjs'), script!)
    const { stdout } = await promisify(execFile)(process.execPath, ['script.mjs'], { cwd: scratch })
    expect(stdout).toMatch(/\| parrot.*\n/)
    expect(stdout).toContain('agentrefine-3')
  })

  it('stores a run in a folder, and resumes it', async () => {
    const folder = join(scratch, 'kept')
    const first = await runExperiment({ ...small, models: ['reader'], perturbations: ['placebo'], folder })
    const again = await runExperiment({ ...small, models: ['reader'], perturbations: ['placebo'], folder })
    expect([...again.rows]).toEqual([...first.rows])
    expect(renderReports(readRun(folder), ['json'])).toEqual(renderReports(again, ['json']))
    const inMemory = await runExperiment({ ...small, models: ['reader'], perturbations: ['placebo'] })
    expect([...inMemory.rows]).toEqual([...first.rows])
  })

  it.each([
    [{ ...small, models: ['reader'], only: ['model=raeder'] }, "Unknown model 'raeder'. Did you mean 'reader'?"],
    [{ ...small, seeds: 0 }, 'seeds: expected a number of seeds'],
    [{ ...small, perturbations: ['agentrefine-9'] }, "Unknown perturbation 'agentrefine-9'. Did you mean"],
    [{ ...small, agents: [{ kind: 'agent', name: 'a', begin: 3 }] as never }, "'begin' must be a function, got 3"],
    [{ ...small, sedes: 3 } as never, "'sedes'"],
  ])('reports which setting of %o is invalid', async (settings, message) => {
    await expect(runExperiment(settings)).rejects.toMatchObject({
      message: expect.stringContaining(message) as unknown,
    })
  })
})

it('shaketable/testing has laws, a scripted model and a store in memory', async () => {
  const toy = createToy()
  const scripted = createScripted(['go to drawer 1', 'look'])
  const world = await toy.begin(toy.tasks[0]!, createRandom('0'))
  const agent = defineAgent({
    name: 'plain',
    begin: () => ({
      messages: () => [{ role: 'user', content: '' }],
      read: (reply) => ({ action: reply }),
      observe: () => undefined,
    }),
  })
  const limits = { temperature: 0, seed: 0, stepLimit: 3, maxTokens: 10 }
  const { trajectory } = await play({ world, agent, model: scripted, ...limits })
  expect(trajectory.steps.map(({ action }) => action)).toEqual(['go to drawer 1', 'look', 'look'])
  expect(laws.map(({ name }) => name)).toContain('solution')
  expect(await checkLaws({ environment: toy, task: toy.tasks[0]!, applied: [], seed: '0' })).toContainEqual(
    expect.objectContaining({ law: 'solution' }),
  )
  expect(new MemoryStore().rows).toEqual([])
})
