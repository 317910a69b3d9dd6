import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CreateMessageRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { perturbations } from '../../perturbations/index.js'
import { createRandom } from '../../src/core/random.js'
import { packagedData } from '../../src/files/packaged.js'
import type { ProxyRecord } from '../../src/proxy/log.js'
import { connectHttp } from '../../src/proxy/mcp-connections.js'
import { relayMcp } from '../../src/proxy/mcp.js'
import { toolWordsSchema } from '../../src/proxy/tool-texts.js'
import { parseCondition } from '../../src/run/conditions.js'
import { closing, json, listen } from '../models/loopback.js'
import { isAlive, untilGone } from '../processes.js'
import { scratchFolder } from '../scratch.js'
import { createServer, tools } from './_mcp-server.js'

const words = packagedData('perturbations/vocabulary/tools.yaml', toolWordsSchema)()

const kept = closing<{ close(): unknown }>()

async function newClient(): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1' }, { capabilities: { sampling: {} } })
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => ({
    role: 'assistant',
    model: JSON.stringify(params.messages),
    content: { type: 'text', text: 'x' },
  }))
  return kept(client)
}

async function start(condition: string) {
  const [agent, clientSide] = InMemoryTransport.createLinkedPair()
  const [server, serverSide] = InMemoryTransport.createLinkedPair()
  const [first, ...others] = parseCondition(condition, perturbations).applied
  const records: ProxyRecord[] = []
  const warnings: string[] = []
  await createServer().connect(serverSide)
  const relay = await relayMcp(
    { agent: agent as Transport, server: server as Transport },
    {
      ...{ applied: [first!, ...others], words, random: createRandom('0'), condition, now: () => 0 },
      log: { write: (record) => records.push(record) },
      warn: (message) => warnings.push(message),
    },
  )
  const client = await newClient()
  await client.connect(clientSide as Transport)
  const call = (name: string, given?: Record<string, unknown>): Promise<unknown> =>
    client.callTool({ name, ...(given && { arguments: given }) }).catch((thrown: Error) => thrown.message)
  return { client, records, warnings, relay, call, listed: (await client.listTools()).tools }
}

const said = (text: string, more: object = {}) => ({ content: [{ type: 'text', text }], ...more })
const shapeOf = (listed: readonly { name: string; inputSchema: { properties?: object | undefined } }[]) =>
  listed.map(({ name, inputSchema }) => [name, ...Object.keys(inputSchema.properties ?? {})].join(' '))

describe('the tools of a server through a proxy', () => {
  it('stay as they are under placebo, whole and with what the server says', async () => {
    const { client, listed, call, records } = await start('placebo')
    expect(listed).toEqual(tools)
    expect(client.getInstructions()).toBe('Call read_text_file first.')
    expect(await call('echo', { message: 'read_text_file "path"' })).toEqual(said('read_text_file "path"'))
    expect(await call('nothing', {})).toBe('MCP error -32602: MCP error -32602: Unknown tool: nothing')
    expect(records).toMatchObject([
      { kind: 'turn', model: 'tester', turn: 1, action: 'echo(message)', dose: { forms: 0, commandsSaid: 0 } },
      { turn: 2, action: 'nothing()' },
    ])
    expect(JSON.stringify(records)).not.toContain('refused')
  })

  it.each([
    ['pseudo-verbs', ['kikaf_text_file path head', 'virol_file path newText', 'punud message', 'dravet']],
    ['synonyms', ['load_text_file path head', 'save_file path newText', 'repeat message', 'ask']],
    ['argument-order', ['read_text_file head path', 'write_file newText path', 'echo message', 'ask']],
    [
      'item-synonyms',
      ['read_text_file whereabouts head', 'write_file whereabouts newPassage', 'echo statement', 'ask'],
    ],
    ['item-pseudo-words', ['read_text_file lelur zizak', 'write_file lelur newBlizup', 'echo fukod', 'ask']],
    ['symbols', ['act_03 path head', 'act_02 path newText', 'act_04 message', 'act_01']],
    ['list-order:order=reversed', ['ask', 'echo message', 'write_file path newText', 'read_text_file path head']],
    ['list-visibility:intensity=0.5', ['write_file path newText', 'echo message']],
    ['decoy-actions:intensity=0.25', ['ask', 'write_file path newText']],
  ])('are shown under %s', async (condition, expected) => {
    const { listed } = await start(condition)
    const shown = shapeOf(listed)
    if (condition.startsWith('decoy')) {
      expect(shown).toHaveLength(5)
      expect(shown).toEqual(expect.arrayContaining([...shapeOf(tools)]))
    } else expect(shown).toEqual(expected)
  })

  it('are named alike in descriptions, schemas and instructions', async () => {
    const { client, listed } = await start('synonyms+item-synonyms')
    const path = 'whereabouts'
    expect(listed.slice(0, 2)).toEqual([
      {
        name: 'load_text_file',
        title: 'load_text_file',
        description: 'Loads a path. Use save_file to write, and `repeat` to see a text.',
        inputSchema: {
          type: 'object',
          properties: { [path]: { type: 'string', description: 'The path', title: path }, head: { type: 'number' } },
          required: [path],
          anyOf: [{ required: [path] }, { required: [path, 'head'] }],
        },
      },
      {
        name: 'save_file',
        description: 'Saves a file that load_text_file reads.',
        inputSchema: {
          type: 'object',
          properties: {
            [path]: { type: 'string', description: `As in "${path}" of load_text_file`, title: path },
            newPassage: { $ref: `#/properties/${path}` },
          },
          required: [path, 'newPassage'],
        },
        outputSchema: tools[1]!.outputSchema,
      },
    ])
    expect(client.getInstructions()).toBe('Call load_text_file first.')
  })

  it('are called in the new wording, and results stay as they are', async () => {
    const { call, records } = await start('synonyms+item-synonyms')
    const path = 'whereabouts'
    expect(await call('load_text_file', { [path]: 'a', head: 2, other: 1 })).toEqual(
      said('read_text_file path {"path":"a","head":2,"other":1}'),
    )
    expect(await call('save_file', { newPassage: 'path', [path]: 'a' })).toEqual(
      said('write_file path {"newText":"path","path":"a"}', { structuredContent: { newText: 'path', path: 'a' } }),
    )
    expect(await call('load_text_file', {})).toEqual(
      said(`Invalid arguments for tool load_text_file: Required at ${path}`, { isError: true }),
    )
    expect(records.slice(0, 2)).toMatchObject([
      { action: `load_text_file(${path}, head, other)`, sent: 'read_text_file(path, head, other)' },
      { action: `save_file(newPassage, ${path})`, sent: 'write_file(newText, path)', dose: { forms: 3, names: 4 } },
    ])
  })

  it.each([
    ['an old name', 'read_text_file', { whereabouts: 'a' }, 'read_text_file', true],
    ['an old name and an old parameter', 'read_text_file', { path: 'a' }, 'read_text_file', true],
    ['an old parameter', 'load_text_file', { path: 'a' }, 'load_text_file(path)', true],
    ['an unknown name', 'delete_file', {}, 'delete_file', false],
  ])('refuse %s in the words of the server', async (_, name, given, shown, isRefused) => {
    const { call, records } = await start('synonyms+item-synonyms')
    expect(await call(name, given)).toBe(`MCP error -32602: MCP error -32602: Unknown tool: ${shown}`)
    const [record] = records
    expect(record).toMatchObject({ kind: 'turn', action: expect.stringContaining(name) as unknown })
    expect(record).toEqual(
      isRefused
        ? expect.objectContaining({ refused: true, memorised: true })
        : expect.not.objectContaining({ refused: true }),
    )
  })

  it('refuse a decoy in the words of the server', async () => {
    const { listed, call, records } = await start('decoy-actions:intensity=0.25')
    const decoy = listed.find(({ name }) => !tools.some((tool) => tool.name === name))!
    expect(await call(decoy.name, {})).toBe(`MCP error -32602: MCP error -32602: Unknown tool: ${decoy.name}`)
    expect(records).toMatchObject([{ refused: true }])
    expect(records[0]).not.toHaveProperty('memorised')
  })

  it('have twins under decoy-forms that are described as better, and refused by the server', async () => {
    const { listed, call } = await start('decoy-forms')
    const own = new Set<string>(tools.map(({ name }) => name))
    const decoys = listed.filter(({ name }) => !own.has(name))
    expect(decoys.length).toBeGreaterThan(0)
    for (const { name, description, inputSchema } of decoys) {
      expect(description).toMatch(/always works/)
      const args = Object.fromEntries(Object.keys(inputSchema.properties ?? {}).map((key) => [key, 'x']))
      expect(JSON.stringify(await call(name, args))).toContain(name)
    }
    expect(listed.filter(({ name }) => own.has(name)).map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  })

  it('can fail, before or after the server got the call', async () => {
    const { call, records } = await start('action-failures:fails=after:message=empty')
    const answers: unknown[] = []
    for (let turn = 1; turn <= 12; turn++) answers.push(await call('echo', { message: 'a' }))
    const lost = JSON.stringify(said('No output.', { isError: true }))
    const failed = answers.filter((answer) => JSON.stringify(answer) === lost)
    expect(failed.length).toBeGreaterThan(0)
    expect(failed.length).toBeLessThan(12)
    expect(records.at(-1)).toMatchObject({ dose: { failed: failed.length } })
  })

  it('give other results under a perturbation of observations', async () => {
    const { call } = await start('truncated-observation')
    const text = expect.stringMatching(/^one.*…$/s) as string
    expect(await call('echo', { message: 'one two three four '.repeat(20) })).toMatchObject(said(text))
  })

  it.each([
    ['item-style:style=ordinal+agentrefine-1', /no such action form/],
    ['step-budget', /changes nothing of the tools/],
    ['synonyms:mode=alias', /alias/],
  ])('are not shown under %s', async (condition, message) => {
    await expect(start(condition)).rejects.toThrow(message)
  })
})

it('everything else passes in both directions', async () => {
  const { client, call, listed } = await start('pseudo-verbs+item-synonyms')
  expect((await client.listResources()).resources).toEqual([{ uri: 'r://1', name: 'read_text_file' }])
  expect((await client.readResource({ uri: 'r://1' })).contents).toEqual([{ uri: 'r://1', text: 'path' }])
  expect(await client.ping()).toEqual({})
  await expect(client.request({ method: 'x/unknown' }, z.object({}))).rejects.toThrow('Method not found')
  expect(await call(listed[3]!.name)).toEqual(
    said(JSON.stringify([{ role: 'user', content: { type: 'text', text: 'path' } }])),
  )
  let progress = 0
  const echo = { name: listed[2]!.name, arguments: { statement: 'a' } }
  await client.callTool(echo, undefined, { onprogress: (one) => (progress = one.progress) })
  expect(progress).toBe(1)
  const stop = new AbortController()
  setTimeout(() => stop.abort('enough'), 50)
  await expect(
    client.callTool({ ...echo, arguments: { statement: 'wait' } }, undefined, { signal: stop.signal }),
  ).rejects.toThrow('enough')
  expect(await call(echo.name, { statement: 'b' })).toEqual(said('b'))
})

it('everything else shows tools that the server adds later', async () => {
  const { client, call } = await start('synonyms')
  const changed = new Promise((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, resolve))
  await call('repeat', { message: 'change' })
  await changed
  expect(JSON.stringify(await call('load_more'))).toContain('Invalid arguments for tool load_more')
  expect((await client.listTools()).tools.at(-1)!.name).toBe('load_more')
  expect(await call('read_more')).toContain('Unknown tool: read_more')
})

const main = join(import.meta.dirname, '../../dist/bundle/main.js')
const jiti = join(import.meta.dirname, '../../node_modules/jiti/lib/jiti-cli.mjs')
const testServer = `${process.execPath} ${jiti} ${join(import.meta.dirname, '_mcp-server.ts')}`

describe('shaketable proxy --mcp', () => {
  const folder = scratchFolder()
  let logs = 0
  const setUp = (...more: string[]) => {
    const log = join(folder, `log-${String(logs++)}.jsonl`)
    return { log, args: [main, 'proxy', '--mcp', testServer, '--perturb', 'synonyms', '--log', log, ...more] }
  }
  const connect = async () => {
    const { args, log } = setUp()
    const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' })
    let stderr = ''
    transport.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const client = await newClient()
    const errors: Error[] = []
    client.onerror = (error) => errors.push(error)
    await client.connect(transport)
    const pidOf = (): number => Number(/process id (\d+)/.exec(stderr)?.[1])
    return { client, transport, errors, log, pidOf, stderr: () => stderr }
  }

  it.each([
    [['--forms', 'household'], /Expected --upstream or --mcp/],
    [['--mcp', 'no-such-program-here'], /--mcp: the program 'no-such-program-here' was not found/],
  ])('refuses %j', (args, message) => {
    const all = [main, 'proxy', '--perturb', 'placebo', '--log', '/dev/null', ...args]
    const { status, stderr, stdout } = spawnSync(process.execPath, all, { encoding: 'utf8' })
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })

  it('speaks on standard input and output, passes standard error on, and ends with its client', async () => {
    const { client, errors, log, pidOf } = await connect()
    expect(await client.callTool({ name: 'repeat', arguments: { message: 'a' } })).toEqual(said('a'))
    const pid = pidOf()
    expect(isAlive(pid)).toBe(true)
    await client.close()
    await untilGone(pid)
    expect(errors).toEqual([])
    expect(readFileSync(log, 'utf8')).toMatch(/^\{"kind":"start".*"synonyms".*\n\{"kind":"turn".*"repeat\(message\)"/)
  })

  it.each(['SIGINT', 'SIGKILL'] as const)('leaves no process behind after %s', async (signal) => {
    const { transport, pidOf } = await connect()
    const pid = pidOf()
    process.kill(transport.pid!, signal)
    await untilGone(pid)
  })

  it.each([
    ['ends', 'die', /has gone/],
    ['sends a message that is too long', 'long', /has gone/],
  ])('answers, and ends, where the server %s', async (_, message, expected) => {
    const { client, transport, stderr } = await connect()
    await expect(client.callTool({ name: 'repeat', arguments: { message } })).rejects.toThrow(expected)
    if (transport.pid !== null) await untilGone(transport.pid)
    expect(stderr()).toMatch(/The MCP server .* has gone/)
  })

  it('ends a message that is too long of a server at an address', async () => {
    const long = json('x'.repeat(17 << 20))
    const { origin } = await kept(listen(createHttpServer((_, response) => long(response))))
    const transport = connectHttp({ StreamableHTTPClientTransport }, new URL(origin), {})
    await transport.start()
    await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).rejects.toThrow('is too long')
  })

  it('serves agents at a port, and takes a server at an address', async () => {
    const serve = async (args: readonly string[]): Promise<string> => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      await kept({ close: () => new Promise((resolve) => child.once('exit', resolve).kill('SIGINT')) })
      return new Promise((resolve) => child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())))
    }
    const first = await serve(setUp('--port', '0').args)
    const others: Readonly<Record<string, string>> = { [testServer]: first, synonyms: 'symbols' }
    const second = await serve(setUp('--port', '0').args.map((arg) => others[arg] ?? arg))
    const client = await newClient()
    await client.connect(new StreamableHTTPClientTransport(new URL(second)) as Transport)
    const { tools: listed } = await client.listTools()
    expect(listed.map(({ name }) => name)).toEqual(['act_03', 'act_02', 'act_04', 'act_01'])
    expect(await client.callTool({ name: 'act_04', arguments: { message: 'a' } })).toEqual(said('a'))
    expect(JSON.stringify(await client.callTool({ name: 'act_01' }))).toContain('path')
    const other = await fetch(first, { method: 'POST', body: '{}', headers: { origin: 'http://evil.example' } })
    expect(other.status).toBe(403)
    const headers = { 'content-type': 'application/json' }
    for (const [body, path, status] of [
      ['{}', '', 404],
      ['{', '', 400],
      ['{}', '/x', 404],
    ] as const) {
      expect((await fetch(first + path, { method: 'POST', headers, body })).status).toBe(status)
    }
  })
})
