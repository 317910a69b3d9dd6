import { existsSync, readFileSync, copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { format, resolveConfig } from 'prettier'
import * as z from 'zod'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Completion, createRandom, messageOf, perturb, play, rewordActions, textOf } from '../../../src/index.js'
import { Child } from '../../../src/environments/process/child.js'
import { answerSchemas, errorSchema, protocolName, requestSchema } from '../../../src/environments/process/protocol.js'
import { splitCommand } from '../../../src/environments/process/index.js'
import { scratchFolder } from '../../scratch.js'
import { findAgent } from '../../../src/agents/index.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { checkConforms } from '../../../src/laws/conforms.js'
import { linesOf, shaketable, start as startCommand } from '../../cli/_command.js'
import { hasPackages, python as interpreter } from '../../python.js'
import { closing } from '../../models/loopback.js'
import { isAlive, untilGone } from '../../processes.js'
import { ownPerturbation } from '../../own-perturbation.js'

const doors = fileURLToPath(new URL('../../fixtures/process/doors.cjs', import.meta.url))
const scratch = scratchFolder()

const kept = closing<Child>()
const start = (mode: string, deadlineMs = 60_000): Promise<Child> =>
  kept(new Child({ argv: [process.execPath, doors, mode], deadlineMs }))

const tasks = { op: 'tasks', protocol: protocolName } as const
const begin = (session: string, task = 'one') => ({ op: 'begin', session, task, seed: 5 }) as const
const step = (session: string, action: string) => ({ op: 'step', session, action }) as const

it.each<[line: string, words: string[]]>([
  ['python3 my_env.py', ['python3', 'my_env.py']],
  [`'my env' "a b" c\\ d`, ['my env', 'a b', 'c d']],
  [`say "it's" 'a "b"' "\\"q\\" \\\\ \\n"`, ['say', "it's", 'a "b"', '"q" \\ \\n']],
  [`env '$HOME' '|' "a|b" ~/x *.py #1`, ['env', '$HOME', '|', 'a|b', '~/x', '*.py', '#1']],
])('splitCommand reads %j', (line, words) => expect(splitCommand(line)).toEqual(words))

it.each(['env; rm x', 'a | b', 'say "$HOME"', "it's", 'a `b`', ' ', '""'])('splitCommand refuses %j', (line) => {
  expect(() => splitCommand(line)).toThrow('process.command: expected a program and its arguments, got ')
})

/** The JSON Schema of the protocol: a definition for requests and one for the answer to each operation. */
function protocolJsonSchema(): string {
  const definitions = { request: requestSchema, ...answerSchemas, error: errorSchema }
  const $defs = Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => {
      const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' })
      void $schema
      return [name === 'request' || name === 'error' ? name : `${name}-answer`, rest]
    }),
  )
  const refer = (name: string): object => ({ $ref: `#/$defs/${name}` })
  const about = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: protocolName,
    description: 'One line of the protocol between shaketable and an environment in a process of its own.',
  }
  return JSON.stringify({ ...about, anyOf: Object.keys($defs).map(refer), $defs }, undefined, 2)
}

it('the schema of the protocol is published as defined in the code; `npx vitest run test/environments/process -u` writes it', async () => {
  const published = fileURLToPath(new URL('../../../docs/process-environment.schema.json', import.meta.url))
  const text = await format(protocolJsonSchema(), { ...(await resolveConfig(published)), parser: 'json' })
  await expect(text).toMatchFileSnapshot(published)
})

it('an environment process answers one request after the other, for several sessions', async () => {
  const child = await start('ok')
  const [{ answer }, one, two] = await Promise.all([
    child.ask(tasks),
    child.ask(begin('a')),
    child.ask(begin('b', 'two')),
  ])
  expect(answer.tasks.map(({ id }) => id)).toEqual(['one', 'two'])
  expect([one.answer.session, two.answer.session]).toEqual(['a', 'b'])
  expect(one.of).toBe(two.of)
  const [first, second] = await Promise.all([
    child.ask(step('a', 'open door 1'), one.of),
    child.ask(step('b', 'open door 1'), two.of),
  ])
  expect([first.answer.ended, second.answer.ended]).toEqual(['success', undefined])
})

it.each([
  ['no-json', /answered 'step' with what is not JSON: 'hello there'\. Print what is not an answer to stderr\./],
  ['other-session', /answered 'step' of session 'a', request 2, with another's answer/],
  ['wrong-shape', /what shaketable-env\/1 does not allow at 'progress'/],
  ['long-line', /wrote a line of more than 8,388,608 characters\./],
  ['late', /did not answer 'step' within 5 s \(process.deadline\)\./, 5000],
])(
  'an environment process is ended after invalid output, and started again at the next request: %s',
  async (mode, message, deadlineMs?: number) => {
    const child = await start(mode, deadlineMs)
    await child.ask(tasks)
    const { of } = await child.ask(begin('a'))
    const said = await child.ask(step('a', 'wait'), of).then(() => 'nothing', messageOf)
    expect(said).toMatch(message)
    expect(said).toMatch(/^The environment process '.*node.*' .* Its stderr ends: the last words$/)
    await expect(child.ask(step('a', 'wait'), of)).rejects.toThrow(said)
    const again = await child.ask(begin('a'))
    expect(again.of).not.toBe(of)
  },
)

it('an environment process ends with its child processes when it is closed, even if it refuses to stop', async () => {
  const file = join(scratch, 'pids')
  const child = new Child({ argv: [process.execPath, doors, 'stubborn', file], deadlineMs: 60_000 })
  await child.ask(tasks)
  const pid = Number(/^start (\d+)/.exec(readFileSync(file, 'utf8'))![1])
  expect(isAlive(pid)).toBe(true)
  await child.close()
  expect(isAlive(pid)).toBe(false)
  expect(existsSync(file)).toBe(true)
})

const fixtures = fileURLToPath(new URL('../../fixtures/process', import.meta.url))
const pythonFile = fileURLToPath(new URL('../../../experiments/python/shaketable_env.py', import.meta.url))
const page = fileURLToPath(new URL('../../../docs/environments.md', import.meta.url))

const open = (mode = 'ok', ...more: string[]) =>
  openEnvironment('process', { command: [process.execPath, doors, mode, ...more] })

const push = ownPerturbation('push', () => rewordActions({ 'open {door}': 'push {door} open' }))

it('an environment in a process can be perturbed, and refuses the old wording with its own refusal', async () => {
  const environment = await open()
  const perturbed = perturb(environment, [{ perturbation: push }])
  const world = await perturbed.begin(environment.find('two'), createRandom('1'))
  expect(textOf(world.briefing.instruction)).toContain('Say push {door} open.')
  expect(textOf(world.opening)).toMatch(/^You can push door 1 open\. Lamps: \d\.$/)
  expect(await world.admissible!()).toEqual(['push door 1 open', 'push door 2 open'])
  expect(await world.solve!()).toEqual(['push door 2 open'])
  const refused = await world.step('open door 2')
  expect(refused).toMatchObject({ original: 'Pardon?', understood: false, memorised: true, ended: false })
  const won = { command: 'open door 2', ended: 'success', progress: 1 }
  expect(await world.step('push door 2 open')).toMatchObject(won)
  await world.close!()
})

it('an environment in a process closes its session however its episode ends', async () => {
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
])('an environment in a process is checked: %s', async (mode, detail) => {
  const environment = await open(mode)
  const { misfits, isElsewhere } = await checkConforms(environment, environment.tasks.slice(0, 1), '0')
  expect(isElsewhere).toBe(true)
  if (detail === undefined) expect(misfits).toEqual([])
  else expect(misfits[0]!.detail).toMatch(detail)
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
  })

  it.each(['dies-with-key', 'divides-key', 'names-key'])('stores and shows no key: %s', async (mode) => {
    const login = { LAB_LOGIN: 'https://ann:LABPASS98765@lab.example/', LAB_PASSWORD: 'tulip' }
    const variables = { OPENAI_API_KEY: 'key-PROCKEY123456', ...login }
    const args = ['--model', 'random', '--seeds', '1', '--temperatures', '0', '--perturb', 'placebo', '--out', mode]
    const command = ['--env', 'process', '--set', `process.command=node "${doors}" ${mode}`]
    const { stdout, stderr } = await shaketable(['run', ...command, ...args], scratch, variables)
    const run = join(scratch, mode)
    const files = readdirSync(run, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))
    expect(files).toContain('trajectories.jsonl')
    for (const text of [stdout, stderr, ...files.map((name) => readFileSync(join(run, name), 'utf8'))]) {
      expect(text).not.toMatch(/PROC|KEY1|LABPASS|tulip/)
    }
    expect(linesOf(join(run, mode === 'divides-key' ? 'trajectories.jsonl' : 'outcomes.jsonl'))[0]).toContain('…')
  })

  it.skipIf(process.platform !== 'linux')('stops what the program started in a session of its own', async () => {
    const file = join(scratch, 'detached')
    await shaketable(
      ['play', 'process', '--list', '--set', `process.command=node "${doors}" detaches "${file}"`],
      scratch,
    )
    const pid = Number(/^child (\d+)/m.exec(readFileSync(file, 'utf8'))![1])
    await untilGone(pid)
  })

  it.skipIf(process.platform === 'win32')('leaves no process behind, not even when it is killed itself', async () => {
    const file = join(scratch, 'pid')
    const { child, ended } = startCommand(
      ['play', 'process', '--set', `process.command=node "${doors}" stubborn "${file}"`],
      scratch,
    )
    while (!existsSync(file) && child.exitCode === null) await setTimeout(50)
    child.kill('SIGKILL')
    await ended
    const pid = Number(/^start (\d+)/.exec(readFileSync(file, 'utf8'))![1])
    await untilGone(pid)
  })
})

const python = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!python)(`the file of docs/environments.md${python ? '' : ' (skipped: no python3 here)'}`, () => {
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
    'serves games of TextWorld, won in other words',
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
})
