import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ServerTraits } from '../../../src/models/traits.js'
import { plainTraits } from '../../../src/models/traits.js'
import type { ProbeOptions, ProbeReport } from '../../../src/models/probe/probe-server.js'
import { meaningOf } from '../../../src/models/probe/findings.js'
import { probeServer } from '../../../src/models/probe/probe-server.js'
import type { Asked, FakeServer, Habits } from './fake-server.js'
import { send, startFakeServer } from './fake-server.js'
import { startLlama } from '../llama-server.js'
import { sharedData } from '../../shared-data.js'

let server: FakeServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function probe(habits: Habits, more: Partial<ProbeOptions> = {}): Promise<ProbeReport> {
  server = await startFakeServer(habits)
  return probeServer({ model: 'tuned', baseUrl: server.baseUrl, apiKey: '', sleep: () => Promise.resolve(), ...more })
}

function valueOf({ findings }: ProbeReport, name: string): string | number | undefined {
  return findings.find((finding) => finding.name === name)?.value
}

describe('the probe of a server', () => {
  const hosted = { top_p: 1, frequency_penalty: 0, presence_penalty: 0 }
  const vllm = { ...hosted, top_k: -1, min_p: 0, repetition_penalty: 1 }
  it.each([
    ['vLLM, which refuses an impossible one', 'vllm', /^top_k is -7/, 'neutral', { sent: vllm }],
    ['vLLM behind a gateway that takes all', 'vllm', /^$/, 'accepted', { sent: vllm }],
    ['a hosted API that refuses unknown fields', 'openai', /top_k|min_p/, 'in part', { sent: hosted }],
    ['an API that refuses all of them', 'openai', /top_p/, 'refused', undefined],
  ])('finds out which samplers can be switched off: %s', async (_, owned_by, refused, value, samplers) => {
    const report = await probe({
      models: [{ id: 'tuned', owned_by }],
      before: ({ body = {} }, response) => {
        const found = Object.entries(body).find(([name, given]) => refused.test(`${name} is ${String(given)}`))
        if (found !== undefined) send(response, 400, { error: { message: `Unrecognized argument: ${found[0]}` } })
        return found !== undefined
      },
    })
    expect(valueOf(report, 'samplers')).toBe(value)
    expect(report.traits.samplers).toEqual(samplers)
  })

  it.each([
    ['the ChatML that llama.cpp fills in', undefined, 'invented'],
    [
      'the same with escaped line breaks',
      "{%- for message in messages -%}{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}{%- endfor -%}{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}",
      'invented',
    ],
    ["a template that writes today's date", "{{ strftime_now('%d %b %Y') }}{{ messages }}", 'dated'],
    ['a template of its own', "{{ bos_token + '[INST] ' + messages[0].content + ' [/INST]' }}", 'own'],
  ])('reports where a chat template comes from: %s', async (_, template, value) => {
    const llama = await startLlama()
    if (template !== undefined) llama.swap({ template })
    const report = await probeServer({ model: 'stories', baseUrl: llama.baseUrl, apiKey: '' }).finally(llama.close)
    expect(valueOf(report, 'chat template')).toBe(value)
    expect(meaningOf(report.findings.find(({ name }) => name === 'chat template')!)).not.toMatch(/^It /)
  })

  it('says from time to time that it still goes on', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const said: string[] = []
    server = await startFakeServer({
      before: (_, __, count) => {
        if (count === 3) vi.advanceTimersByTime(20_000)
        return false
      },
    })
    const warn = (message: string): void => void said.push(message)
    await probeServer({ model: 'tuned', baseUrl: server.baseUrl, apiKey: '', warn })
    vi.advanceTimersByTime(60_000)
    vi.useRealTimers()
    expect(said).toHaveLength(2)
    for (const text of said) expect(text).toMatch(/is still being asked about 'tuned': \d calls so far\.$/)
  })

  it('sends few requests to a server that accepts everything, and reports all its traits', async () => {
    const report = await probe({ models: [{ id: 'tuned', max_model_len: 4096 }] })

    expect(Object.fromEntries(report.findings.map(({ name, value }) => [name, value]))).toEqual({
      'model listed': 'yes',
      endpoint: 'chat',
      'length limit': 'max_tokens',
      usage: 'reported',
      reasoning: 'none',
      'temperature 0': 'same',
      samplers: 'accepted',
      seed: 'honoured',
      'system role': 'accepted',
      'same role twice': 'accepted',
      'stop strings': 16,
      tools: 'called',
      context: 4096,
    })
    const hosted = { top_p: 1, frequency_penalty: 0, presence_penalty: 0 }
    const sent = { ...hosted, top_k: 0, min_p: 0, repetition_penalty: 1, repeat_penalty: 1 }
    const traits = { ...plainTraits, stop: 16, tools: 'accepted', contextTokens: 4096, samplers: { sent } }
    expect(report.traits).toEqual(traits)
    expect(report.calls).toBe(server!.asked.length)
    expect(server!.asked.filter(({ path }) => path.endsWith('/completions')).length).toBeLessThanOrEqual(8)
    expect(report.calls).toBeLessThanOrEqual(12)
    expect(report).toMatchObject({ schema: 1, address: server!.baseUrl, model: 'tuned' })
    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
    const limits = server!.asked.flatMap(({ body }) => (body === undefined ? [] : [body['max_tokens']]))
    expect(new Set(limits)).toEqual(new Set([512, 16, 48]))
  })

  it.each<[string, string | number, Habits, RegExp?, Partial<ServerTraits>?]>([
    ['model listed', 'no list', { models: null }, /404/],
    ['model listed', 'no', { models: [{ id: 'tuned-7b' }] }, /'tuned-7b'/],
    ['endpoint', 'completions', { chat: 'no path' }, /./, { endpoint: 'completions' }],
    ['endpoint', 'completions', { chat: 'no template' }, /chat template/],
    ['tools', 'refused', { chat: 'no path' }, /./, { tools: 'refused' }],
    [
      'length limit',
      'max_completion_tokens',
      { maxTokensField: 'max_completion_tokens', completions: false },
      /'max_tokens' is not supported/,
      { maxTokensField: 'max_completion_tokens' },
    ],
    ['length limit', 'ignored', { limit: 'ignored' }, /at most 16 tokens, got 100/],
    ['usage', 'none', { usage: 'none' }],
    ['reasoning', 'reasoning_content', { reasoning: 'reasoning_content' }],
    ['reasoning', 'reasoning', { reasoning: 'reasoning' }],
    ['reasoning', 'think', { reasoning: '<think>' }, /has <think> in the text/],
    ['reasoning', 'think', { reasoning: '[THINK]' }, /has \[THINK\] in the text/],
    ['reasoning', 'think', { reasoning: '<|channel|>analysis<|message|>' }, /has <\|channel\|>analysis/],
    ['reasoning', 'hidden', { reasoning: 'hidden' }, /'length'/],
    ['temperature 0', 'different', { greedy: 'different' }],
    ['temperature 0', 'refused', { temperature: 'only 1' }, /does not support 0/],
    ['seed', 'ignored', { seed: 'ignored' }, /./, { seed: 'sent' }],
    ['seed', 'accepted', { seed: 'deaf' }, /./, { seed: 'sent' }],
    ['seed', 'refused', { seed: 'refused' }, /400.*seed/, { seed: 'refused' }],
    ['seed', 'ignored', { seed: 'ignored', limit: 'error when cut' }],
    ['seed', 'unknown', { seed: 'crashes' }, /500/, { seed: 'sent' }],
    ['system role', 'refused', { system: 'refused' }, /./, { systemRole: 'fold' }],
    ['same role twice', 'refused', { consecutive: 'refused' }, /must alternate/, { consecutiveRoles: 'merge' }],
    ['stop strings', 4, { stop: { most: 4 } }, /at most 4/, { stop: 4 }],
    ['stop strings', 1, { stop: { most: 1 } }, /./, { stop: 1 }],
    ['stop strings', 0, { stop: { most: 0 } }, /at most 0/, { stop: 0 }],
    ['stop strings', 9, { stop: { most: 9 } }, /at most 9/, { stop: 9 }],
    ['stop strings', 16, { reasoning: 'hidden' }, /accepted/, { stop: 0 }],
    ['logprobs', 'given', {}],
    ['logprobs', 'ignored', { logprobs: 'ignored' }],
    ['logprobs', 'refused', { logprobs: 'refused' }],
    ['tools', 'accepted', { tools: 'ignored' }, /./, { tools: 'accepted' }],
    ['tools', 'refused', { tools: 'refused' }, /extra inputs/, { tools: 'refused' }],
    ['tools', 'refused', { tools: 'crashes' }, /500.*--jinja/, { tools: 'refused' }],
    ['context', 8192, { models: [{ id: 'tuned', context_length: 8192 }] }, /./, { contextTokens: 8192 }],
    ['context', 2048, { models: [{ id: 'x' }, { id: 'tuned', meta: { n_ctx: 2048 } }] }],
    [
      'context',
      4096,
      {
        models: [{ id: 'tuned', meta: { n_ctx_train: 131072 } }],
        props: { default_generation_settings: { n_ctx: 4096 } },
      },
      /\/props/,
    ],
    ['context', 32768, { models: [{ id: 'tuned', meta: { n_ctx_train: 32768 } }] }],
    [
      'slots',
      2,
      { models: [{ id: 'tuned', owned_by: 'llamacpp' }], props: { total_slots: 2 } },
      /\/props/,
      { slots: 2 },
    ],
    ['slots', 1, { models: [{ id: 'tuned', owned_by: 'llamacpp' }], slots: [{ id: 0 }] }, /\/slots/, { slots: 1 }],
    [
      'slots',
      'not told',
      { models: [{ id: 'tuned', owned_by: 'llamacpp' }], props: { total_slots: 0 }, slots: [] },
      /^\/props: .*\/slots: /,
    ],
    ['context', 'unknown', {}, /not listed/],
    ['context', 'unknown', { models: [{ id: 'tuned', max_model_len: -5, context_length: 'long' }] }],
  ])('finds %s: %s with %j', async (name, value, habits, evidence = /./, traits = {}) => {
    const report = await probe(habits, { logprobs: name === 'logprobs' })

    expect(valueOf(report, name)).toBe(value)
    expect(report.traits).toMatchObject(traits)
    const finding = report.findings.find((one) => one.name === name)!
    expect(finding.evidence).toMatch(evidence)
    expect(meaningOf(finding)).toMatch(/^[A-Z].*\.$/)
  })

  it.skipIf(sharedData === undefined)('reads the slots of a real llama.cpp server', async () => {
    const recorded = readFileSync(join(sharedData!, 'llama-server/default.jsonl'), 'utf8').trim().split('\n')
    const exchanges = recorded.map((line) => JSON.parse(line) as { readonly path: string; readonly response: unknown })
    const said = (path: string): unknown => exchanges.find((one) => one.path === path)!.response
    const models = (said('/v1/models') as { readonly data: readonly Record<string, unknown>[] }).data
    for (const habits of [{ props: said('/props') }, { slots: said('/slots') }]) {
      expect((await probe({ models, ...habits })).traits).toMatchObject({ slots: 4, contextTokens: 2048 })
      await server!.close()
    }
    server = undefined
  })

  it('sends nothing more to a server that requests a wait of more than five minutes', async () => {
    const before = (_: Asked, response: ServerResponse): boolean => {
      response.writeHead(429, { 'retry-after': '86400' }).end('{"error":{"message":"Daily limit"}}')
      return true
    }
    await expect(probe({ models: null, before })).rejects.toMatchObject({
      code: 'model',
      message: expect.stringContaining(
        'answered 429: Daily limit. It asks to wait 24 h (Retry-After); at most 5 min are waited.',
      ) as unknown,
    })
    expect(server!.asked).toHaveLength(2)
  })

  it('reads /props below /v1, if a gateway has it there', async () => {
    const before = ({ path }: Asked, response: ServerResponse): boolean =>
      path === '/v1/props' && (response.end('{"default_generation_settings":{"n_ctx":4096},"total_slots":2}'), true)
    const report = await probe({ models: [{ id: 'tuned', owned_by: 'llamacpp' }], before })
    expect(report.traits).toMatchObject({ contextTokens: 4096, slots: 2 })
    expect(server!.asked.filter(({ path }) => path.endsWith('props'))).toHaveLength(2)
  })

  it('reports that /v1 is missing if the list of models is there', async () => {
    server = await startFakeServer({})
    const baseUrl = server.baseUrl.replace('/v1', '')
    await expect(
      probeServer({ model: 'tuned', baseUrl, apiKey: '', sleep: () => Promise.resolve() }),
    ).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`add /v1 to the base URL (${baseUrl}/v1)`) as unknown,
    })
  })

  it('tries again while a model is being loaded, and reports that', async () => {
    let left = 20
    server = await startFakeServer({
      models: [{ id: 'tuned', status: { value: 'unloaded' } }, { id: 'other' }],
      before: ({ body }, response) => {
        if (body === undefined || left-- <= 0) return false
        response.writeHead(503).end('{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}')
        return true
      },
    })
    const reported: string[] = []
    const warn = (text: string): void => void reported.push(text)
    const options = { model: 'tuned', baseUrl: server.baseUrl, apiKey: '', warn, sleep: () => Promise.resolve() }
    expect((await probeServer(options)).traits.endpoint).toBe('chat')
    expect(reported).toEqual([
      expect.stringMatching(/'tuned' is not loaded yet \(unloaded\)/),
      expect.stringMatching(/is loading the model: it is asked again for up to/),
    ])
    left = 1000
    await expect(probeServer({ ...options, timeoutMs: 5000 })).rejects.toMatchObject({
      message: expect.stringContaining('Loading model') as unknown,
    })
    expect(server.asked.length).toBeLessThan(100)
  })
})
