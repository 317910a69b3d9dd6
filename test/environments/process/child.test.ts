import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import * as z from 'zod'
import { afterEach, describe, expect, it } from 'vitest'
import { messageOf } from '../../../src/core/errors.js'
import { Child } from '../../../src/environments/process/child.js'
import { answerSchemas, errorSchema, protocolName, requestSchema } from '../../../src/environments/process/protocol.js'
import { splitCommand } from '../../../src/environments/process/index.js'
import { isAlive } from './is-alive.js'
import { scratchFolder } from '../../scratch.js'

const doors = fileURLToPath(new URL('../../fixtures/process/doors.cjs', import.meta.url))
const scratch = scratchFolder()

const started: Child[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => child.close()))
})

function start(mode: string, deadlineMs = 60_000): Child {
  const child = new Child({ argv: [process.execPath, doors, mode], deadlineMs })
  started.push(child)
  return child
}

const tasks = { op: 'tasks', protocol: protocolName } as const
const begin = (session: string, task = 'one') => ({ op: 'begin', session, task, seed: 5 }) as const
const step = (session: string, action: string) => ({ op: 'step', session, action }) as const

describe('splitCommand', () => {
  it.each<[line: string, words: string[]]>([
    ['python3 my_env.py', ['python3', 'my_env.py']],
    [`'my env' "a b" c\\ d`, ['my env', 'a b', 'c d']],
    [`say "it's" 'a "b"' "\\"q\\" \\\\ \\n"`, ['say', "it's", 'a "b"', '"q" \\ \\n']],
    [`env '$HOME' '|' "a|b" ~/x *.py #1`, ['env', '$HOME', '|', 'a|b', '~/x', '*.py', '#1']],
  ])('reads %j', (line, words) => expect(splitCommand(line)).toEqual(words))

  it.each(['env; rm x', 'a | b', 'say "$HOME"', "it's", 'a `b`', ' ', '""'])('refuses %j', (line) => {
    expect(() => splitCommand(line)).toThrow('process.command: expected a program and its arguments, got ')
  })
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
  return `${JSON.stringify(
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: protocolName,
      description: 'One line of the protocol between shaketable and an environment in a process of its own.',
      anyOf: Object.keys($defs).map(refer),
      $defs,
    },
    undefined,
    2,
  )}\n`
}

describe('the schema of the protocol', () => {
  it('is published as defined in the code; `npx vitest run test/environments/process -u` writes it', async () => {
    const published = fileURLToPath(new URL('../../../docs/process-environment.schema.json', import.meta.url))
    const text = await format(protocolJsonSchema(), { ...(await resolveConfig(published)), parser: 'json' })
    await expect(text).toMatchFileSnapshot(published)
  })
})

describe('an environment process', () => {
  it('answers one request after the other, for several sessions', async () => {
    const child = start('ok')
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
  ])('is ended after invalid output, and started again at the next request: %s', async (mode, message) => {
    const child = start(mode)
    await child.ask(tasks)
    const { of } = await child.ask(begin('a'))
    const said = await child.ask(step('a', 'wait'), of).then(() => 'nothing', messageOf)
    expect(said).toMatch(message)
    expect(said).toMatch(/^The environment process '.*node.*' .* Its stderr ends: the last words$/)
    await expect(child.ask(step('a', 'wait'), of)).rejects.toThrow(said)
    const again = await child.ask(begin('a'))
    expect(again.of).not.toBe(of)
  })

  it('is ended if it does not answer in time', async () => {
    const child = start('late', 5000)
    const { of } = await child.ask(begin('a'))
    await expect(child.ask(step('a', 'wait'), of)).rejects.toThrow(
      /did not answer 'step' within 5 s \(process.deadline\)\./,
    )
    await expect(child.ask(begin('a'))).resolves.toBeDefined()
  })

  it('ends with its child processes when it is closed, even if it refuses to stop', async () => {
    const file = join(scratch, 'pids')
    const child = new Child({ argv: [process.execPath, doors, 'stubborn', file], deadlineMs: 60_000 })
    await child.ask(tasks)
    const pid = Number(/^start (\d+)/.exec(readFileSync(file, 'utf8'))![1])
    expect(isAlive(pid)).toBe(true)
    await child.close()
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(file)).toBe(true)
  })
})
