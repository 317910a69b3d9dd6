import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { ProbeOptions, ProbeReport } from '../../../src/models/probe/probe-server.js'
import { meaningOf } from '../../../src/models/probe/findings.js'
import { identifyServed, listServed, probeServer } from '../../../src/models/probe/probe-server.js'
import { plainTraits } from '../../../src/models/traits.js'
import { startLlama } from '../llama-server.js'
import { closing } from '../loopback.js'
import { type Asked, type FakeServer, type Habits, send, startFakeServer } from './fake-server.js'

const kept = closing<FakeServer>()
let server: FakeServer
const start = async (habits: Habits): Promise<FakeServer> => (server = await kept(startFakeServer(habits)))

const key = 'very-secret-key-0123'
const options = { model: 'tuned', apiKey: key, timeoutMs: 5000, longestWaitMs: 5 }

async function probe(habits: Habits, more: Partial<ProbeOptions> = {}): Promise<ProbeReport> {
  const { baseUrl } = await start(habits)
  return probeServer({ ...options, baseUrl, ...more })
}

const valuesOf = ({ findings }: ProbeReport) => Object.fromEntries(findings.map(({ name, value }) => [name, value]))
const hosted = { top_p: 1, frequency_penalty: 0, presence_penalty: 0 }

const field = { maxTokensField: 'max_completion_tokens' } as const
const trained = [{ id: 'tuned', meta: { n_ctx_train: 131072 } }]

/** As OpenAI's models that reason in secret. */
const endsEarly: Habits['before'] = ({ body }, response) => {
  const error = { message: 'Could not finish the message: output limit was reached' }
  return body !== undefined && Number(body['max_tokens']) < 100 && send(response, 400, { error })
}

describe('the probe of a server', () => {
  it('makes at most eight calls of a server that accepts everything, and reports its traits', async () => {
    const report = await probe({ models: [{ id: 'tuned', max_model_len: 4096 }] })
    expect(valuesOf(report)).toEqual({
      ...{ 'model listed': 'yes', endpoint: 'chat', usage: 'reported', reasoning: 'none', 'temperature 0': 'same' },
      ...{ samplers: 'accepted', seed: 'honoured', tools: 'called', context: 4096 },
    })
    const samplers = { sent: { ...hosted, top_k: 0, min_p: 0, repetition_penalty: 1, repeat_penalty: 1 } }
    expect(report.traits).toEqual({ ...plainTraits, stop: 16, tools: 'accepted', contextTokens: 4096, samplers })
    const { asked, baseUrl } = server
    expect(report.calls).toBe(asked.length)
    expect(asked.filter(({ path }) => path.endsWith('/completions')).length).toBeLessThanOrEqual(8)
    expect(report).toMatchObject({ schema: 1, address: baseUrl, model: 'tuned' })
    const limits = new Set(asked.flatMap(({ body }) => (body === undefined ? [] : [body['max_tokens']])))
    expect(limits).toEqual(new Set([512, 16, 48]))
  })

  it.each<[string, string | number, Habits, RegExp?, object?]>([
    ['model listed', 'no list', { models: null }, /404/],
    ['model listed', 'no', { models: [{ id: 'tuned-7b' }] }, /'tuned-7b'/],
    ['endpoint', 'completions', { chat: 'no path' }, /./, { endpoint: 'completions', tools: 'refused' }],
    ['length limit', 'max_completion_tokens', { ...field, completions: false }, /'max_tokens' is not/, field],
    ['usage', 'none', { usage: 'none' }],
    ['reasoning', 'reasoning_content', { reasoning: 'reasoning_content' }, /./, { stop: 0 }],
    ['reasoning', 'think', { reasoning: '<think>' }, /has <think> in the text/],
    ['reasoning', 'hidden', { reasoning: 'hidden' }, /'length'/, { stop: 0 }],
    ['reasoning', 'none', { before: endsEarly }],
    ['temperature 0', 'different', { greedy: 'different' }],
    ['temperature 0', 'refused', { temperature: 'only 1' }, /does not support 0/],
    ['seed', 'ignored', { seed: 'ignored' }, /./, { seed: 'sent' }],
    ['seed', 'accepted', { seed: 'deaf' }, /./, { seed: 'sent' }],
    ['seed', 'refused', { seed: 'refused' }, /400.*seed/, { seed: 'refused' }],
    ['system role', 'refused', { system: 'refused' }, /./, { systemRole: 'fold' }],
    ['same role twice', 'refused', { consecutive: 'refused' }, /must alternate/, { consecutiveRoles: 'merge' }],
    ['stop strings', 4, { stop: { most: 4 } }, /at most 4/, { stop: 4 }],
    ['logprobs', 'given', {}, /./, { logprobs: 'top' }],
    ['logprobs', 'ignored', { logprobs: 'ignored' }],
    ['logprobs', 'refused', { logprobs: 'refused' }],
    ['tools', 'accepted', { tools: 'ignored' }, /./, { tools: 'accepted' }],
    ['tools', 'refused', { tools: 'refused' }, /extra inputs/, { tools: 'refused' }],
    ['tools', 'refused', { tools: 'crashes' }, /500.*--jinja/, { tools: 'refused' }],
    ['context', 8192, { models: [{ id: 'tuned', context_length: 8192 }] }, /./, { contextTokens: 8192 }],
    ['context', 4096, { models: trained, props: { default_generation_settings: { n_ctx: 4096 } } }, /props/],
    ['context', 'unknown', { models: trained }],
    ['context', 'unknown', { models: [{ id: 'tuned', max_model_len: -5 }] }, /not listed/],
  ])('finds %s: %s with %j', async (name, value, habits, evidence = /./, traits = {}) => {
    const report = await probe(habits, { logprobs: name === 'logprobs' })
    const finding = report.findings.find((one) => one.name === name)!
    expect(finding.value).toBe(value)
    expect(report.traits).toMatchObject(traits)
    expect(finding.evidence).toMatch(evidence)
    expect(meaningOf(finding)).toMatch(/^[A-Z].*\.$/)
  })

  it.each([
    ['vllm', /^$/, 'accepted', { sent: { ...hosted, top_k: -1, min_p: 0, repetition_penalty: 1 } }],
    ['openai', /top_k|min_p/, 'in part', { sent: hosted }],
    ['openai', /top_p/, 'refused', undefined],
  ])('finds out which samplers can be switched off: %s that refuses %s', async (owned_by, refused, value, samplers) => {
    const report = await probe({
      models: [{ id: 'tuned', owned_by }],
      before: ({ body = {} }, response) => {
        const found = Object.keys(body).find((name) => refused.test(name))
        return found !== undefined && send(response, 400, { error: { message: `Unrecognized argument: ${found}` } })
      },
    })
    expect(valuesOf(report)['samplers']).toBe(value)
    expect(report.traits.samplers).toEqual(samplers)
  })

  it.each([
    ['the ChatML that llama.cpp fills in', undefined, 'invented'],
    ["a template that writes today's date", "{{ strftime_now('%d %b %Y') }}{{ messages }}", 'dated'],
  ])('reports where a chat template comes from: %s', async (_, template, value) => {
    const llama = await startLlama()
    if (template !== undefined) llama.swap({ template })
    const report = await probeServer({ ...options, model: 'stories', baseUrl: llama.baseUrl }).finally(llama.close)
    expect(valuesOf(report)['chat template']).toBe(value)
  })

  it('tries again while a model is being loaded, and then asks for the list again', async () => {
    let left = 3
    const said: string[] = []
    const { traits } = await probe(
      {
        models: [{ id: 'tuned', status: { value: 'unloaded' } }, { id: 'other' }],
        before: ({ body }, response) => {
          if (body === undefined || left-- <= 0) return false
          return send(response, 503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } })
        },
      },
      { warn: (text) => said.push(text), timeoutMs: 60_000 },
    )
    expect(traits.endpoint).toBe('chat')
    expect(said).toEqual([expect.stringMatching(/is loading the model: it is asked again for up to/)])
    expect(server.asked.filter(({ path }) => path === '/v1/models')).toHaveLength(2)
  })
})

it('the identity of a served model is asked for without a call of the model', async () => {
  const models = [{ id: 'tuned', owned_by: 'llamacpp', meta: { n_params: 7 } }]
  const props = { total_slots: 1, build_info: 'b1', model_path: '/a/t.gguf' }
  const { baseUrl, asked } = await start({ models, props })
  const listed = { 'listed as': 'tuned', owned_by: 'llamacpp', 'meta.n_params': 7 }
  const known = { ...listed, build_info: 'b1', model_path: 't.gguf' }
  expect(await identifyServed({ ...options, baseUrl })).toEqual(known)
  expect(asked.every(({ body }) => body === undefined)).toBe(true)
  expect(await listServed({ ...options, baseUrl })).toEqual(['tuned'])
})

const page = (response: ServerResponse, status: number): boolean =>
  !!response.writeHead(status, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Welcome</title><p>Hello.')

const garbage: Habits['before'] = (_, response) => !!response.end('<<<')
const echo: Habits['before'] = ({ authorization: message }, response) => send(response, 401, { error: { message } })
const later: Habits['before'] = (_, response) =>
  !!response.writeHead(429, { 'retry-after': '86400' }).end('{"error":{"message":"Daily limit"}}')

it.each<[string, Habits, 'usage' | 'model', RegExp]>([
  ['answers with garbage', { before: garbage }, 'usage', /Expected an OpenAI-compatible .* not JSON: '<<<'/],
  ['has a page', { before: (_, response) => page(response, 404) }, 'usage', /an HTML page \('Welcome'\)/],
  ['has an error', { before: (asked, response) => !!asked.body && page(response, 502) }, 'model', /502: an HTML/],
  ['refuses the key', { before: echo }, 'usage', /The key was refused\. .* 401: Bearer … Check OPENAI_/],
  ['asks for a wait of a day', { before: later }, 'model', /429: Daily limit\. It asks to wait 24 h \(Retry-After\)/],
])('the probe of a server that cannot be used ends with one sentence where it %s', async (_, habits, code, said) => {
  const thrown: unknown = await probe(habits).catch((error: unknown) => error)
  expect(thrown).toMatchObject({ code, message: expect.stringMatching(said) })
  expect(String(thrown)).not.toContain(key)
  expect(server.asked.length).toBeLessThan(15)
})

it('a probe stores no passwords of the address, and no text of the server about the key', async () => {
  const { baseUrl, asked } = await start({
    before: ({ body, authorization }, response) =>
      body !== undefined &&
      'seed' in body &&
      send(response, 400, { error: { message: `seed not supported ${authorization!}` } }),
  })
  const address = `${baseUrl.replace('//', '//me:hunter22@')}?token=hunter33`
  const basic = `Basic ${Buffer.from('me:hunter22').toString('base64')}`
  const report = JSON.stringify(await probeServer({ ...options, baseUrl: address }))
  expect(report).not.toMatch(/hunter|very-secret/)
  expect(report).not.toContain(basic)
  expect(asked[1]).toMatchObject({ path: '/v1/chat/completions?token=hunter33', authorization: basic })
})

describe('the probe of a server with faults', () => {
  const fail = (response: ServerResponse): true =>
    send(response, 500, { error: { message: 'seed, stop, tools, n, logprobs, max_tokens: not supported' } })
  const kinds: Readonly<Record<string, Habits>> = {
    plain: { models: trained, props: { default_generation_settings: { n_ctx: 256 } } },
    strict: {
      ...({ models: null, system: 'refused', consecutive: 'refused', seed: 'refused', stop: { most: 1 } } as const),
      ...({ tools: 'refused', logprobs: 'refused', completions: false, temperature: 'only 1' } as const),
    },
  }
  /** A question identified by its content, so that each attempt at it is the same one. */
  const questionOf = ({ path, body }: Asked): string => `${path} ${JSON.stringify(body ?? null)}`

  it.each(Object.keys(kinds))('gives the same result with one fault at each call of a %s server', async (kind) => {
    const calm = await probe(kinds[kind]!, { logprobs: true })
    const struck = new Set<string>()
    const before: Habits['before'] = (asked, response) => {
      const question = questionOf(asked)
      return !struck.has(question) && struck.add(question) !== undefined && fail(response)
    }
    const report = await probe({ ...kinds[kind], before }, { logprobs: true })
    expect(report.traits).toEqual(calm.traits)
    expect(report.findings).toEqual(calm.findings)
    expect(report.calls).toBe(calm.calls + struck.size)
  })

  it('reports as unknown what a lasting fault hides', async () => {
    const calm = await probe(kinds['plain']!, { logprobs: true })
    const before: Habits['before'] = ({ body }, response) => {
      return body !== undefined && ('tools' in body || 'logprobs' in body || body['seed'] === 2) && fail(response)
    }
    const report = await probe({ ...kinds['plain'], before }, { logprobs: true })
    const { tools, seed, logprobs, ...others } = valuesOf(report)
    expect([tools, seed, logprobs]).toEqual(['unknown', 'unknown', 'unknown'])
    expect(valuesOf(calm)).toMatchObject(others)
    expect(report.traits).toMatchObject({ tools: 'unknown', seed: 'sent' })
  })
})
