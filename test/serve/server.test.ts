import { OpenAI } from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { createReader } from '../../baselines/reader.js'
import type { Model } from '../../src/core/model.js'
import type { Serving } from '../../src/proxy/server.js'
import type { ServeOptions } from '../../src/proxy/served.js'
import { serve } from '../../src/proxy/served.js'

const serveReader = (options: Partial<ServeOptions> = {}): Promise<Serving> =>
  serve({ models: [createReader()], port: 0, host: '127.0.0.1', ...options })

/** A conversation to which the reader has an answer. */
const question = [
  { role: 'system' as const, content: 'You keep house.' },
  { role: 'user' as const, content: 'Your task is to: put a mug in desk.\nAction: ' },
]
const json = { 'content-type': 'application/json' }

let serving: Serving | undefined
afterEach(async () => {
  await serving?.close()
  serving = undefined
})

const asked = { model: 'reader', messages: question, seed: 7, temperature: 1 }

async function post(body: unknown, options: Partial<ServeOptions> = {}, path = '/chat/completions') {
  serving ??= await serveReader(options)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(serving.baseUrl + path, { method: 'POST', headers: json, body: text })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Repeats the whole request, so that a test sees what arrived. */
const echo: Model = {
  name: 'echo',
  settings: {},
  complete: (messages, sampling) => ({ text: JSON.stringify({ messages, sampling }) }),
}

async function echoed(body: Readonly<Record<string, unknown>>, path?: string): Promise<unknown> {
  const { text } = await post({ model: 'echo', max_tokens: 10_000, ...body }, { models: [echo] }, path)
  const [choice] = (JSON.parse(text) as { choices: { text?: string; message?: { content: string } }[] }).choices
  return JSON.parse(choice?.text ?? choice?.message?.content ?? text)
}

describe('a served control model', () => {
  it('answers as the model itself does, and counts the tokens of its reply', async () => {
    const { status, headers, text } = await post(asked)
    const own = await createReader().complete(question, { temperature: 1, seed: 7, maxTokens: 100, stop: [] })

    expect(status).toBe(200)
    expect(headers.get('x-request-id')).toBe('req-1')
    expect(JSON.parse(text)).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/) as unknown,
      object: 'chat.completion',
      created: 0,
      model: 'reader',
      choices: [{ index: 0, message: { role: 'assistant', content: own.text }, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 25, completion_tokens: 1, total_tokens: 26 },
    })
  })

  it('passes on the fields of the request', async () => {
    const tool = {
      type: 'function',
      function: {
        name: 'go_to',
        description: 'Goes.',
        parameters: { type: 'object', properties: { p: { type: 'string', description: 'where' } } },
      },
    }
    const called = { id: 'c1', type: 'function', function: { name: 'go_to', arguments: '{"p":"desk 1"}' } }
    const messages = [
      {
        role: 'developer',
        content: [
          { type: 'text', text: 'Be ' },
          { type: 'text', text: 'brief.' },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [called] },
      { role: 'tool', content: 'You are there.', tool_call_id: 'c1' },
    ]
    const sent = { messages, temperature: 0.5, seed: -3, stop: ['\n', ''], max_completion_tokens: 900, tools: [tool] }
    expect(await echoed(sent)).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'go_to', arguments: '{"p":"desk 1"}' }] },
        { role: 'tool', content: 'You are there.', toolCallId: 'c1' },
      ],
      sampling: {
        temperature: 0.5,
        seed: -3,
        stop: ['\n'],
        maxTokens: 900,
        tools: [{ name: 'go_to', description: 'Goes.', parameters: [{ name: 'p', description: 'where' }] }],
      },
    })
  })
})

describe('an invalid request', () => {
  it.each([
    ['text that is not JSON', '{', 400, null, /^The body of the request is not JSON: /],
    ['no object', [], 400, null, /^Invalid value for 'body': expected object/],
    ['no model', { messages: question }, 400, 'model', /^Invalid value for 'model': expected string/],
    ['no messages', { model: 'reader', messages: [] }, 400, 'messages', /^Invalid value for 'messages'/],
    [
      'a strange role',
      { ...asked, messages: [{ role: 'me', content: '' }] },
      400,
      'messages[0].role',
      /'messages\[0\]\.role'/,
    ],
    ['a hot temperature', { ...asked, temperature: 2.1 }, 400, 'temperature', /'temperature'.*<=2/],
    ['log probabilities', { ...asked, logprobs: true }, 400, 'logprobs', /has no log probabilities/],
    ['options of a stream', { ...asked, stream_options: {} }, 400, 'stream_options', /only with 'stream'/],
    ['another model', { ...asked, model: 'raeder' }, 404, 'model', /^Unknown model 'raeder'\. Did you mean 'reader'\?/],
    ['a property of every object', { ...asked, model: '__proto__' }, 404, 'model', /^Unknown model '__proto__'/],
  ])('is answered with an error: %s', async (_, body, status, param, message) => {
    const answer = await post(body)
    expect(answer.status).toBe(status)
    const { error } = JSON.parse(answer.text) as { error: { message: string; type: string; param: string | null } }
    expect(error.message).toMatch(message)
    expect(error).toMatchObject({ type: 'invalid_request_error', param })
    expect((await post(asked)).status).toBe(200)
  })

  it('is one with an unknown path or method, or a body that is too long', async () => {
    serving = await serveReader()
    const origin = new URL(serving.baseUrl).origin
    expect((await fetch(`${origin}/v1/embeddings`)).status).toBe(404)
    const got = await fetch(`${origin}/v1/chat/completions`)
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await fetch(`${origin}/v1/models`, { method: 'DELETE' })).status).toBe(405)
    expect((await post('x'.repeat(17 * 1024 * 1024))).status).toBe(413)
    expect((await post(asked)).status).toBe(200)
  })

  it('is one without the key, if there is a key', async () => {
    serving = await serveReader({ apiKey: 'open sesame' })
    const { origin } = new URL(serving.baseUrl)
    const withKey = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
    const refused = await post(asked)
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([401, { error: { code: 'invalid_api_key' } }])
    expect((await fetch(`${origin}/v1/models`, withKey('open sesam'))).status).toBe(401)
    expect((await fetch(`${origin}/v1/models`, withKey('open sesame'))).status).toBe(200)
    expect(await (await fetch(`${origin}/health`)).json()).toEqual({ status: 'ok' })
  })
})

describe("OpenAI's own client", () => {
  const open = async (options: Partial<ServeOptions> = {}) => {
    serving = await serveReader(options)
    return new OpenAI({ baseURL: serving.baseUrl, apiKey: 'none', maxRetries: 0 })
  }

  it('reads a stream as the same words as a whole answer, and the usage at its end', async () => {
    const client = await open()
    const whole = await client.chat.completions.create(asked)
    const stream = await client.chat.completions.create({
      ...asked,
      stream: true,
      stream_options: { include_usage: true },
    })
    const words = ['']
    const ends: unknown[] = []
    let usage: unknown
    for await (const { choices, usage: counted } of stream) {
      usage = counted
      for (const { index, delta, finish_reason: finish } of choices) {
        words[index] += delta.content ?? ''
        if (finish !== null) ends.push(finish)
      }
    }
    expect(words).toEqual(whole.choices.map(({ message }) => message.content))
    expect(ends).toEqual(['stop'])
    expect(usage).toEqual(whole.usage)
  })
})

describe('a server that closes', () => {
  it('finishes the requests under way', async () => {
    const late = await serveReader({ latencyMs: 200 })
    const answer = fetch(`${late.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(asked),
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    await late.close()
    expect((await answer).status).toBe(200)
    await expect(fetch(`${late.baseUrl}/models`)).rejects.toThrow()
  })
})
