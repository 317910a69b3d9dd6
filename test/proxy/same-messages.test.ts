import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { findAgent } from '../../src/agents/index.js'
import type { Completion } from '../../src/core/model.js'
import type { Environment, Task } from '../../src/core/environment.js'
import { createRandom } from '../../src/core/random.js'
import { findEnvironmentKind, openEnvironment } from '../../src/environments/index.js'
import { createConversations } from '../../src/proxy/conversation.js'
import { createMemory } from '../../src/proxy/memory.js'
import { createProxyHandler } from '../../src/proxy/handle.js'
import { parseColumn } from '../../src/run/columns.js'
import type { Serving } from '../../src/proxy/server.js'
import { serveWith } from '../../src/proxy/server.js'
import { sharedData } from '../shared-data.js'
import { playInProcess, playThrough } from './_harness.js'

interface Recorded {
  readonly task: Task
  readonly environment: Environment
  readonly actions: readonly string[]
}

const { plainText: vocabulary } = findEnvironmentKind('household')
const columns = [
  'agentrefine-1',
  'agentrefine-2',
  'agentrefine-3',
  'agentrefine-4',
  'alfworld-2024',
  'placebo',
  'agentrefine-1+agentrefine-2+agentrefine-3+agentrefine-4',
]
const layouts = ['act', 'react', 'tagged', 'tools']

type Conversing = ReturnType<typeof createConversations>

/** A reply through the proxy, and the request that the upstream received. */
type Through = (
  body: unknown,
  reply: Completion,
  conversations: Conversing,
) => Promise<{ readonly got: string; readonly reply: Completion }>

const directly: Through = async (body, { text, toolCalls = [] }, conversations) => {
  const read = conversations.read('chat', body)
  if ('unread' in read) throw new Error(read.unread)
  const { text: said, calls } = read.answer({ text, calls: toolCalls })
  return { got: JSON.stringify(read.body), reply: { text: said, ...(calls.length > 0 && { toolCalls: calls }) } }
}

/** @returns the number of compared requests */
async function compare({ environment, task, actions }: Recorded, layout: string, label: string, through = directly) {
  const [first, ...others] = parseColumn(label, perturbations).applied
  const applied = [first!, ...others] as const
  const { normalise } = environment
  const episode = { begin: () => environment.begin(task, createRandom('0')), agent: findAgent(layout), normalise }
  const inProcess = await playInProcess(episode, applied, actions)
  const conversations = createConversations(
    { vocabulary: vocabulary!, applied, random: createRandom('0') },
    createMemory(),
  )
  let turns = 0
  const observed = await playThrough(
    episode,
    async (body, turn) => {
      const { got, reply } = await through(body, inProcess.script[turn]!, conversations)
      const wanted = inProcess.sent[turn]!
      if (got !== wanted) {
        const at = [...got].findIndex((character, index) => character !== wanted[index])
        const near = (text: string): string => text.slice(Math.max(0, at - 60), at + 90)
        throw new Error(`${label}, ${layout}, ${task.id}, turn ${String(turn + 1)}\n${near(got)}\n${near(wanted)}`)
      }
      turns++
      return reply
    },
    actions.length,
  )
  expect([label, layout, task.id, turns]).toEqual([label, layout, task.id, inProcess.sent.length])
  expect(observed).toEqual(inProcess.observed)
  return turns
}

interface Row {
  readonly task: string
  readonly generation?: 'old' | 'new'
  readonly gen?: 'old' | 'new'
  readonly steps: readonly { readonly action: string }[]
}

const linesOf = <T>(text: string): T[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
const unpack = (path: string): Row[] => linesOf(gunzipSync(readFileSync(path)).toString('utf8'))

async function generated(rows: readonly Row[]): Promise<Recorded[]> {
  const environments = {
    old: await openEnvironment('household', { generation: 'old' }),
    new: await openEnvironment('household', { generation: 'new' }),
  }
  return rows.flatMap(({ task: id, generation, gen, steps }) => {
    const environment = environments[(generation ?? gen)!]
    const task = environment.tasks.find((one) => one.id === id)
    return task === undefined ? [] : [{ environment, task, actions: steps.map(({ action }) => action) }]
  })
}

/**
 * With a longer history the agents leave its oldest part out. The original text of an action with unusual capital
 * letters that comes first in the rest is then unknown.
 */
const maxTurns = 50

/** Every episode under one of the columns, one after the other. @returns the number of compared requests */
async function compareAll(episodes: readonly Recorded[], layout: string, through = directly): Promise<number> {
  let count = 0
  for (const [index, given] of episodes.entries()) {
    const one = layout === 'tools' ? { ...given, actions: given.actions.slice(0, maxTurns) } : given
    count += await compare(one, layout, columns[index % columns.length]!, through)
  }
  return count
}

describe('messages through the proxy equal those of the perturbation in process, to the byte', () => {
  const fixture = fileURLToPath(new URL('../fixtures/household/recordings.jsonl.gz', import.meta.url))

  it.each(layouts)('%s, for recorded household episodes', async (layout) => {
    const episodes = await generated(unpack(fixture))
    expect(await compareAll(episodes, layout)).toBeGreaterThan(400)
  })

  it.each(layouts)('%s, over HTTP', async (layout) => {
    let reply: Completion = { text: '' }
    let got = ''
    const upstream = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        got = Buffer.concat(chunks).toString('utf8')
        const calls = reply.toolCalls?.map((call) => ({ id: 'c', type: 'function', function: call }))
        const message = { role: 'assistant', content: reply.text, ...(calls && { tool_calls: calls }) }
        response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
      })
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const url = new URL(`http://127.0.0.1:${String((upstream.address() as AddressInfo).port)}/v1`)
    const log = { write: () => undefined }
    const servers = new Map<Conversing, Serving>()
    const overHttp: Through = async (body, own, conversations) => {
      let serving = servers.get(conversations)
      if (serving === undefined) {
        const handle = createProxyHandler({ upstream: url, conversations, condition: 'x', log, now: () => 0 })
        servers.set(conversations, (serving = await serveWith(handle, { port: 0, host: '127.0.0.1' })))
      }
      reply = own
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${serving.baseUrl}/chat/completions`, init)
      const { choices } = (await answer.json()) as {
        choices: [{ message: { content: string; tool_calls?: { function: { name: string; arguments: string } }[] } }]
      }
      const { content, tool_calls: calls } = choices[0].message
      return { got, reply: { text: content, ...(calls && { toolCalls: calls.map((call) => call.function) }) } }
    }
    try {
      const episodes = await generated(unpack(fixture).slice(0, 7))
      expect(await compareAll(episodes, layout, overHttp)).toBeGreaterThan(100)
    } finally {
      for (const serving of servers.values()) await serving.close()
      upstream.close()
    }
  })

  it.skipIf(sharedData === undefined).each(layouts)(
    "%s, for AgentBoard's episodes, with its prompts and our own",
    async (layout) => {
      const folder = join(sharedData!, 'alfworld')
      const options = { data: folder, generation: 'old' }
      const prompt = join(sharedData!, 'agentboard_prompts/alfworld_base.json')
      const environments = [
        await openEnvironment('household', options),
        await openEnvironment('household', { ...options, prompt }),
      ]
      const rows = linesOf<{ readonly game: string; readonly steps: readonly { readonly action: string }[] }>(
        readFileSync(join(folder, 'agentboard/transcripts.jsonl'), 'utf8'),
      )
      const episodes = rows.map(({ game, steps }, index) => {
        const environment = environments[index % 2]!
        return { environment, task: environment.find(game), actions: steps.map(({ action }) => action) }
      })
      const rest = await generated(unpack(join(folder, 'generated-recordings.jsonl.gz')))
      const more = rest.map((one) => ({ ...one, actions: one.actions.slice(0, maxTurns) }))
      expect(await compareAll([...episodes, ...more], layout)).toBeGreaterThan(1500)
    },
    120_000,
  )
})
