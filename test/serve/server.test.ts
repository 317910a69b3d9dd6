import { OpenAI } from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { createReader } from '../../baselines/reader.js'
import type { Model } from '../../src/core/model.js'
import type { Serving } from '../../src/proxy/server.js'
import { serve } from '../../src/proxy/served.js'
import { closing } from '../models/loopback.js'

const question = [
  { role: 'system' as const, content: 'You keep house.' },
  { role: 'user' as const, content: 'Your task is to: put a mug in desk.\nAction: ' },
]
const asked = { model: 'reader', messages: question, seed: 7, temperature: 1 }

let serving: Serving | undefined
afterEach(() => void (serving = undefined))
const kept = closing<Serving>()

async function post(body: unknown, models: readonly Model[] = [createReader()]) {
  serving ??= await kept(serve({ models, port: 0, host: '127.0.0.1' }))
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${serving.baseUrl}/chat/completions`, { method: 'POST', headers, body: text })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('a served control model', () => {
  it('answers as the model itself does, and counts the tokens of its reply', async () => {
    const { status, headers, text } = await post(asked)
    const own = await createReader().complete(question, { temperature: 1, seed: 7, maxTokens: 100, stop: [] })
    expect([status, headers.get('x-request-id')]).toEqual([200, 'req-1'])
    expect(JSON.parse(text)).toEqual({
      ...{ id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/) as unknown, object: 'chat.completion', created: 0 },
      model: 'reader',
      choices: [{ index: 0, message: { role: 'assistant', content: own.text }, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 25, completion_tokens: 1, total_tokens: 26 },
    })
  })

  it('passes on the fields of the request, and calls of functions', async () => {
    const call = { name: 'look', arguments: '{}' }
    const echo: Model = {
      ...{ name: 'echo', settings: {} },
      complete: (messages, sampling) => ({ text: JSON.stringify({ messages, sampling }), toolCalls: [call] }),
    }
    const parameters = { type: 'object', properties: { p: { type: 'string', description: 'where' } } }
    const tool = { type: 'function', function: { name: 'go_to', description: 'Goes.', parameters } }
    const called = { id: 'c1', type: 'function', function: { name: 'go_to', arguments: '{"p":"desk 1"}' } }
    const parts = ['Be ', 'brief.'].map((text) => ({ type: 'text', text }))
    const messages = [
      { role: 'developer', content: parts },
      { role: 'assistant', content: null, tool_calls: [called] },
      { role: 'tool', content: 'You are there.', tool_call_id: 'c1' },
    ]
    const sent = { messages, temperature: 0.5, seed: -3, stop: ['\n', ''], max_completion_tokens: 900, tools: [tool] }
    const { text } = await post({ model: 'echo', ...sent }, [echo])
    const { choices } = JSON.parse(text) as { choices: [{ message: { content: string } }] }
    const calls = [{ type: 'function', id: expect.any(String) as string, function: call }]
    expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: calls } })
    expect(JSON.parse(choices[0].message.content)).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'go_to', arguments: '{"p":"desk 1"}' }] },
        { role: 'tool', content: 'You are there.', toolCallId: 'c1' },
      ],
      sampling: {
        ...{ temperature: 0.5, seed: -3, stop: ['\n'], maxTokens: 900 },
        tools: [{ name: 'go_to', description: 'Goes.', parameters: [{ name: 'p', description: 'where' }] }],
      },
    })
  })

  it.each([
    ['text that is not JSON', '{', 400, null, /^Invalid value for 'body': expected object/],
    ['no model', { messages: question }, 400, 'model', /^Invalid value for 'model': expected string/],
    ['no messages', { model: 'reader' }, 400, 'messages', /^Invalid value for 'messages'/],
    ['a strange role', { ...asked, messages: [{ role: 'me', content: '' }] }, 400, 'messages[0].role', /role/],
    ['log probabilities', { ...asked, logprobs: true }, 400, 'logprobs', /has no log probabilities/],
    ['options of a stream', { ...asked, stream_options: {} }, 400, 'stream_options', /only with 'stream'/],
    ['another model', { ...asked, model: 'raeder' }, 404, 'model', /^Unknown model 'raeder'\. Did you mean 'reader'\?/],
    ['too much', 'x'.repeat(17 * 1024 * 1024), 413, null, /more than 16777216 bytes/],
  ])('answers %s with an error', async (_, body, status, param, message) => {
    const answer = await post(body)
    const { error } = JSON.parse(answer.text) as { error: object }
    expect([answer.status, error]).toMatchObject([
      status,
      { type: 'invalid_request_error', param, message: expect.stringMatching(message) as unknown },
    ])
    expect((await post(asked)).status).toBe(200)
    expect((await fetch(`${serving!.baseUrl}/embeddings`)).status).toBe(404)
  })

  it("is read by OpenAI's own client as a stream, with the usage at its end", async () => {
    await post(asked)
    const client = new OpenAI({ baseURL: serving!.baseUrl, apiKey: 'none', maxRetries: 0 })
    const whole = await client.chat.completions.create(asked)
    const options = { stream: true, stream_options: { include_usage: true } } as const
    let [words, usage, finish]: [string, unknown, unknown] = ['', undefined, undefined]
    for await (const { choices, usage: counted } of await client.chat.completions.create({ ...asked, ...options })) {
      usage = counted
      for (const { delta, finish_reason: end } of choices) {
        words += delta.content ?? ''
        finish = end
      }
    }
    expect([words, finish, usage]).toEqual([whole.choices[0]!.message.content, 'stop', whole.usage])
  })

  it('finishes the requests under way when it closes', async () => {
    const late: Model = {
      ...{ name: 'reader', settings: {} },
      complete: () => new Promise((resolve) => setTimeout(() => resolve({ text: 'look' }), 200)),
    }
    const answer = post(asked, [late])
    await new Promise((resolve) => setTimeout(resolve, 100))
    await serving!.close()
    expect((await answer).status).toBe(200)
    await expect(fetch(`${serving!.baseUrl}/models`)).rejects.toThrow()
  })
})
