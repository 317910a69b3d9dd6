import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Sampling, ShaketableError } from '../../src/index.js'
import { type EndpointOptions, createEndpoint, createServer } from '../../src/models/index.js'
import { boundReply } from '../../src/models/bounds.js'
import { type Answer, json, key, messages, says, useEndpoint } from './loopback.js'

const sampling: Sampling = { temperature: 0.5, seed: 7, maxTokens: 100, stop: ['\n'] }

const { open, heard, baseUrl: baseUrlOf } = useEndpoint(key)
afterEach(() => void vi.unstubAllEnvs())

async function ask(answers: readonly Answer[], options: Partial<EndpointOptions> = {}, more: Partial<Sampling> = {}) {
  const endpoint = await open(answers, options)
  const { attempts, ...said } = await endpoint.complete(messages, { ...sampling, ...more })
  void attempts
  return said
}

async function failure(...call: Parameters<typeof ask>) {
  const thrown: unknown = await ask(...call).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(Error)
  return thrown as ShaketableError
}

describe('an endpoint', () => {
  it('sends the given options and reads the reply', async () => {
    const completion = await ask([says('go to desk 1', { usage: { prompt_tokens: 12, completion_tokens: 4 } })])

    expect(completion).toEqual({ text: 'go to desk 1', finish: 'stop', promptTokens: 12, completionTokens: 4 })
    expect(heard()).toEqual([
      {
        url: '/v1/chat/completions',
        authorization: `Bearer ${key}`,
        body: { model: 'm', messages, stream: false, temperature: 0.5, seed: 7, max_tokens: 100, stop: ['\n'] },
      },
    ])
  })

  it('ends when the caller stops', async () => {
    const stopping = new AbortController()
    const call = ask([() => undefined], {}, { signal: stopping.signal })
    stopping.abort(new Error('stopped by hand'))
    await expect(call).rejects.toThrow('stopped by hand')
  })

  it('accepts an empty reply, and usage that is no usage', async () => {
    const usage = { prompt_tokens: 'many', completion_tokens: -1 }
    expect(await ask([says(null, { usage })])).toEqual({ text: '', finish: 'stop' })
  })

  const call = (name: string, given: unknown) => ({ function: { name, arguments: given } })
  it.each([
    ['a text', { content: 'x'.repeat(3_000_000) }, '… [cut: 131,008 of 3,000,000 characters]'],
    ['arguments', { tool_calls: [call('go', 'y'.repeat(7_000_000))] }, '… [cut: 16,320 of 7,000,000 characters]'],
    ['calls', { tool_calls: Array(100_000).fill(call('go', '1')) }, '1'],
  ])('truncates %s that is too long with a mark, and reports it', async (_, message, end) => {
    const reply = await ask([json({ choices: [{ finish_reason: 'stop', message }] })], {}, { stop: [] })
    const { text, toolCalls = [], tooLong } = reply
    expect([tooLong, toolCalls.length <= 32, text.length <= 1 << 17]).toEqual([true, true, true])
    expect(toolCalls[0]?.arguments ?? text).toMatch(new RegExp(`${end.replace(/[[\]]/g, '\\$&')}$`))
    expect(boundReply(reply)).toEqual(reply)
  })

  it.each([
    [401, { message: `Wrong key: ${key}` }, /^The key was refused\. .* 401: Wrong key: … Check OPENAI_API_KEY\.$/],
    [404, { message: 'no such model' }, /^There is no model 'm', or no such path\. .*404: no such model/],
    [200, { message: 'no credit', code: 402 }, /answered 402: 402, no credit$/],
  ])('fails on an error of status %i with one clear sentence, without another attempt', async (status, error, said) => {
    const thrown = await failure([json({ error }, status)])
    expect(thrown).toMatchObject({ code: 'model', message: expect.stringMatching(said) as string })
    expect(thrown.message).not.toContain(key)
    expect(heard()).toHaveLength(1)
  })
})

describe('keys and addresses', () => {
  it('requires a key only for OpenAI', async () => {
    vi.stubEnv('OPENAI_API_KEY', '')
    expect(() => createEndpoint({ model: 'gpt-4o' })).toThrow(
      "The model 'gpt-4o' at api.openai.com needs a key, and OPENAI_API_KEY is not set.",
    )
    await ask([says('look')], { apiKey: undefined })
    expect(heard()[0]!.authorization).toBeUndefined()
  })

  it('keeps credentials out of settings and messages, and uses them', async () => {
    await open([json({ error: { message: 'user:s3cret is not known' } }, 403)])
    const baseUrl = `${baseUrlOf().replace('http://', 'http://user:s3cret@')}/?token=t0ken`
    const endpoint = createEndpoint({ model: 'm', baseUrl, apiKey: key })
    expect(JSON.stringify(endpoint)).not.toMatch(/s3cret|t0ken|sk-/)
    expect(endpoint.settings).toEqual({ endpoint: `${baseUrlOf()}/`, model: 'm' })
    await expect(endpoint.complete(messages, sampling)).rejects.toThrow(/answered 403: … is not known/)
    expect(heard()[0]).toMatchObject({
      url: '/v1/chat/completions?token=t0ken',
      authorization: `Basic ${Buffer.from('user:s3cret').toString('base64')}`,
    })
  })

  it.each([
    ['user:s3cret@host', '…@host'],
    ['http://user:s3cret@host:99999/v1?key=s3cret', 'http://…@host:99999/v1'],
    ['http://user:s3?cret@host/v1', 'http://…'],
    ['http://host/v1?user=me@s3cret', 'http://…'],
  ])('refuses the base URL %j and shows none of its secrets', (baseUrl, shown) => {
    const make = (): unknown => createEndpoint({ model: 'm', baseUrl })
    expect(make).toThrow(`A base URL begins with http:// or https://, got '${shown}'. Write it like`)
  })

  const odd = [`${key.slice(0, 9)}\n${key.slice(9)}`, `${key}\u200b${key}`]
  it.each(odd)('refuses a key that cannot stand in a header, naming the variable and not the key: %j', (apiKey) => {
    const make = (): unknown => createEndpoint({ model: 'm', baseUrl: 'http://host/v1', apiKey, keyVariable: 'MY_KEY' })
    expect(make).toThrow(/^MY_KEY: expected a key of printable ASCII characters on one line, got one with /)
    expect(make).not.toThrow(key.slice(0, 9))
  })

  it.each<[string, number, (padding: string) => string]>([
    ['the message of an error', 400, (padding) => JSON.stringify({ error: { message: `${padding}${key} no` } })],
    ['a text', 400, (padding) => `${padding}${key} no`],
  ])('removes a key from %s before truncation, wherever the cut is', async (_, status, bodyOf) => {
    for (const length of [170, 190, 199, 275, 290, 299, 580, 590, 599]) {
      const answer: Answer = (response) => response.writeHead(status).end(bodyOf('x'.repeat(length - 10)))
      const thrown = await failure([answer], { attempts: 1 })
      expect(thrown.message).not.toContain('sk-')
    }
  })

  it('removes keys from a reply that repeats them, also those of other servers, before truncation', async () => {
    const other = 'another-key-0123456789'
    const message = {
      content: `<think>${key}</think>say ${key.slice(0, 12)}\n${key.slice(12)} and ${other}\nmore`,
      reasoning: `It is ${key}`,
      tool_calls: [{ function: { name: `act${other}`, arguments: JSON.stringify({ say: key }) } }],
    }
    const answer = json({ choices: [{ finish_reason: 'stop', message }] })
    expect(await ask([answer], { secrets: [other] })).toEqual({
      text: 'say … and …',
      reasoning: 'It is ……',
      finish: 'stop',
      toolCalls: [{ name: 'act…', arguments: '{"say":"…"}' }],
    })
  })

  it('sends the headers of the environment to the default server', async () => {
    vi.stubEnv('OPENAI_ORG_ID', 'my-org')
    vi.stubEnv('OPENAI_PROJECT_ID', 'my-project')
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Gateway-Key: s3cret-value\nX-Team: ours\nAuthorization: other')
    const headers: IncomingHttpHeaders[] = []
    const keeping: Answer = (response, request) => {
      headers.push(request.headers)
      says('the key is s3cret-value')(response)
    }
    expect(await ask([keeping], { headers: { 'x-team': 'mine' } })).toMatchObject({ text: 'the key is …' })
    expect(headers[0]).toMatchObject({
      authorization: `Bearer ${key}`,
      'openai-organization': 'my-org',
      'openai-project': 'my-project',
      'x-gateway-key': 's3cret-value',
      'x-team': 'mine',
    })
  })

  it('shows neither login nor query of a redirect, and sends other servers nothing meant for the default one', async () => {
    vi.stubEnv('OPENAI_ORG_ID', 'my-org')
    vi.stubEnv('OPENAI_ADMIN_KEY', 'my-admin-key')
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'api-key: s3cret')
    const headers: unknown[] = []
    const moved: Answer = (response, request) => {
      headers.push(request.headers)
      response.writeHead(307, { location: 'http://me:s3cret@else/v1?session=s3cret' }).end()
    }
    const thrown = await failure([moved], { apiKey: '', keyVariable: null })
    expect(thrown.message).toContain('the server has moved to http://…@else/v1. Give')
    expect(JSON.stringify(headers)).not.toMatch(/s3cret|my-/)
    expect(headers).toHaveLength(1)
  })
})

/** A server that answers one request at a time, in the given milliseconds each, whatever else it receives. */
function oneSlot(serviceMs: number, { busy = false } = {}): Answer {
  const queue: ServerResponse[] = []
  let isServing = false
  const next = (): void => {
    const response = queue.shift()
    isServing = response !== undefined
    if (response === undefined) return
    setTimeout(() => {
      says('look')(response)
      next()
    }, serviceMs)
  }
  return (response) => {
    if (isServing && busy) return json({ error: { message: 'busy' } }, 429)(response)
    queue.push(response)
    if (!isServing) next()
  }
}

it.each([
  ['serves in order', {}, 4],
  ['refuses while it is busy', { busy: true }, 600],
])('an endpoint whose server has one slot loses no call at 30 in flight if it %s', async (_, habits, maxFailed) => {
  const shared = createServer({ concurrency: 30 })
  await open([oneSlot(40, habits)])
  const limits = { server: shared, timeoutMs: 400 }
  const endpoint = createEndpoint({ model: 'm', baseUrl: baseUrlOf(), apiKey: key, ...limits })
  const calls = Array.from({ length: 60 }, async (_, seed) => endpoint.complete(messages, { ...sampling, seed }))
  const answered = await Promise.all(calls)
  shared.close()
  const failed = answered.flatMap(({ attempts = [] }) => attempts.filter(({ outcome }) => outcome !== 'ok'))
  expect(failed.length).toBeLessThanOrEqual(maxFailed)
  if (failed.length > 0) expect(shared.limiter.allowed).toBeLessThan(30)
})

it('a wait before an attempt of more than five minutes that the server requests is refused, and stops all calls to it', async () => {
  const shared = createServer({ concurrency: 30 })
  const limited = json({ error: { message: 'Daily limit' } }, 429, { 'retry-after': '86400' })
  const thrown = await failure([limited], { server: shared })
  const { host } = new URL(baseUrlOf())
  expect(thrown.message).toBe(
    `http://${host}/v1 answered 429: Daily limit. It asks to wait 24 h (Retry-After); at most 5 min are waited. Ask again later.`,
  )
  expect(shared.circuit.opened.reason).toMatchObject({ message: thrown.message })
  expect(heard()).toHaveLength(1)
})
