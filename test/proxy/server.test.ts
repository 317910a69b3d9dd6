import { type IncomingMessage, type ServerResponse, createServer, request as httpRequest } from 'node:http'
import { OpenAI } from 'openai'
import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { findWords } from '../../perturbations/vocabulary/index.js'
import { createRandom } from '../../src/core/random.js'
import { findEnvironmentKind } from '../../src/environments/index.js'
import { createConversations } from '../../src/proxy/conversation.js'
import { createProxyHandler } from '../../src/proxy/handle.js'
import type { ProxyRecord } from '../../src/proxy/log.js'
import { createMemory } from '../../src/proxy/memory.js'
import { parseCondition } from '../../src/run/conditions.js'
import { serveWith } from '../../src/proxy/server.js'
import { closing, json, listen } from '../models/loopback.js'

const key = 'sk-secret-key-of-a-lab-1234'
const heat = 'heat mug 1 with microwave 1'
const heatAnew = 'heat mug 1 using microwave 1'
const prompt = `You can say 'heat {obj} with {recep}'.\nYou see a mug 1 and a microwave 1.\nAction: ${heat}\nObservation: ok\nAction: `
const promptAnew = prompt.replace('with', 'using').replace(heat, heatAnew)
const messages = [{ role: 'user' as const, content: prompt }]

const parameters = { type: 'object', properties: { obj: { type: 'string' }, recep: { type: 'string' } } }
const heatTool = { name: 'heat_with', description: "'heat {obj} with {recep}'", parameters }
const heatWith = { type: 'function', function: heatTool }

const kept = closing<{ close(): unknown }>()

type Got = Readonly<{ body: string; bytes: Buffer; request: IncomingMessage }>

async function start(answer: (response: ServerResponse, got: Got) => void, condition = 'agentrefine-1') {
  const got: Got[] = []
  const upstream = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const one = { body: bytes.toString('utf8'), bytes, request }
      got.push(one)
      answer(response, one)
    })
  })
  let connections = 0
  upstream.on('connection', () => connections++)
  const { origin, close: stop } = await listen(upstream)
  const records: ProxyRecord[] = []
  const warnings: string[] = []
  const [first, ...others] = parseCondition(condition, perturbations).applied
  const conversations = createConversations(
    {
      vocabulary: findEnvironmentKind('household').plainText!,
      environment: { name: 'household' },
      kinds: Object.keys(findWords('items', { name: 'household' })!),
      applied: [first!, ...others],
      random: createRandom('0'),
    },
    createMemory(),
  )
  const handle = createProxyHandler({
    upstream: new URL(`${origin}/api/v1`),
    conversations,
    condition,
    log: { write: (record) => records.push(record) },
    warn: (message) => warnings.push(message),
    now: () => 0,
  })
  await kept({ close: stop })
  const { baseUrl } = await kept(serveWith(handle, { port: 0, host: '127.0.0.1' }))
  const post = (body: unknown, path = '/chat/completions', init: RequestInit = {}) =>
    fetch(baseUrl + path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...init,
    })
  return { baseUrl, got, records, warnings, post, stop, connections: () => connections }
}

const startWith = (reply: unknown, column?: string) => start((response) => json(reply)(response), column)
const said = (content: string) => {
  return { id: 'x', choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] }
}
const events = (...chunks: readonly unknown[]): string =>
  chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('')
const delta = (content: object, finish_reason: string | null = null) => {
  return { id: 'x', choices: [{ index: 0, delta: content, finish_reason }] }
}
type Turn = Extract<ProxyRecord, { kind: 'turn' }>
const contentOf = async (answer: Promise<Response>): Promise<string> =>
  ((await (await answer).json()) as ReturnType<typeof said>).choices[0]!.message.content

describe('a proxy before a model', () => {
  // '#' is an action in the new wording that is translated, '@' one that stays.
  it.each([
    'Thought: so @.\nAction: #',
    'Action: go to microwave 1',
    '<think>Action: x</think><action>#</action>',
    'Action:\n#\n',
    '{"thought":"@ now","action":"#"}',
    '```json\n{"next": {"moves": ["#"]}}\n```',
    'Action: env\nAction Input: #',
    "env.step('#')",
    'I am ready: I will #, and see.',
    '<think>so <action>#</action>',
    'Thought: cold.\nI could @ first.\nAction: look',
    'Action: “#”',
    'Action：#',
    'First I look.\nThen I heat it with care.',
  ])('translates %j', async (layout) => {
    const expected = layout.replaceAll('#', heat).replaceAll('@', heatAnew)
    const { post, got, records } = await startWith(said(layout.replaceAll(/[@#]/g, heatAnew)))
    expect(await (await post({ model: 'm', messages, temperature: 0.5 })).json()).toEqual(said(expected))
    const [{ body, request }] = got as [Got]
    const sent = { model: 'm', messages: [{ role: 'user', content: promptAnew }], temperature: 0.5 }
    expect([JSON.parse(body), request.url]).toEqual([sent, '/api/v1/chat/completions'])
    expect(request.headers.authorization).toBe(`Bearer ${key}`)
    const dose = { commandsSeen: 1, leaks: 0 }
    expect(records).toMatchObject([{ kind: 'turn', condition: 'agentrefine-1', model: 'm', turn: 1, dose }])
    expect(JSON.stringify(records)).not.toContain(key)
  })

  it('replaces an action in the old wording, and shows the model its original text', async () => {
    const own = `Thought: warm.\nAction: ${heat}`
    const { post, got, records } = await startWith(said(own))
    const told = await contentOf(post({ model: 'm', messages }))
    expect(told).toMatch(/^Thought: warm\.\nAction: unknown-wording-[0-9a-f]{12}$/)
    const answer = { role: 'user', content: `Unknown: ${told.slice(-28)}` }
    await post({ model: 'm', messages: [...messages, { role: 'assistant', content: told }, answer] })
    const seen = (JSON.parse(got[1]!.body) as { messages: { content: string }[] }).messages
    expect(seen.slice(1).map(({ content }) => content)).toEqual([own, `Unknown: ${heat}`])
    const [one, other] = records as Turn[]
    expect(one).toMatchObject({ refused: true, memorised: true, action: heat, turn: 1 })
    expect(other).toMatchObject({ turn: 2, conversation: one!.conversation })
  })

  it('knows a reply again within a prompt that grows', async () => {
    const { post, got, records } = await startWith(said(heatAnew))
    const more = '\nObservation: It is hot.\nAction: '
    const grown = `${prompt}${await contentOf(post({ model: 'm', messages }))}${more}`
    await post({ model: 'm', messages: [{ role: 'user', content: grown }] })
    expect(got[1]!.body).toContain(JSON.stringify(`${promptAnew}${heatAnew}${more}`))
    expect(records).toMatchObject([{ turn: 1 }, { turn: 2 }])
  })

  it('distinguishes two equal conversations', async () => {
    const { post, records } = await startWith(said(`Action: ${heatAnew}`))
    const reply = { role: 'assistant', content: `Action: ${heat}` }
    const more = [...messages, reply, { role: 'user', content: 'You heat the mug 1.' }]
    for (const one of [messages, messages, more, more]) await post({ model: 'm', messages: one })
    const turns = records as Turn[]
    expect(turns.map(({ turn }) => turn)).toEqual([1, 1, 2, 2])
    for (const some of [turns, turns.slice(2)]) {
      expect(new Set(some.map(({ conversation }) => conversation)).size).toBe(2)
    }
  })

  it('gives a harness with another client the same, streamed, as text and as calls', async () => {
    const call = (name: string | undefined, text: string) => ({
      tool_calls: [{ index: 0, ...(name && { id: 'c1', type: 'function' }), function: { name, arguments: text } }],
    })
    const { baseUrl } = await start((response, { body }) => {
      const [tool] = (JSON.parse(body) as { tools?: { function: { name: string } }[] }).tools ?? []
      const parts = tool
        ? [call(tool.function.name, ''), call(undefined, '{"obj":"mug 1",'), call(undefined, '"recep":"microwave 1"}')]
        : heatAnew.match(/.{1,5}/g)!.map((content) => ({ content }))
      const ends = [delta({}, tool ? 'tool_calls' : 'stop'), '[DONE]']
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(events(delta({ role: 'assistant' }), ...parts.map((one) => delta(one)), ...ends))
    })
    const client = new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 })
    const text = await client.chat.completions.stream({ model: 'm', messages }).finalChatCompletion()
    expect(text.choices[0]!.message.content).toBe(heat)
    const tools = [{ ...heatWith, type: 'function' as const }]
    const called = await client.chat.completions.stream({ model: 'm', messages, tools }).finalChatCompletion()
    const expected = { name: 'heat_with', arguments: '{"obj":"mug 1","recep":"microwave 1"}' }
    expect(called.choices[0]!.message.tool_calls).toMatchObject([{ id: 'c1', function: expected }])
  })

  it('perturbs plain completions too', async () => {
    const { post, got } = await startWith({ choices: [{ index: 0, text: ` ${heatAnew}`, logprobs: { tokens: [] } }] })
    const reply = await (await post({ model: 'm', prompt }, '/completions')).json()
    expect(JSON.parse(got[0]!.body)).toEqual({ model: 'm', prompt: promptAnew })
    expect(reply).toEqual({ choices: [{ index: 0, text: ` ${heat}`, logprobs: null }] })
  })

  it('forwards other paths, what mentions nothing of the environment, and parts that are no text', async () => {
    const { baseUrl, post, got, records } = await startWith(said(heat))
    await fetch(`${baseUrl}/models?limit=2`)
    expect(got[0]!.request.url).toBe('/api/v1/models?limit=2')
    const body = '{"model":"m","messages":[{"role":"user","content":"Grade 3 answers."}]}'
    expect(await (await post(body)).json()).toEqual(said(heat))
    expect(got[1]!.body).toBe(body)
    const image = { type: 'image_url', image_url: { url: 'data:,' } }
    await post({ model: 'm', messages: [{ role: 'user', content: [image, { type: 'text', text: prompt }] }] })
    expect(JSON.parse(got[2]!.body)).toMatchObject({
      messages: [{ content: [image, { type: 'text', text: promptAnew }] }],
    })
    const why = expect.stringContaining('no known action') as unknown
    expect(records).toMatchObject([{ kind: 'unread', why }, { kind: 'turn' }])
  })

  it('forwards a failure with its body and Retry-After', async () => {
    const { post, records } = await start((response) =>
      response.writeHead(429, { 'retry-after': '7' }).end(`no ${key}`),
    )
    const answer = await post({ model: 'm', messages })
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([429, '7', `no ${key}`])
    expect(records).toMatchObject([{ kind: 'failed', why: 'status 429' }])
    expect(JSON.stringify(records)).not.toContain(key)
  })

  it('answers 502 if there is no upstream, and 413 to a body that is too long', async () => {
    const { post, stop, records } = await startWith(said('look'))
    expect((await post({ model: 'm', messages: 'x'.repeat(17 << 20) })).status).toBe(413)
    await stop()
    const answer = await post({ model: 'm', messages })
    expect([answer.status, await answer.json()]).toMatchObject([502, { error: { code: 'upstream_unreachable' } }])
    expect(records).toMatchObject([{ kind: 'failed' }])
  })

  it('breaks off when the upstream does', async () => {
    const { post, records } = await start((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '5000' })
      response.write(events(delta({ content: heatAnew })), () => response.destroy())
    })
    await expect(post({ model: 'm', messages, stream: true }).then((answer) => answer.text())).rejects.toThrow()
    expect(records).toMatchObject([{ kind: 'failed' }])
  })
})

describe('a proxy before a model that calls functions', () => {
  const properties = { action: { type: 'string' } }
  const act = { type: 'function', function: { name: 'act', parameters: { type: 'object', properties } } }
  const call = (name: string, given: object) => ({
    ...{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(given) } },
  })
  const custom = (input: string) => ({ id: 'c1', type: 'custom', custom: { name: 'act', input } })
  const items = { obj: 'mug 1', recep: 'microwave 1' }
  const calls = (one: unknown) => ({ choices: [{ index: 0, message: { content: null, tool_calls: [one] } }] })
  const body = { model: 'm', messages, tools: [act, heatWith] }

  it.each([
    ['one function for all actions', call('act', { action: heatAnew }), call('act', { action: heat })],
    ['a custom tool', custom(heatAnew), custom(heat)],
    ['a reworded function', call('heat_using', items), call('heat_with', items)],
  ])('translates %s', async (_, own, expected) => {
    const { post, records } = await startWith(calls(own))
    expect(await (await post(body)).json()).toEqual(calls(expected))
    expect(records).toMatchObject([{ kind: 'turn', dose: { commandsSaid: 1 } }])
  })

  it.each([
    ['the function of the old wording', call('heat_with', items), 'heat_with', 'obj'],
    ['the old wording as an argument', call('act', { action: heat }), 'act', 'action'],
  ])('keeps a refused call offered: %s', async (_, own, name, slot) => {
    const { post, got, records } = await startWith(calls(own))
    const reply = (await (await post(body)).json()) as { choices: { message: { tool_calls: [typeof own] } }[] }
    const called = reply.choices[0]!.message.tool_calls[0].function
    expect(called.name).toBe(name)
    const given = JSON.parse(called.arguments) as Record<string, string>
    expect(given[slot]).toMatch(/^unknown-wording-[0-9a-f]{12}$/)
    expect(records).toMatchObject([{ refused: true, memorised: true, dose: { commandsSaid: 0 } }])
    const message = { role: 'assistant', content: null, tool_calls: [{ ...own, function: called }] }
    const result = { role: 'tool', tool_call_id: 'c1', content: 'Nothing happens.' }
    await post({ ...body, messages: [...messages, message, result] })
    expect((JSON.parse(got[1]!.body) as typeof body).messages[1]).toMatchObject({ tool_calls: [own] })
  })
})

describe('a proxy of the Responses API', () => {
  const tool = { type: 'function', ...heatTool }
  const message = (text: string) => ({
    ...{ type: 'message', id: 'm1', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] },
  })
  const items = '{"obj":"mug 1","recep":"microwave 1"}'
  const call = (name: string) => ({ type: 'function_call', id: 'f1', call_id: 'c1', name, arguments: items })
  const response = (id: string, ...output: unknown[]) => ({ id, object: 'response', status: 'completed', output })

  it('translates texts, whole or as items, and what the server repeats', async () => {
    const { post, got, records } = await start((answer, { body }) => {
      const { instructions } = JSON.parse(body) as { instructions: string }
      json({ ...response('r', message(heatAnew)), instructions })(answer)
    })
    const image = { type: 'input_image', image_url: 'data:,' }
    const input = (text: string) => [{ role: 'user', content: [{ type: 'input_text', text }, image] }]
    const instructions = "You can say 'heat {obj} with {recep}'."
    for (const given of [prompt, input(prompt)]) {
      const reply = await (await post({ model: 'm', instructions, input: given }, '/responses')).json()
      expect(reply).toEqual({ ...response('r', message(heat)), instructions })
    }
    expect(got.map(({ body }) => (JSON.parse(body) as { input: unknown }).input)).toEqual([
      promptAnew,
      input(promptAnew),
    ])
    expect(JSON.parse(got[0]!.body)).toMatchObject({ instructions: instructions.replace('with', 'using') })
    expect(records).toMatchObject([{ kind: 'turn', dose: { commandsSaid: 1 } }, { kind: 'turn' }])
  })

  it('translates functions and their history', async () => {
    const thought = { type: 'reasoning', id: 'x', summary: [] }
    const { post, got, records } = await startWith(response('r', thought, call('heat_using')))
    const tools = [tool, { type: 'web_search' }]
    const body = { model: 'm', input: [{ role: 'user', content: prompt }] as unknown[], tools }
    const choice = { type: 'function', name: 'heat_with' }
    const { output } = (await (await post({ ...body, tool_choice: choice }, '/responses')).json()) as {
      output: unknown[]
    }
    expect(output.at(-1)).toEqual(call('heat_with'))
    expect(JSON.parse(got[0]!.body)).toMatchObject({
      tools: [{ type: 'function', name: 'heat_using', description: "'heat {obj} using {recep}'" }, tools[1]],
      tool_choice: { name: 'heat_using' },
    })
    const result = { type: 'function_call_output', call_id: 'c1', output: `You ${heat}.` }
    await post({ ...body, input: [...body.input, ...output, result] }, '/responses')
    expect((JSON.parse(got[1]!.body) as { input: unknown[] }).input.slice(2)).toEqual([
      call('heat_using'),
      { ...result, output: `You ${heatAnew}.` },
    ])
    expect(records).toMatchObject([{ turn: 1 }, { turn: 2 }])
  })

  it.each([
    ['text', message(heatAnew), message(heat)],
    ['a function', call('heat_using'), call('heat_with')],
  ])('translates a stream with %s', async (_, own, expected) => {
    const isCall = own.type === 'function_call'
    const begun = isCall ? { ...own, arguments: '' } : { ...own, content: [] }
    const whole = 'arguments' in own ? own.arguments : heatAnew
    const at = { item_id: own.id, output_index: 0, ...(!isCall && { content_index: 0 }) }
    const kind = isCall ? 'function_call_arguments' : 'output_text'
    const parts = whole.match(/.{1,7}/gs)!
    const given = [
      { type: 'response.created', response: response('r') },
      { type: 'response.output_item.added', output_index: 0, item: begun },
      ...parts.map((part) => ({ type: `response.${kind}.delta`, ...at, delta: part })),
      { type: `response.${kind}.done`, ...at, [isCall ? 'arguments' : 'text']: whole },
      { type: 'response.output_item.done', output_index: 0, item: own },
      { type: 'response.completed', response: response('r', own) },
    ]
    const { baseUrl, post, records } = await start((answer) => {
      const stream = given.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('')
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream)
    })
    const text = await (await post({ model: 'm', input: prompt, stream: true, tools: [tool] }, '/responses')).text()
    expect(text).not.toContain('using')
    const client = new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 })
    const types: string[] = []
    let said = ''
    const tools = [{ ...tool, type: 'function' as const, strict: null }]
    const streamed = client.responses.stream({ model: 'm', input: prompt, tools })
    for await (const event of streamed) {
      types.push(event.type)
      if (event.type === `response.${kind}.delta` && 'delta' in event) said += String(event.delta)
    }
    expect(types.filter((type) => !type.includes('content_part'))).toEqual(
      ['created', 'output_item.added', `${kind}.delta`, `${kind}.done`, 'output_item.done', 'completed'].map(
        (type) => `response.${type}`,
      ),
    )
    expect(said).toBe('arguments' in expected ? expected.arguments : heat)
    expect((await streamed.finalResponse()).output).toMatchObject([expected])
    expect(records).toMatchObject([{ kind: 'turn' }, { kind: 'turn' }])
  })

  it('says where the server alone has what was said before', async () => {
    const { post, got, records, warnings } = await startWith(response('r2', message(heatAnew)))
    await post({ model: 'm', input: prompt, previous_response_id: 'r1' }, '/responses')
    expect(JSON.parse(got[0]!.body)).toMatchObject({ input: promptAnew, previous_response_id: 'r1' })
    expect(records).toMatchObject([{ kind: 'unread' }, { kind: 'turn' }])
    expect(warnings).toHaveLength(1)
  })
})

describe('the requests that a proxy counts', () => {
  it('are chats at other paths too', async () => {
    const path = '/openai/deployments/m/chat/completions?api-version=2024-10-21'
    const { post, got, records } = await startWith(said(`Action: ${heatAnew}`))
    expect(await (await post({ model: 'm', messages }, path)).json()).toEqual(said(`Action: ${heat}`))
    expect(got[0]!.request.url).toBe(`/api/v1${path}`)
    expect(records).toMatchObject([{ kind: 'turn' }])
  })

  it.each([
    ['/messages', { messages }],
    ['/models/m:generateContent', { contents: [{ parts: [{ text: prompt }] }] }],
  ])('%s is passed on, counted, and warned of once', async (path, body) => {
    const { post, got, records, warnings } = await start((response) => response.writeHead(400).end('{}'))
    for (const model of ['m', 'm']) expect((await post({ model, ...body }, path)).status).toBe(400)
    expect(JSON.parse(got[0]!.body)).toEqual({ model: 'm', ...body })
    expect(records.map(({ kind }) => kind)).toEqual(['unread', 'failed', 'unread', 'failed'])
    expect(warnings).toEqual([expect.stringContaining(path)])
  })

  it.each([
    ['/slots/0', { action: 'erase' }],
    ['/detokenize', { tokens: [1, 2, 3] }],
  ])('%s without a prompt is passed on in silence', async (path, body) => {
    const { post, records } = await startWith({})
    expect((await post(body, path)).status).toBe(200)
    expect(records).toEqual([])
  })

  it('passes on bytes as they are, and counts what is compressed', async () => {
    const bytes = Buffer.from([0x1f, 0x8b, 0xff, 0x00])
    const { baseUrl, got, records } = await startWith({})
    for (const [path, headers] of [
      ['/files', { 'content-type': 'application/pdf' }],
      ['/chat/completions', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    ] as const) {
      await fetch(baseUrl + path, { method: 'POST', headers, body: bytes })
    }
    expect(got.map(({ bytes: one }) => one)).toEqual([bytes, bytes])
    expect(records).toMatchObject([{ kind: 'unread', why: 'its body is compressed' }])
  })

  const tools = ['heat_with', 'visit'].map((name) => ({ type: 'function', function: { name } }))
  const calls = (...all: readonly (readonly [name: string, given: object])[]) =>
    all.map(([name, given]) => ({ type: 'function', function: { name, arguments: JSON.stringify(given) } }))
  const written = { name: 'heat_using', arguments: { obj: 'mug 1', recep: 'microwave 1' } }

  it.each<[string, object, string?]>([
    ['a call in JSON', { content: `<tool_call>${JSON.stringify(written)}</tool_call>` }],
    ['a call as code', { content: 'heat_using(obj="mug 1", recep="microwave 1")' }],
    [
      'a form in an argument beside an action',
      { tool_calls: calls(['visit', { say: 'look', note: 'as in heat {obj} using {recep}' }]) },
    ],
    ['an item in another function', { tool_calls: calls(['visit', { place: 'cup 1' }]) }, 'item-synonyms'],
    ['an item in JSON', { content: '{"verb":"take","item":"cup 1"}' }, 'item-synonyms'],
  ])('counts what it cannot translate: %s', async (_, message, condition = 'agentrefine-1') => {
    const { post, records, warnings, got } = await start((response) => {
      const name = /(\w+) 1 and a/.exec(got[0]!.body)![1]!
      json(JSON.parse(JSON.stringify({ choices: [{ message }] }).replaceAll('cup', name)))(response)
    }, condition)
    await post({ model: 'm', messages, tools })
    expect(records).toMatchObject([{ kind: 'unread' }, { kind: 'turn' }])
    expect(warnings).toHaveLength(1)
  })

  it('keeps its connection to the upstream, also after that closed it', async () => {
    const { post, got, connections } = await start((response) => {
      if (got.length === 4) response.destroy()
      else json(said('Action: look'))(response)
    })
    for (const model of ['a', 'b', 'c']) await post({ model, messages })
    expect(connections()).toBe(1)
    expect((await post({ model: 'm', messages })).status).toBe(200)
    expect([connections(), got.length]).toEqual([2, 5])
  })
})

describe('a proxy under attack', () => {
  it.each([
    ['<action>', 1 << 20],
    ['<action>look</action>', 1 << 14],
    ['"\\"', 1 << 15],
    [`${heatAnew} `, 1 << 12],
  ])('reads a reply of repeated %j soon', async (piece, times) => {
    const { post } = await startWith(said(piece.repeat(times)))
    const began = performance.now()
    await (await post({ model: 'm', messages })).text()
    expect(performance.now() - began).toBeLessThan(5000)
  })

  it.each([
    ['authorization', `Bearer ${key}`, key],
    ['authorization', `Basic ${Buffer.from('someone:opensesame').toString('base64')}`, 'opensesame'],
    ['x-goog-api-key', 'AIzaSyA-1234567890', 'AIzaSyA-1234567890'],
  ])('logs no value of the header %s, also cut in two', async (name, value, secret) => {
    const words = ['take ', `take ${'x'.repeat(300 - 5 - secret.length + 1)}`]
    for (const word of words) {
      const { post, records } = await startWith(said(`Action: ${word}${secret} now`))
      const headers = { 'content-type': 'application/json', [name]: value }
      await post({ model: `m-${secret}`, messages }, '/chat/completions', { headers })
      expect(JSON.stringify(records)).not.toContain(secret.slice(0, secret.length - 2))
      expect(records).toHaveLength(1)
    }
  })

  it.each([
    [403, { host: 'evil.example' }],
    [403, { origin: 'http://evil.example' }],
    [415, { 'content-type': 'text/plain' }],
    [400, {}, '/v1/../../health'],
    [400, {}, '/v1/..%5chealth'],
    [400, {}, '/v1/..;/health'],
    [400, {}, 'http://evil.example/v1/chat/completions'],
  ])('answers %i to a web page or a path outside: %j %s', async (status, headers, path = '/v1/chat/completions') => {
    const { baseUrl, got, records } = await startWith(said('look'))
    const { hostname, port } = new URL(baseUrl)
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const sent = { 'content-type': 'application/json', ...headers }
      httpRequest({ hostname, port, path, headers: sent, method: 'POST' }, ({ statusCode }) => resolve(statusCode))
        .on('error', reject)
        .end(JSON.stringify({ model: 'm', messages }))
    })
    expect([answered, got.length, records]).toEqual([status, 0, []])
  })
})
