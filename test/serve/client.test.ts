import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReader } from '../../baselines/reader.js'
import type { Completion, Sampling } from '../../src/core/model.js'
import type { CallError } from '../../src/models/call-error.js'
import { createEndpoint } from '../../src/models/index.js'
import { serve } from '../../src/proxy/served.js'

/** A server that our client must support, and what cannot be tested on it. */
interface Candidate {
  readonly name: string
  start(): Promise<{ readonly baseUrl: string; readonly model: string; close(): Promise<unknown> }>
  /** It refuses unknown models. */
  readonly knowsModels?: boolean
  /** It ends a reply at the token limit and at stop strings, and counts tokens. */
  readonly counts: boolean
}

const candidates: readonly Candidate[] = [
  {
    name: 'a server of our own',
    async start() {
      const { baseUrl, close } = await serve({ models: [createReader()], port: 0, host: '127.0.0.1' })
      return { baseUrl, model: 'reader', close }
    },
    knowsModels: true,
    counts: true,
  },
  {
    name: 'aimock',
    async start() {
      const mock = new LLMock({ port: 0, host: '127.0.0.1' })
      mock.onMessage(/task/, { content: 'go to desk 1' })
      await mock.start()
      return { baseUrl: `${mock.url}/v1`, model: 'any', close: () => mock.stop() }
    },
    counts: false,
  },
]

const sampling: Sampling = { temperature: 0, seed: 7, maxTokens: 24, stop: [] }
const messages = [
  { role: 'system', content: 'You keep house.' },
  { role: 'user', content: 'Your task is to: put a mug in desk.' },
] as const

async function failure(call: Promise<Completion>): Promise<CallError> {
  return (await call.then(
    (completion) => new Error(`answered ${JSON.stringify(completion)}`),
    (error: unknown) => error,
  )) as CallError
}

describe.each(candidates)('the client and $name', ({ start, counts, knowsModels }) => {
  let started: Awaited<ReturnType<Candidate['start']>>
  beforeAll(async () => {
    started = await start()
  }, 120_000)
  afterAll(() => started.close())
  const ask = async (more: Partial<Sampling> = {}, model = started.model) =>
    createEndpoint({ model, baseUrl: started.baseUrl, longestWaitMs: 20 }).complete(messages, { ...sampling, ...more })

  it('get one answer to a repeated greedy question, in one attempt that is recorded', async () => {
    const { text, finish, attempts, promptTokens, completionTokens } = await ask({ maxTokens: 200 })
    expect(text.length).toBeGreaterThan(0)
    expect(['stop', 'length']).toContain(finish)
    expect(attempts).toMatchObject([{ outcome: 'ok', status: 200 }])
    expect(promptTokens).toBeGreaterThan(5)
    expect(completionTokens).toBeGreaterThan(0)
    expect((await ask({ maxTokens: 200 })).text).toBe(text)
  })

  it('end a reply at a stop string', async () => {
    const whole = (await ask()).text
    const mark = whole.slice(1, 3)
    for (const stop of [[mark], ['@1', '@2', '@3', '@4', '@5', mark]])
      expect((await ask({ stop })).text).toBe(whole.slice(0, whole.indexOf(mark)))
  })

  it.runIf(counts)('end a reply that is too long, and report that', async () => {
    const { finish, completionTokens } = await ask({ maxTokens: 1 })
    expect({ finish, completionTokens }).toEqual({ finish: 'length', completionTokens: 1 })
  })

  it('handle many questions at once, and disconnect when the caller stops', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, seed) => ask({ seed })))
    expect(answers.every(({ text }) => text.length > 0)).toBe(true)
    const stopping = new AbortController()
    const call = failure(ask({ signal: stopping.signal }))
    stopping.abort(new Error('stopped by hand'))
    expect((await call).message).toBe('stopped by hand')
  })

  it.runIf(knowsModels)('report an unknown model, and do not try again', async () => {
    const thrown = await failure(ask({}, 'no-such-model'))
    expect(thrown.message).toContain("There is no model 'no-such-model'")
    expect(thrown.attempts).toMatchObject([{ outcome: 'refused', status: 404 }])
  })
})
