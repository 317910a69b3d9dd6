import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallError } from '../../src/models/call-error.js'
import type { Completion, Message, Sampling } from '../../src/core/model.js'
import type { EndpointOptions } from '../../src/models/index.js'
import { createEndpoint } from '../../src/models/index.js'

/** A running server, and how to stop it. */
export interface Started {
  readonly baseUrl: string
  readonly model: string
  close(): Promise<void>
}

/** A server that our client must support, and what cannot be tested on it. */
export interface Candidate {
  readonly name: string
  start(): Promise<Started>
  /** It refuses unknown models. */
  readonly knowsModels: boolean
  /** It ends a reply at the token limit and at stop strings, and counts tokens. */
  readonly counts: boolean
  /** It refuses prompts of this many characters as too long. */
  readonly overflowAt?: number
}

export const sampling: Sampling = { temperature: 0, seed: 7, maxTokens: 24, stop: [] }
export const messages: readonly Message[] = [
  { role: 'system', content: 'You keep house.' },
  { role: 'user', content: 'Your task is to: put a mug in desk.' },
]
const secret = 'sk-conformance-0123456789'

/** Sends one question to a server through the client that runs use. */
export function ask(
  { baseUrl, model }: Pick<Started, 'baseUrl' | 'model'>,
  more: Partial<Sampling> = {},
  options: Partial<EndpointOptions> = {},
): Promise<Completion> {
  const endpoint = createEndpoint({ model, baseUrl, apiKey: secret, longestWaitMs: 20, ...options })
  return Promise.resolve(endpoint.complete(messages, { ...sampling, ...more }))
}

/** The message of a call that fails. */
export async function failure(call: Promise<Completion>): Promise<CallError> {
  const thrown: unknown = await call.then(
    (completion) => new Error(`answered ${JSON.stringify(completion)}`),
    (error: unknown) => error,
  )
  expect((thrown as Error).message).not.toContain(secret)
  return thrown as CallError
}

/** The behaviour of our client with every OpenAI-compatible server. */
export function describeClient(candidate: Candidate): void {
  describe(`the client and ${candidate.name}`, () => {
    let started: Started
    beforeAll(async () => {
      started = await candidate.start()
    }, 120_000)
    afterAll(() => started.close())

    it('get an answer, in one attempt that is recorded', async () => {
      const { text, finish, attempts } = await ask(started, { maxTokens: 200 })
      expect(text.length).toBeGreaterThan(0)
      expect(['stop', 'length']).toContain(finish)
      expect(attempts).toHaveLength(1)
      expect(attempts![0]).toMatchObject({ outcome: 'ok', status: 200 })
      expect(attempts![0]!.waitMs).toBeLessThan(1000)
    })

    it('give the same answer to a repeated greedy question', async () => {
      expect((await ask(started)).text).toBe((await ask(started)).text)
    })

    it('count the tokens of a reply', async () => {
      const { promptTokens, completionTokens } = await ask(started)
      expect(promptTokens).toBeGreaterThan(5)
      expect(completionTokens).toBeGreaterThan(0)
    })

    it('end a reply at a stop string', async () => {
      const whole = (await ask(started)).text
      const mark = whole.slice(1, 3)
      expect((await ask(started, { stop: [mark] })).text).toBe(whole.slice(0, whole.indexOf(mark)))
      const many = ['@1', '@2', '@3', '@4', '@5', mark]
      expect((await ask(started, { stop: many })).text).toBe(whole.slice(0, whole.indexOf(mark)))
    })

    it.runIf(candidate.counts)('end a reply that is too long, and report that', async () => {
      const { finish, completionTokens } = await ask(started, { maxTokens: 1 })
      expect({ finish, completionTokens }).toEqual({ finish: 'length', completionTokens: 1 })
    })

    it('handle many questions at once', async () => {
      const seeds = Array.from({ length: 12 }, (_, index) => index)
      const answers = await Promise.all(seeds.map((seed) => ask(started, { seed })))
      expect(answers.every(({ text }) => text.length > 0)).toBe(true)
    })

    it('disconnect at once when the caller stops', async () => {
      const stopping = new AbortController()
      const call = failure(ask(started, { signal: stopping.signal }))
      stopping.abort(new Error('stopped by hand'))
      expect((await call).message).toBe('stopped by hand')
    })

    it.runIf(candidate.knowsModels)('report an unknown model, and do not try again', async () => {
      const thrown = await failure(ask({ ...started, model: 'no-such-model' }))
      expect(thrown.code).toBe('model')
      expect(thrown.message).toContain("There is no model 'no-such-model'")
      expect(thrown.attempts).toMatchObject([{ outcome: 'refused', status: 404 }])
    })

    it.runIf(candidate.overflowAt)('distinguish a prompt that does not fit from every other error', async () => {
      const { baseUrl, model } = started
      const long = [{ role: 'user' as const, content: 'a b c d '.repeat((candidate.overflowAt ?? 0) / 8) }]
      const endpoint = createEndpoint({ model, baseUrl, longestWaitMs: 20 })
      const thrown = await failure(Promise.resolve(endpoint.complete(long, sampling)))
      expect(thrown.code).toBe('context-overflow')
      expect(thrown.attempts).toMatchObject([{ outcome: 'overflow', status: 400 }])
    })
  })
}
