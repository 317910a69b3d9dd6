import { afterEach, describe, expect, it } from 'vitest'
import { CallError } from '../../src/models/call-error.js'
import type { Message, Sampling } from '../../src/core/model.js'
import { createRandom } from '../../src/core/random.js'
import type { EndpointOptions, ServerTraits } from '../../src/models/index.js'
import { createEndpoint } from '../../src/models/index.js'
import type { Answer, Loopback } from './loopback.js'
import { json, says, startLoopback } from './loopback.js'

const messages: readonly Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Action: ' },
]
const sampling: Sampling = { temperature: 0, seed: 7, maxTokens: 50, stop: ['\n'] }
const key = 'sk-test-0123456789abcdef'

let server: Loopback | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function open(answers: readonly Answer[], options: Partial<EndpointOptions> = {}) {
  server = await startLoopback(...answers)
  const random = createRandom('test')
  return createEndpoint({
    ...{ model: 'm', baseUrl: server.baseUrl, apiKey: key, timeoutMs: 5000, longestWaitMs: 5, random },
    ...options,
  })
}

const refuses = (message: string, status = 400): Answer =>
  json({ error: { message } }, status, { 'x-request-id': 'r1' })

describe('a server with quirks', () => {
  it.each([
    ["Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", { max_completion_tokens: 50 }],
    ["Unsupported parameter: 'seed'", { seed: undefined }],
    ["Unsupported parameter: 'stop'", { stop: undefined }],
    ['System role not supported', { messages: [{ role: 'user', content: 'Be brief.\n\nAction: ' }] }],
  ])('that answers %j receives changed requests from then on, after one retry', async (said, change) => {
    const warned: string[] = []
    const learned: ServerTraits[] = []
    const endpoint = await open([refuses(said), says('look')], {
      warn: (message) => warned.push(message),
      learned: (traits) => learned.push(traits),
    })
    const { attempts } = await endpoint.complete(messages, sampling)
    expect(attempts).toMatchObject([
      { outcome: 'refused', status: 400, requestId: 'r1' },
      { outcome: 'ok', status: 200 },
    ])
    await endpoint.complete(messages, sampling)
    expect(server!.heard).toHaveLength(3)
    for (const { body } of server!.heard.slice(1)) expect({ ...body, ...change }).toEqual(body)
    expect(warned).toHaveLength(1)
    expect(learned).toHaveLength(1)
  })

  it('that keeps refusing is not tried again', async () => {
    const endpoint = await open([refuses("Unsupported parameter: 'seed'")])
    const thrown: unknown = await Promise.resolve(endpoint.complete(messages, sampling)).catch(
      (error: unknown) => error,
    )
    expect(thrown).toBeInstanceOf(CallError)
    expect((thrown as CallError).attempts).toMatchObject([{ outcome: 'refused' }, { outcome: 'refused' }])
    expect(server!.heard).toHaveLength(2)
  })

  it('whose stop strings cut off reasoning receives none any more', async () => {
    const endpoint = await open([says('<think>'), says('<think>\nhm\n</think>\n\nlook\nback')])
    const completion = await endpoint.complete(messages, sampling)
    expect(completion).toMatchObject({ text: 'look', reasoning: '\nhm\n', attempts: [{ outcome: 'bad-reply' }, {}] })
    expect(server!.heard[1]!.body).not.toHaveProperty('stop')
  })

  it('that reads only a part of a long prompt is reported once', async () => {
    const warned: string[] = []
    const cut = says('look', { usage: { prompt_tokens: 100, completion_tokens: 1 } })
    const endpoint = await open([cut], { warn: (message) => warned.push(message) })
    await endpoint.complete(messages, sampling)
    expect(warned).toEqual([])
    const long = [...messages, { role: 'user', content: 'word '.repeat(2000) } as const]
    await endpoint.complete(long, sampling)
    await endpoint.complete(long, sampling)
    expect(warned).toEqual([expect.stringMatching(/^The server of 'm' counted 100 tokens in a prompt of about \d+: /)])
  })

  it.each([
    [{ detail: [{ loc: ['body', 'n'], msg: 'bad' }] }, /answered 422: \[\{"loc":\["body","n"\],"msg":"bad"\}\]$/],
    [{ object: 'error', message: 'bad n' }, /answered 422: bad n$/],
    ['plain words', /answered 422: "plain words"$/],
  ])('whose error is %j is quoted', async (body, message) => {
    const endpoint = await open([json(body, 422)])
    await expect(endpoint.complete(messages, sampling)).rejects.toThrow(message)
  })
})

describe('a call', () => {
  it('reports every attempt when it finally fails', async () => {
    const limited = json({ error: { message: 'slow' } }, 429, { 'retry-after': '3600', 'x-request-id': 'q' })
    const endpoint = await open([limited, (response) => response.destroy(), refuses('oops', 500)], { attempts: 3 })
    const thrown: unknown = await Promise.resolve(endpoint.complete(messages, sampling)).catch(
      (error: unknown) => error,
    )
    expect((thrown as CallError).attempts).toMatchObject([
      { outcome: 'rate-limit', status: 429, requestId: 'q', waitMs: 0 },
      { outcome: 'connection' },
      { outcome: 'server-error', status: 500, requestId: 'r1' },
    ])
  })

  it('never shows its key, wherever a server repeats it', async () => {
    const echo: Answer = (response, request) => {
      const said = `${request.headers.authorization!} ${key}`
      response.writeHead(400, { 'content-type': 'application/json', 'x-request-id': key })
      response.end(JSON.stringify({ error: { message: said, code: key } }))
    }
    const reported: unknown[] = []
    const endpoint = await open([echo], { warn: (message) => reported.push(message), attempts: 1 })
    const thrown: unknown = await Promise.resolve(endpoint.complete(messages, sampling)).catch(
      (error: unknown) => error,
    )
    const shown = JSON.stringify([String(thrown), thrown, (thrown as CallError).attempts, reported, endpoint.settings])
    expect(shown).toContain('answered 400')
    expect(shown).not.toContain(key)
  })
})
