import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { Completion, Message, Sampling } from '../../src/core/model.js'
import { measure } from '../../src/play/measure.js'
import { createRandom } from '../../src/core/random.js'
import { createEndpoint } from '../../src/models/index.js'
import type { EndpointOptions } from '../../src/models/index.js'
import { probeServer } from '../../src/models/probe/probe-server.js'
import type { Answer, Loopback } from './loopback.js'
import { json, says, startLoopback } from './loopback.js'
import { send, startFakeServer } from './probe/fake-server.js'

let server: Loopback | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const messages: readonly Message[] = [{ role: 'user', content: 'Where to?' }]
const sampling: Sampling = { temperature: 0, seed: 1, maxTokens: 50, stop: [] }

async function ask(
  answers: readonly Answer[],
  options: Partial<EndpointOptions> = {},
  more: Partial<Sampling> = {},
): Promise<Completion> {
  server = await startLoopback(...answers)
  const limits = { timeoutMs: 5000, longestWaitMs: 5, random: createRandom('test') }
  const endpoint = createEndpoint({ model: 'm', baseUrl: server.baseUrl, apiKey: '', ...limits, ...options })
  return endpoint.complete(messages, { ...sampling, ...more })
}

const choice = (finish_reason: string, more: object = {}) =>
  json({ choices: [{ index: 0, finish_reason, message: { role: 'assistant', content: 'go to d' }, ...more }] })
const text = (body: string, type = 'application/json'): Answer =>
  ((response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type }).end(body)
  }) satisfies Answer
const lines = (...events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')

describe('a provider that fails inside of a 200', () => {
  const failures: [string, Answer, Partial<Sampling>?][] = [
    ...[
      'error',
      'ERROR',
      'network_error',
      'insufficient_system_resource',
      'abort',
      'cancelled',
      'timeout',
      'upstream_failure',
    ].map((finish): [string, Answer] => [`the finish reason ${finish}`, choice(finish)]),
    ['an error on the choice', choice('stop', { error: { code: 502, message: 'Upstream error: connection lost' } })],
    ['an error on the choice with a code of the request', choice('stop', { error: { code: 400, message: 'invalid' } })],
    ['an error on the choice as text', choice('stop', { error: 'connection lost' })],
    ['an error on the message', choice('stop', { message: { content: 'go', error: { message: 'lost' } } })],
    [
      'an error of the body beside a choice',
      json({ error: { message: 'lost' }, choices: [{ message: { content: 'a' } }] }),
    ],
    ['an error of the body of an odd form', json({ error: ['lost'], choices: [{ message: { content: 'a' } }] })],
    [
      'an error in a stream',
      text(lines({ choices: [{ index: 0, delta: { content: 'go' } }] }, { error: { message: 'lost' } }, '[DONE]')),
    ],
    [
      'a stream that ends in an error',
      text(
        lines(
          { choices: [{ index: 0, delta: { content: 'go' } }] },
          { choices: [{ index: 0, delta: {}, finish_reason: 'error' }] },
          '[DONE]',
        ),
      ),
    ],
    ['a stream that is cut off', text(lines({ choices: [{ index: 0, delta: { content: 'go' } }] }))],
    [
      'an error over completions',
      json({ choices: [{ index: 0, text: 'go', finish_reason: 'error' }] }),
      { endpoint: 'completions' },
    ],
  ]
  it.each(failures)('is asked again: %s', async (_, answer, more = {}) => {
    const whole = more.endpoint ? json({ choices: [{ text: 'look', finish_reason: 'stop' }] }) : says('look')
    const { attempts, ...reply } = await ask([answer, whole], {}, more)
    expect(reply).toEqual({ text: 'look', finish: 'stop' })
    expect(attempts!.map(({ outcome }) => outcome)).toEqual([
      expect.stringMatching(/^(?:server-error|bad-reply)$/),
      'ok',
    ])
  })

  it('is never a reply', async () => {
    const failed = await ask([choice('error')], { attempts: 2 }).catch((thrown: unknown) => thrown)
    expect(failed).toMatchObject({ code: 'model', message: expect.stringContaining("the finish reason 'error'") })
    expect(failed).toMatchObject({ attempts: [{ outcome: 'server-error' }, { outcome: 'server-error' }] })
  })

  it('is asked again by the probe too', async () => {
    let first = true
    const fake = await startFakeServer({
      before: ({ path }, response) => {
        if (!first || !path.endsWith('completions')) return false
        first = false
        send(response, 200, { choices: [{ finish_reason: 'error', message: { content: '<think>' } }] })
        return true
      },
    })
    const sleep = () => Promise.resolve()
    const report = await probeServer({ model: 'tuned', baseUrl: fake.baseUrl, apiKey: '', sleep }).finally(fake.close)
    expect(report.findings.find(({ name }) => name === 'reasoning')?.value).toBe('none')
  })
})

describe('a finish reason', () => {
  it.each([
    ['stop', 'stop'],
    ['STOP', 'stop'],
    ['eos', 'stop'],
    ['end_turn', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['model_length', 'length'],
    ['tool_use', 'tool'],
  ])('%s is known as %s', async (reason, finish) => {
    expect(await ask([choice(reason)])).toMatchObject({ finish })
    expect(await ask([choice(reason)])).not.toHaveProperty('finishReason')
  })

  it('that is not known is kept and counted', async () => {
    expect(await ask([choice('content_filter')])).toMatchObject({ finish: 'other', finishReason: 'content_filter' })
    const step = { action: 'look', observation: '', progress: 0 }
    const steps = [{ ...step, finishes: ['content_filter'] }, step, { ...step, finishes: ['odd', 'content_filter'] }]
    expect(measure(steps).finishes).toEqual({ content_filter: 2, odd: 1 })
    expect(measure([step])).not.toHaveProperty('finishes')
  })
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
      lines(
        delta({ role: 'assistant', content: '' }),
        delta({ content: 'lo' }),
        delta({ content: 'ok' }),
        delta({}, { finish_reason: 'stop' }),
        '[DONE]',
      ),
    ],
    ['a stream without its terminator', lines(delta({ content: 'look' }), delta({}, { finish_reason: 'stop' }))],
    [
      'a stream with CRLF and comments',
      `: ok\r\n\r\nevent: x\r\ndata: ${JSON.stringify(whole)}\r\n\r\ndata: [DONE]\r\n\r\n`,
    ],
    ['one event', lines(whole)],
    ['a glued terminator', `${JSON.stringify(whole)}[DONE]`],
    ['a glued terminator of a stream', `${JSON.stringify(whole)}data: [DONE]\n\n`],
    ['a terminator on lines of its own', `${JSON.stringify(whole)}\n\ndata: [DONE]\n\n`],
    ['comments in front', `: PROCESSING\n\n: PROCESSING\n\n${JSON.stringify(whole)}`],
    ['blank lines in front', `\n\n\n${JSON.stringify(whole)}`],
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
      toolCalls: [
        { name: 'take', arguments: '{"obj":"pen 1"}' },
        { name: 'look', arguments: '{}' },
      ],
      logprobs: [
        { token: 'h', logprob: -1 },
        { token: 'm', logprob: -1 },
      ],
      promptTokens: 5,
      completionTokens: 2,
      servedBy: 'other',
    })
  })

  it('may be a stream of calls without an index', async () => {
    const call = (name: string) => delta({ tool_calls: [{ id: name, function: { name, arguments: '{}' } }] })
    const reply = await ask([
      text(lines(call('take'), call('look'), delta({}, { finish_reason: 'tool_calls' }), '[DONE]')),
    ])
    expect(reply.toolCalls).toEqual([
      { name: 'take', arguments: '{}' },
      { name: 'look', arguments: '{}' },
    ])
  })
})

describe('reasoning of calls', () => {
  const turn = (more: object) =>
    json({
      choices: [
        {
          finish_reason: 'tool_calls',
          message: { content: null, ...more, tool_calls: [{ function: { name: 'look', arguments: '{}' } }] },
        },
      ],
    })
  const history: readonly Message[] = [
    ...messages,
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'call00001', name: 'look', arguments: '{}' }],
      reasoning: 'Hm.',
    },
    { role: 'tool', content: 'A desk.', toolCallId: 'call00001' },
  ]
  it.each([
    ['reasoning_content', { reasoning_content: 'Hm.' }, { reasoning_content: 'Hm.' }],
    ['reasoning', { reasoning: 'Hm.' }, { reasoning: 'Hm.' }],
    ['no field', { content: '<think>Hm.</think>' }, {}],
  ])('goes back in the field in which it came: %s', async (_, given, sent) => {
    server = await startLoopback(turn(given))
    const endpoint = createEndpoint({ model: 'm', baseUrl: server.baseUrl, apiKey: '' })
    await endpoint.complete(messages, sampling)
    await endpoint.complete(history, sampling)
    const kept = { ...history[1]!, content: '<think>\nHm.\n</think>\n\n' }
    await endpoint.complete([history[0]!, kept, history[2]!], sampling)
    const [, plain, keeping] = server.heard.map(({ body }) => (body['messages'] as Record<string, unknown>[])[1])
    const { content, role, tool_calls, ...fields } = plain!
    expect([role, content, (tool_calls as unknown[]).length, fields]).toEqual(['assistant', null, 1, sent])
    if (Object.keys(sent).length > 0) expect(keeping).toEqual(plain)
    else expect(keeping!['content']).toBe(kept.content)
  })
})
