import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sampling } from '../../src/core/model.js'
import { createEndpoint } from '../../src/models/index.js'

const sampling: Sampling = { temperature: 0, seed: 7, maxTokens: 24, stop: [] }
const messages = [
  { role: 'system', content: 'You keep house.' },
  { role: 'user', content: 'Your task is to: put a mug in desk.' },
] as const

describe('the client and aimock', () => {
  const mock = new LLMock({ port: 0, host: '127.0.0.1' })
  mock.onMessage(/task/, { content: 'go to desk 1' })
  beforeAll(() => mock.start(), 120_000)
  afterAll(() => mock.stop())
  const ask = async (more: Partial<Sampling> = {}) =>
    createEndpoint({ model: 'any', baseUrl: `${mock.url}/v1`, longestWaitMs: 20 }).complete(messages, {
      ...sampling,
      ...more,
    })

  it('get an answer in one attempt that is recorded, with its tokens, which ends at any stop string', async () => {
    const reply = await ask({ maxTokens: 200 })
    expect(reply).toMatchObject({ text: 'go to desk 1', attempts: [{ outcome: 'ok', status: 200 }] })
    expect(Math.min(reply.promptTokens!, reply.completionTokens!)).toBeGreaterThan(0)
    for (const stop of [['to'], ['@1', '@2', '@3', '@4', '@5', 'to']]) {
      expect((await ask({ stop })).text).toBe('go ')
    }
  })

  it('handle many questions at once, and disconnect when the caller stops', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, seed) => ask({ seed })))
    expect(answers.every(({ text }) => text === 'go to desk 1')).toBe(true)
    const stopping = new AbortController()
    const call = ask({ signal: stopping.signal })
    stopping.abort(new Error('stopped by hand'))
    await expect(call).rejects.toThrow('stopped by hand')
  })
})
