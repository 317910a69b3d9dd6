import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { perturb } from '../../../src/core/perturb.js'
import { rewordActions } from '../../../src/core/perturbation.js'
import { play } from '../../../src/play/play.js'
import type { Completion } from '../../../src/core/model.js'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { findAgent } from '../../../src/agents/index.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { checkConforms } from '../../../src/laws/conforms.js'
import { linesOf, shaketable, start } from '../../cli/_command.js'
import { isAlive } from './is-alive.js'
import { hasPackages, python as interpreter } from '../../python.js'
import { scratchFolder } from '../../scratch.js'
import { ownPerturbation } from '../../own-perturbation.js'

const fixtures = fileURLToPath(new URL('../../fixtures/process', import.meta.url))
const doors = join(fixtures, 'doors.cjs')
const pythonFile = fileURLToPath(new URL('../../../experiments/python/shaketable_env.py', import.meta.url))
const page = fileURLToPath(new URL('../../../docs/environments.md', import.meta.url))
const scratch = scratchFolder()

const open = (mode = 'ok', ...more: string[]) =>
  openEnvironment('process', { command: [process.execPath, doors, mode, ...more] })

const push = ownPerturbation('push', () => rewordActions({ 'open {door}': 'push {door} open' }))

describe('an environment in a process', () => {
  it('can be perturbed, and refuses the old wording with its own refusal', async () => {
    const environment = await open()
    const perturbed = perturb(environment, [{ perturbation: push }])
    const world = await perturbed.begin(environment.find('two'), createRandom('1'))
    expect(textOf(world.briefing.instruction)).toContain('Say push {door} open.')
    expect(textOf(world.opening)).toMatch(/^You can push door 1 open\. Lamps: \d\.$/)
    expect(await world.admissible!()).toEqual(['push door 1 open', 'push door 2 open'])
    expect(await world.solve!()).toEqual(['push door 2 open'])
    const refused = await world.step('open door 2')
    expect(refused).toMatchObject({ original: 'Pardon?', understood: false, memorised: true, ended: false })
    expect(await world.step('push door 2 open')).toMatchObject({
      command: 'open door 2',
      ended: 'success',
      progress: 1,
    })
    await world.close!()
  })

  it('closes its session however its episode ends', async () => {
    const file = join(scratch, 'closed')
    const environment = await open('ok', file)
    const limits = { agent: findAgent('act'), temperature: 0, seed: 0, stepLimit: 1, maxTokens: 10 }
    const playOne = async (complete: () => Completion, signal?: AbortSignal) => {
      const world = await environment.begin(environment.find('one'), createRandom('1'))
      return play({ ...limits, world, model: { name: 'm', settings: {}, complete }, ...(signal && { signal }) })
    }
    const wait = (): Completion => ({ text: 'wait', finish: 'stop' })
    await playOne(wait)
    await playOne(() => {
      throw new Error('no model')
    })
    await expect(playOne(wait, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
    expect(linesOf(file).slice(1)).toEqual(['close s0', 'close s1', 'close s2'])
  })

  it.each([
    ['ok', undefined],
    ['says-error', /could not do 'step'/],
  ])('is checked: %s', async (mode, detail) => {
    const environment = await open(mode)
    const { misfits, isElsewhere } = await checkConforms(environment, environment.tasks.slice(0, 1), '0')
    expect(isElsewhere).toBe(true)
    if (detail === undefined) expect(misfits).toEqual([])
    else expect(misfits[0]!.detail).toMatch(detail)
  })
})

describe('a run of an environment in a process', () => {
  it('continues after episodes whose process broke, and plays these again', async () => {
    const [file, copy] = [join(scratch, 'runs'), join(scratch, 'doors.cjs')]
    copyFileSync(doors, copy)
    const flags = '--model random --agent act --seeds 2 --steps 3 --perturb placebo --out run'.split(' ')
    const run = (mode: string) => {
      const command = `process.command=node "${copy}" ${mode} "${file}"`
      return shaketable(['run', '--env', 'process', '--set', command, ...flags], scratch)
    }
    const first = await run('dies')
    expect(first.stderr).toMatch(/environment/i)
    const rows = linesOf(join(scratch, 'run', 'outcomes.jsonl')).join('\n')
    expect(rows).toContain('environment-error')
    expect(rows).toContain('ended with exit code 3. Its stderr ends: the last words')
    expect(rows).toMatch(/"task":"one"[^\n]*"outcome":"(?:success|step-limit)"/)
    const again = await run('ok')
    expect(again.stderr).not.toContain('holds another experiment')
    expect(again.code).toBe(0)
  }, 60_000)

  it.each(['dies-with-key', 'divides-key', 'names-key'])(
    'stores and shows no key: %s',
    async (mode) => {
      const variables = {
        OPENAI_API_KEY: 'key-PROCKEY123456',
        LAB_LOGIN: 'https://ann:LABPASS98765@lab.example/',
        LAB_PASSWORD: 'tulip',
      }
      const args = ['--model', 'random', '--seeds', '1', '--temperatures', '0', '--perturb', 'placebo', '--out', mode]
      const command = ['--env', 'process', '--set', `process.command=node "${doors}" ${mode}`]
      const { stdout, stderr } = await shaketable(['run', ...command, ...args], scratch, variables)
      const run = join(scratch, mode)
      const files = readdirSync(run, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))
      expect(files).toContain('trajectories.jsonl')
      for (const text of [stdout, stderr, ...files.map((name) => readFileSync(join(run, name), 'utf8'))]) {
        expect(text).not.toMatch(/PROC|KEY1|LABPASS|tulip/)
      }
      expect(
        linesOf(join(run, ['answers-key', 'divides-key'].includes(mode) ? 'trajectories.jsonl' : 'outcomes.jsonl'))[0],
      ).toContain('…')
    },
    60_000,
  )

  it.skipIf(process.platform !== 'linux')(
    'stops what the program started in a session of its own',
    async () => {
      const file = join(scratch, 'detached')
      await shaketable(
        ['play', 'process', '--list', '--set', `process.command=node "${doors}" detaches "${file}"`],
        scratch,
      )
      const pid = Number(/^child (\d+)/m.exec(readFileSync(file, 'utf8'))![1])
      for (let tries = 0; tries < 600 && isAlive(pid); tries++) await pause()
      expect(isAlive(pid)).toBe(false)
    },
    60_000,
  )

  it.skipIf(process.platform === 'win32')(
    'leaves no process behind, not even when it is killed itself',
    async () => {
      const file = join(scratch, 'pid')
      const { child, ended } = start(
        ['play', 'process', '--set', `process.command=node "${doors}" stubborn "${file}"`],
        scratch,
      )
      while (!existsSync(file) && child.exitCode === null) await pause()
      child.kill('SIGKILL')
      await ended
      const pid = Number(/^start (\d+)/.exec(readFileSync(file, 'utf8'))![1])
      for (let tries = 0; tries < 600 && isAlive(pid); tries++) await pause()
      expect(isAlive(pid)).toBe(false)
    },
    60_000,
  )
})

const python = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!python)(
  `Python environments: the file of docs/environments.md${python ? '' : ' (skipped: no python3 here)'}`,
  () => {
    const source = /```python [^\n]*\n(.*?)```/s.exec(readFileSync(page, 'utf8'))![1]!
    beforeAll(() => {
      writeFileSync(join(scratch, 'my_env.py'), source)
      copyFileSync(join(fixtures, 'my_game.py'), join(scratch, 'my_game.py'))
      copyFileSync(pythonFile, join(scratch, 'shaketable_env.py'))
    })

    it('conforms, and is played in another wording', async () => {
      const environment = await openEnvironment('process', { command: ['python3', join(scratch, 'my_env.py')] })
      expect((await checkConforms(environment, environment.tasks, '0')).misfits).toEqual([])
      const world = await environment.begin(environment.find('far'), createRandom('0'))
      expect(await world.admissible!()).toEqual(['go to hall'])
      for (const action of ['go to hall', 'take key'])
        expect(await world.step(action)).toMatchObject({ understood: true })
      expect(await world.step('go to garden')).toMatchObject({ progress: 1, ended: 'success' })
      await expect(
        Promise.resolve(environment.begin({ ...environment.find('far'), id: 'x' }, createRandom('0'))),
      ).rejects.toThrow("could not do 'begin': KeyError: 'x'.")
    })

    it.skipIf(!hasPackages('textworld'))(
      'serves games of TextWorld, whose solutions win in other words',
      async () => {
        const made = ['tw-simple', '--rewards', 'dense', '--goal', 'detailed', '--seed', '1', '--output', 'one.z8']
        expect(spawnSync(join(dirname(interpreter), 'tw-make'), made, { cwd: scratch }).status).toBe(0)
        const command = `process.command=${interpreter} shaketable_env.py textworld one.z8`
        const validate = ['validate', '--env', 'process', '--set', command, '--perturb', 'synonyms,argument-order']
        expect(await shaketable(validate, scratch)).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(/^synonyms +yes +holds 1 +holds 1 +holds 1 /m),
        })
      },
      120_000,
    )

    it.skipIf(!hasPackages('gymnasium'))('serves environments of Gymnasium, with words for their actions', async () => {
      const argv = [interpreter, pythonFile, ...'gymnasium FrozenLake-v1 --actions left,down,right,up'.split(' ')]
      const environment = await openEnvironment('process', { command: argv })
      const world = await environment.begin(environment.find('FrozenLake-v1'), createRandom('0'))
      expect(await world.admissible!()).toEqual(['left', 'down', 'right', 'up'])
      expect(await world.step('jump')).toMatchObject({ understood: false })
      expect(textOf((await world.step('down')).observation)).toContain('(Down)')
      await world.close!()
    })
  },
)

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))
