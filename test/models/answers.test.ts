import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { CallError } from '../../src/models/call-error.js'
import type { Completion, Message, Sampling } from '../../src/core/model.js'
import type { EndpointOptions, ServerTraits } from '../../src/models/index.js'
import { isFiltered } from '../../src/models/refusals.js'
import { type Answer, json, key, messages, says, useEndpoint } from './loopback.js'

const sampling: Sampling = { temperature: 0, seed: 7, maxTokens: 50, stop: [] }
const stopping: Sampling = { ...sampling, stop: ['\n', 'b'] }
const { open, heard } = useEndpoint(key)

async function ask(
  answers: readonly Answer[],
  options: Partial<EndpointOptions> = {},
  more: Partial<Sampling> = {},
): Promise<Completion> {
  return (await open(answers, options)).complete(messages, { ...sampling, ...more })
}

/** A call, and one after it that the server answers. */
async function askTwice(answer: Answer) {
  const endpoint = await open([answer, says('look')])
  const call = async (): Promise<unknown> => endpoint.complete(messages, sampling)
  const caught = (thrown: unknown): unknown => thrown
  return { first: await call().catch(caught), second: await call().catch(caught) }
}

const refuses = (message: string, status = 400): Answer =>
  json({ error: { message } }, status, { 'x-request-id': 'r1' })

describe('a server with quirks', () => {
  const folded = { messages: [{ role: 'user', content: 'Be brief.\n\nAction: ' }] }
  it.each([
    ["Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", { max_completion_tokens: 50 }],
    ["Unsupported parameter: 'seed'", { seed: undefined }],
    ['[{"loc":["body","seed"],"msg":"Extra inputs are not permitted"}]', { seed: undefined }],
    ["Unsupported parameter: 'stop'", { stop: undefined }],
    ["Invalid 'stop': array too long. Expected an array with maximum length 1, but got 2 instead.", { stop: ['\n'] }],
    ['System role not supported', folded],
    ['Only user and assistant roles are supported!', folded],
    ['Conversation roles must alternate user/assistant/user/assistant/...', folded],
  ])('that answers %j receives changed requests from then on, after one retry', async (said, change) => {
    const warned: string[] = []
    const learned: ServerTraits[] = []
    const endpoint = await open([refuses(said), says('look')], {
      warn: (message) => warned.push(message),
      learned: (traits) => learned.push(traits),
    })
    const { attempts } = await endpoint.complete(messages, stopping)
    expect(attempts).toMatchObject([
      { outcome: 'refused', status: 400, requestId: 'r1' },
      { outcome: 'ok', status: 200 },
    ])
    await endpoint.complete(messages, stopping)
    expect(heard()).toHaveLength(3)
    for (const { body } of heard().slice(1)) expect({ ...body, ...change }).toEqual(body)
    expect(warned).toHaveLength(1)
    expect(learned).toHaveLength(1)
  })

  it.each([
    ["Unsupported parameter: 'seed'", 2],
    ['max_tokens is too large: 9000. This model supports at most 4096 completion tokens.', 1],
    ["Unsupported value: 'temperature' does not support 0 with this model.", 1],
  ])('that keeps refusing with %j fails after %i attempts', async (said, attempts) => {
    const endpoint = await open([refuses(said)])
    await expect(endpoint.complete(messages, stopping)).rejects.toMatchObject({
      attempts: Array(attempts).fill({ outcome: 'refused' }),
    })
  })

  it('that refuses two messages of a role gets them merged, and then folds the system text', async () => {
    const endpoint = await open([refuses('roles must alternate'), refuses('roles must alternate'), says('look')])
    await endpoint.complete([...messages, { role: 'user', content: 'b' }], stopping)
    expect(heard()[1]!.body['messages']).toHaveLength(2)
    expect(heard()[2]!.body['messages']).toEqual([{ role: 'user', content: 'Be brief.\n\nAction: \n\nb' }])
  })

  it('that reads only a part of a long prompt is reported once', async () => {
    const warned: string[] = []
    const cut = says('look', { usage: { prompt_tokens: 100, completion_tokens: 1 } })
    const endpoint = await open([cut], { warn: (message) => warned.push(message) })
    await endpoint.complete(messages, stopping)
    expect(warned).toEqual([])
    const long = [...messages, { role: 'user', content: 'word '.repeat(2000) } as const]
    await endpoint.complete(long, stopping)
    await endpoint.complete(long, stopping)
    expect(warned).toEqual([expect.stringMatching(/^The server of 'm' counted 100 tokens in a prompt of about \d+: /)])
  })

  it.each([
    [{ detail: [{ loc: ['body', 'n'], msg: 'bad' }] }, /answered 422: \[\{"loc":\["body","n"\],"msg":"bad"\}\]$/],
    ['plain words', /answered 422: "plain words"$/],
  ])('whose error is %j is quoted', async (body, message) => {
    const endpoint = await open([json(body, 422)])
    await expect(endpoint.complete(messages, stopping)).rejects.toThrow(message)
  })
})

it('never shows its key, wherever a server repeats it', async () => {
  const echo: Answer = (response, request) => {
    const error = { message: `${request.headers.authorization!} ${key}`, code: key }
    json({ error }, 400, { 'x-request-id': key })(response)
  }
  const reported: unknown[] = []
  const endpoint = await open([echo], { warn: (message) => reported.push(message), attempts: 1 })
  const thrown: unknown = await Promise.resolve(endpoint.complete(messages, stopping)).catch((error: unknown) => error)
  const shown = JSON.stringify([String(thrown), thrown, (thrown as CallError).attempts, reported, endpoint.settings])
  expect(shown).toContain('answered 400')
  expect(shown).not.toContain(key)
})

const look = { name: 'look', arguments: '{}' }
const failure = (status: number, error: unknown): Answer => json({ error }, status)
const finish = (finish_reason: string, message: unknown = { role: 'assistant', content: '' }): Answer =>
  json({ choices: [{ index: 0, finish_reason, message }] })
const choice = (finish_reason: string, more: object = {}) =>
  json({ choices: [{ index: 0, finish_reason, message: { role: 'assistant', content: 'go to d' }, ...more }] })
const text = (body: string, type = 'application/json'): Answer =>
  ((response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type }).end(body)
  }) satisfies Answer
const lines = (...events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')

const go = { choices: [{ index: 0, delta: { content: 'go' } }] }
const ends = { choices: [{ index: 0, delta: {}, finish_reason: 'error' }] }
const lost = { error: { message: 'lost' } }
const failures: [string, Answer][] = [
  ...['ERROR', 'insufficient_system_resource', 'cancelled'].map((end): [string, Answer] => [end, choice(end)]),
  ['an error on the choice', choice('stop', { error: { code: 502, message: 'Upstream error: connection lost' } })],
  ['an error on the choice with a code of the request', choice('stop', { error: { code: 400, message: 'invalid' } })],
  ['an error on the message', choice('stop', { message: { content: 'go', ...lost } })],
  ['an error of the body beside a choice', json({ ...lost, choices: [{ message: { content: 'a' } }] })],
  ['an overload', json({ error: { message: 'Overloaded', type: 'overloaded_error' } })],
  ['an error in a stream', text(lines(go, lost, '[DONE]'))],
  ['a stream that ends in an error', text(lines(go, ends, '[DONE]'))],
  ['a stream that is cut off', text(lines(go))],
]
it.each(failures)('a provider that fails inside of a 200 is asked again: %s', async (_, answer) => {
  const { attempts, ...reply } = await ask([answer, says('look')])
  expect(reply).toEqual({ text: 'look', finish: 'stop' })
  const failed = expect.stringMatching(/^(?:server-error|bad-reply|rate-limit)$/)
  expect(attempts!.map(({ outcome }) => outcome)).toEqual([failed, 'ok'])
})

it.each([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['model_length', 'length'],
  ['tool_use', 'tool'],
  ['content_filter', 'other', 'content_filter'],
])('a finish reason %s is known as %s, and kept where it is not known', async (reason, finish, kept?: string) => {
  const { finish: found, finishReason } = await ask([choice(reason)])
  expect([found, finishReason]).toEqual([finish, kept])
})

describe('the frame of a reply', () => {
  const whole = { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'look' } }] }
  const usage = { prompt_tokens: 5, completion_tokens: 2 }
  const delta = (part: object, more: object = {}) => ({
    choices: [{ index: 0, delta: part, finish_reason: null, ...more }],
  })
  it.each([
    [
      'a stream',
      lines(delta({ content: 'lo' }), delta({ content: 'ok' }), delta({}, { finish_reason: 'stop' }), '[DONE]'),
    ],
    ['one event', lines(whole)],
    ['a glued terminator', `${JSON.stringify(whole)}[DONE]`],
    ['comments in front', `: PROCESSING\n\n: PROCESSING\n\n${JSON.stringify(whole)}`],
  ])('may be %s', async (_, body) => {
    const { attempts, ...reply } = await ask([text(body)])
    expect(reply).toEqual({ text: 'look', finish: 'stop' })
    expect(attempts).toHaveLength(1)
  })

  it('may be a stream with reasoning, calls, log-probabilities and usage', async () => {
    const call = (more: object) => delta({ tool_calls: [more] })
    const logprobs = (token: string) => ({ logprobs: { content: [{ token, logprob: -1 }] } })
    const body = lines(
      { ...delta({ role: 'assistant', reasoning_content: 'h' }), model: 'other' },
      delta({ reasoning_content: 'm' }, logprobs('h')),
      delta({ content: 'So.' }, logprobs('m')),
      call({ index: 0, id: 'a', type: 'function', function: { name: 'take', arguments: '' } }),
      call({ index: 0, function: { arguments: '{"obj":' } }),
      call({ index: 0, function: { arguments: '"pen 1"}' } }),
      call({ index: 1, id: 'b', type: 'function', function: { name: 'look', arguments: '{}' } }),
      delta({}, { finish_reason: 'tool_calls' }),
      { choices: [], usage },
      '[DONE]',
    )
    const { attempts, ...reply } = await ask([text(body, 'text/event-stream')], {}, { logprobs: true })
    expect(attempts).toHaveLength(1)
    expect(reply).toEqual({
      text: 'So.',
      reasoning: 'hm',
      finish: 'tool',
      toolCalls: [{ name: 'take', arguments: '{"obj":"pen 1"}' }, look],
      logprobs: ['h', 'm'].map((token) => ({ token, logprob: -1 })),
      promptTokens: 5,
      completionTokens: 2,
      servedBy: 'other',
    })
  })
})

const turn = (more: object) => finish('tool_calls', { content: null, ...more, tool_calls: [{ function: look }] })
const history: readonly Message[] = [
  messages[1]!,
  { role: 'assistant', content: '', toolCalls: [{ id: 'call00001', ...look }], reasoning: 'Hm.' },
  { role: 'tool', content: 'A desk.', toolCallId: 'call00001' },
]
it.each([
  ['reasoning_content', { reasoning_content: 'Hm.' }, { reasoning_content: 'Hm.' }],
  ['reasoning', { reasoning: 'Hm.' }, { reasoning: 'Hm.' }],
  ['no field', { content: '<think>Hm.</think>' }, {}],
])('reasoning of calls goes back in the field in which it came: %s', async (_, given, sent) => {
  const endpoint = await open([turn(given)])
  await endpoint.complete(messages, sampling)
  await endpoint.complete(history, sampling)
  const kept = { ...history[1]!, content: '<think>\nHm.\n</think>\n\n' }
  await endpoint.complete([history[0]!, kept, history[2]!], sampling)
  const [, plain, keeping] = heard().map(({ body }) => (body['messages'] as Record<string, unknown>[])[1])
  const { content, role, tool_calls, ...fields } = plain!
  expect([role, content, (tool_calls as unknown[]).length, fields]).toEqual(['assistant', null, 1, sent])
  if (Object.keys(sent).length > 0) expect(keeping).toEqual(plain)
  else expect(keeping!['content']).toBe(kept.content)
})

describe('a conversation that a content filter refuses', () => {
  const flagged = { code: 403, message: 'Output was flagged' }
  const cases: [string, Answer][] = [
    ['OpenRouter', failure(403, { code: 403, message: 'openai/gpt-4o requires moderation. Your input was flagged.' })],
    ['Azure', failure(400, { code: 'content_filter', message: "triggered Azure OpenAI's content management policy" })],
    ['Zhipu', failure(400, { code: '1301', message: '系统检测到输入或生成内容可能包含不安全或敏感内容' })],
    ['a legal reason', failure(451, { message: 'no' })],
    ['an error with a code in a 200', failure(200, { code: 403, message: 'Your input was flagged' })],
    ['an error of the choice in a 200', choice('error', { error: flagged, message: { content: '' } })],
    ['content_filter', finish('content_filter')],
    ['SAFETY', finish('SAFETY')],
    ['refusal', finish('refusal')],
  ]
  it.each(cases)('is refused, once, and no key is blamed: %s', async (_, answer) => {
    const { first, second } = await askTwice(answer)
    expect(first).toBeInstanceOf(CallError)
    const { message, attempts, retryable } = first as CallError
    expect(attempts).toMatchObject([{ outcome: 'refused' }])
    expect([retryable, isFiltered(attempts[0]!.status, message)]).toEqual([false, true])
    expect(message).not.toMatch(/key was refused/)
    expect(second).toMatchObject({ text: 'look' })
  })

  it.each([
    [401, 'Incorrect API key provided'],
    [403, 'You are not allowed to use this model'],
    [403, 'Your region is not supported'],
  ])('is told from a key that is refused: %i %s', async (status, said) => {
    const { first } = await askTwice(failure(status, { message: said }))
    expect((first as CallError).message).toMatch(/^The key was refused/)
    expect(isFiltered(status, said)).toBe(false)
  })

  it.each([
    ['text', { content: 'look' }, { text: 'look' }],
    ['the words of a refusal', { content: null, refusal: 'No.' }, { text: 'No.' }],
    ['a call', { content: null, tool_calls: [{ function: look }] }, { toolCalls: [look] }],
  ])('is not what ends a reply with %s', async (_, message, reply) => {
    const { first } = await askTwice(finish('content_filter', message))
    expect(first).toMatchObject({ ...reply, finishReason: 'content_filter' })
  })
})
