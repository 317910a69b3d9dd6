import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { OpenAI } from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { createRandom } from '../../src/core/random.js'
import { findEnvironmentKind } from '../../src/environments/index.js'
import { createConversations } from '../../src/proxy/conversation.js'
import { createProxyHandler } from '../../src/proxy/handle.js'
import type { ProxyRecord } from '../../src/proxy/log.js'
import { createMemory } from '../../src/proxy/memory.js'
import { parseColumn } from '../../src/run/columns.js'
import { serveWith } from '../../src/serve/server.js'

const key = 'sk-secret-key-of-a-lab-1234'
const heat = 'heat mug 1 with microwave 1'
const heatAnew = 'heat mug 1 using microwave 1'
const prompt = `You can say 'heat {obj} with {recep}'.\nYou see a mug 1 and a microwave 1.\nAction: ${heat}\nObservation: ok\nAction: `
const promptAnew = prompt.replace('with', 'using').replace(heat, heatAnew)
const messages = [{ role: 'user' as const, content: prompt }]

let closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

interface Got {
  readonly body: string
  readonly request: IncomingMessage
}

/** A proxy before an upstream with the given answers. */
async function start(answer: (response: ServerResponse, got: Got) => void, column = 'agentrefine-1') {
  const got: Got[] = []
  const sockets = new Set<Socket>()
  const upstream = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = { body: Buffer.concat(chunks).toString('utf8'), request }
      got.push(one)
      answer(response, one)
    })
  })
  upstream.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const records: ProxyRecord[] = []
  const [first, ...others] = parseColumn(column, perturbations).applied
  const conversations = createConversations(
    {
      vocabulary: findEnvironmentKind('household').plainText!,
      applied: [first!, ...others],
      random: createRandom('0'),
    },
    createMemory(),
  )
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => upstream.close(resolve))
  }
  const handle = createProxyHandler({
    upstream: new URL(`http://127.0.0.1:${String((upstream.address() as AddressInfo).port)}/api/v1`),
    conversations,
    condition: column,
    log: { write: (record) => records.push(record) },
    now: () => 0,
  })
  const serving = await serveWith(handle, { port: 0, host: '127.0.0.1' })
  closing.push(() => serving.close(), stop)
  const post = (body: unknown, path = '/chat/completions', init: RequestInit = {}) =>
    fetch(serving.baseUrl + path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...init,
    })
  return { baseUrl: serving.baseUrl, got, records, post, stop }
}

const sendJson = (response: ServerResponse, value: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
const said = (content: string) => ({
  id: 'x',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
})
const events = (...chunks: readonly unknown[]): string =>
  chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('')
const delta = (content: object, finish: string | null = null) => ({
  id: 'x',
  choices: [{ index: 0, delta: content, finish_reason: finish }],
})

describe('a proxy before a model', () => {
  it.each([
    [
      'an action in the new wording',
      `Thought: so ${heatAnew}.\nAction: ${heatAnew}`,
      `Thought: so ${heatAnew}.\nAction: ${heat}`,
    ],
    ['an action that is not reworded', 'Action: go to microwave 1', 'Action: go to microwave 1'],
    [
      'tags',
      `<think>Action: x</think><action>${heatAnew}</action>`,
      `<think>Action: x</think><action>${heat}</action>`,
    ],
    ['a label on a line of its own', `Action:\n${heatAnew}\n`, `Action:\n${heat}\n`],
    ['nothing', '', ''],
    ['a plan in prose', 'First I look.\nThen I heat it with care.', 'First I look.\nThen I heat it with care.'],
  ])('translates %s', async (_, own, expected) => {
    const { post, got, records } = await start((response) => sendJson(response, said(own)))
    const reply = (await (await post({ model: 'm', messages, temperature: 0.5 })).json()) as ReturnType<typeof said>
    expect(reply).toEqual(said(expected))
    expect(JSON.parse(got[0]!.body)).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: promptAnew }],
      temperature: 0.5,
    })
    expect(got[0]!.request.url).toBe('/api/v1/chat/completions')
    expect(got[0]!.request.headers.authorization).toBe(`Bearer ${key}`)
    expect(records).toMatchObject([
      { kind: 'turn', condition: 'agentrefine-1', model: 'm', turn: 1, dose: { commandsSeen: 1, leaks: 0 } },
    ])
    expect(JSON.stringify(records)).not.toContain(key)
  })

  it('replaces an action in the old wording, and shows the model its original text', async () => {
    const { post, got, records } = await start((response) =>
      sendJson(response, said(`Thought: warm.\nAction: ${heat}`)),
    )
    const reply = (await (await post({ model: 'm', messages })).json()) as ReturnType<typeof said>
    const told = reply.choices[0]!.message.content
    expect(told).toMatch(/^Thought: warm\.\nAction: unknown-wording-[0-9a-f]{12}$/)
    const more = [
      ...messages,
      { role: 'assistant', content: told },
      { role: 'user', content: `Unknown: ${told.slice(-28)}` },
    ]
    await post({ model: 'm', messages: more })
    const seen = (JSON.parse(got[1]!.body) as { messages: { content: string }[] }).messages
    expect(seen.slice(1).map(({ content }) => content)).toEqual([`Thought: warm.\nAction: ${heat}`, `Unknown: ${heat}`])
    const [one, other] = records as Extract<ProxyRecord, { kind: 'turn' }>[]
    expect(one).toMatchObject({ refused: true, memorised: true, action: heat, turn: 1 })
    expect(other).toMatchObject({ turn: 2, conversation: one!.conversation })
  })

  it('distinguishes two equal conversations', async () => {
    const { post, records } = await start((response) => sendJson(response, said(`Action: ${heatAnew}`)))
    const more = [
      ...messages,
      { role: 'assistant', content: `Action: ${heat}` },
      { role: 'user', content: 'You heat the mug 1.' },
    ]
    for (const one of [messages, messages, more, more]) await post({ model: 'm', messages: one })
    const turns = records as Extract<ProxyRecord, { kind: 'turn' }>[]
    expect(turns.map(({ turn }) => turn)).toEqual([1, 1, 2, 2])
    expect(new Set(turns.map(({ conversation }) => conversation)).size).toBe(2)
    expect(new Set(turns.slice(2).map(({ conversation }) => conversation)).size).toBe(2)
  })

  it('gives a harness with another client the same, streamed, as text and as calls', async () => {
    const { baseUrl } = await start((response, { body }) => {
      const { tools } = JSON.parse(body) as { tools?: { function: { name: string; description: string } }[] }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const parts = tools === undefined ? heatAnew.match(/.{1,5}/g)! : []
      const call = (name: string | undefined, text: string) => ({
        tool_calls: [
          {
            index: 0,
            ...(name && { id: 'c1', type: 'function' }),
            function: { ...(name && { name }), arguments: text },
          },
        ],
      })
      const [name] = tools?.map((tool) => tool.function.name) ?? []
      const calls =
        tools === undefined
          ? []
          : [call(name, ''), call(undefined, '{"obj":"mug 1",'), call(undefined, '"recep":"microwave 1"}')]
      const said = [{ role: 'assistant', content: '' }, ...parts.map((content) => ({ content })), ...calls]
      response.end(
        events(...said.map((one) => delta(one)), delta({}, tools === undefined ? 'stop' : 'tool_calls'), '[DONE]'),
      )
    })
    const client = new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 })
    const text = await client.chat.completions.stream({ model: 'm', messages, stream: true }).finalChatCompletion()
    expect(text.choices[0]!.message.content).toBe(heat)
    const parameters = { type: 'object', properties: { obj: { type: 'string' }, recep: { type: 'string' } } }
    const tool = {
      type: 'function' as const,
      function: { name: 'heat_with', description: "'heat {obj} with {recep}'", parameters },
    }
    const called = await client.chat.completions.stream({ model: 'm', messages, tools: [tool] }).finalChatCompletion()
    expect(called.choices[0]!.message.tool_calls![0]).toMatchObject({
      id: 'c1',
      function: { name: 'heat_with', arguments: '{"obj":"mug 1","recep":"microwave 1"}' },
    })
  })

  it('forwards a stream to the byte if nothing in it changes', async () => {
    const stream = `: hello\n\n${events(delta({ content: 'Action: lo' }), delta({ content: 'ok' }, 'stop'), '[DONE]')}`
    const { post } = await start((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream),
    )
    expect(await (await post({ model: 'm', messages, stream: true })).text()).toBe(stream)
  })

  it('perturbs plain completions too', async () => {
    const { post, got } = await start((response) =>
      sendJson(response, { choices: [{ index: 0, text: ` ${heatAnew}` }] }),
    )
    const reply = await (await post({ model: 'm', prompt }, '/completions')).json()
    expect(JSON.parse(got[0]!.body)).toEqual({ model: 'm', prompt: promptAnew })
    expect(reply).toEqual({ choices: [{ index: 0, text: ` ${heat}` }] })
  })

  it.each<[string, string, string]>([
    ['text that is not JSON', '{"messages"', 'not JSON'],
    [
      'no conversation of the environment',
      '{"model":"m","messages":[{"role":"user","content":"Grade 3 answers."}]}',
      'no known action',
    ],
    ['no messages', '{"model": "m"}', 'no list of messages'],
    ['functions', '{"model":"m","messages":[],"functions":[]}', "'functions'"],
  ])('forwards what it cannot read: %s', async (_, body, why) => {
    const { post, got, records } = await start((response) => sendJson(response, said(heat)))
    expect(await (await post(body)).json()).toEqual(said(heat))
    expect(got[0]!.body).toBe(body)
    expect(records).toMatchObject([{ kind: 'unread', why: expect.stringContaining(why) as unknown }])
  })

  it('forwards other paths, and keeps non-text parts of a message', async () => {
    const { baseUrl, post, got } = await start((response) => sendJson(response, { data: [] }))
    expect(await (await fetch(`${baseUrl}/models?limit=2`)).json()).toEqual({ data: [] })
    expect(got[0]!.request.url).toBe('/api/v1/models?limit=2')
    const image = { type: 'image_url', image_url: { url: 'data:,' } }
    await post({ model: 'm', messages: [{ role: 'user', content: [image, { type: 'text', text: prompt }] }] })
    expect(JSON.parse(got[1]!.body)).toMatchObject({
      messages: [{ content: [image, { type: 'text', text: promptAnew }] }],
    })
  })

  it.each([429, 400, 500, 503])('forwards status %i with its body and Retry-After', async (status) => {
    const { post, records } = await start((response) =>
      response.writeHead(status, { 'retry-after': '7' }).end(`no ${key}`),
    )
    const answer = await post({ model: 'm', messages })
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([status, '7', `no ${key}`])
    expect(records).toMatchObject([{ kind: 'failed', why: `status ${String(status)}` }])
    expect(JSON.stringify(records)).not.toContain(key)
  })

  it('answers 502 if there is no upstream, and 413 to a body that is too long', async () => {
    const { post, stop, records } = await start((response) => sendJson(response, said('look')))
    expect((await post({ model: 'm', messages: 'x'.repeat(17 << 20) })).status).toBe(413)
    await stop()
    const answer = await post({ model: 'm', messages })
    expect([answer.status, await answer.json()]).toMatchObject([502, { error: { code: 'upstream_unreachable' } }])
    expect(records).toMatchObject([{ kind: 'failed' }])
  })

  it.each(['application/json', 'text/event-stream'])('breaks off when the upstream does: %s', async (type) => {
    const { post, records } = await start((response) => {
      response.writeHead(200, { 'content-type': type, 'content-length': '5000' })
      response.write(events(delta({ content: heatAnew })), () => response.destroy())
    })
    await expect(post({ model: 'm', messages, stream: true }).then((answer) => answer.text())).rejects.toThrow()
    expect(records).toMatchObject([{ kind: 'failed' }])
  })

  it('aborts a request when its client disconnects, and waits for a slow upstream', async () => {
    let left: (() => void) | undefined
    const gone = new Promise<void>((resolve) => (left = resolve))
    const { baseUrl, post, records } = await start((response, { body }) => {
      if (body.includes('"slow"')) setTimeout(() => sendJson(response, said(heatAnew)), 300)
      else response.on('close', () => left!())
    })
    const leaving = httpRequest(`${baseUrl}/chat/completions`, { method: 'POST' })
    leaving.on('error', () => undefined)
    leaving.end(JSON.stringify({ model: 'm', messages }))
    setTimeout(() => leaving.destroy(), 200)
    await gone
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(records).toMatchObject([{ kind: 'failed', why: 'the client left' }])
    expect(await (await post({ model: 'slow', messages })).json()).toEqual(said(heat))
  })
})
