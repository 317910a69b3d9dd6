import { LLMock } from '@copilotkit/aimock'
import { describe, expect, it } from 'vitest'
import { createEndpoint } from '../../src/models/index.js'
import { realLlama, startRealLlama } from '../real-llama.js'
import type { Candidate } from './_client-suite.js'
import { describeClient, messages, sampling } from './_client-suite.js'

async function startMock(): Promise<LLMock> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1' })
  mock.onMessage(/task/, { content: 'go to desk 1' })
  await mock.start()
  return mock
}

describeClient({
  name: 'aimock',
  async start() {
    const mock = await startMock()
    return { baseUrl: `${mock.url}/v1`, model: 'any', close: () => mock.stop() }
  },
  knowsModels: false,
  counts: false,
})

describe('the client and a mock with a fault in a third of the answers', () => {
  it('lose no call, and wait as long as Retry-After requires and not until the full reset', async () => {
    const mock = await startMock()
    try {
      // Its 429s have both headers: `retry-after: 1` and `x-ratelimit-reset-tokens: 6m0s`.
      mock.setChaos({ dropRate: 0.08, malformedRate: 0.08, rateLimitRate: 0.1, disconnectRate: 0.08 })
      const endpoint = createEndpoint({ baseUrl: `${mock.url}/v1`, model: 'any', apiKey: '', attempts: 20 })
      const started = performance.now()
      const calls = Array.from({ length: 100 }, async (_, seed) => endpoint.complete(messages, { ...sampling, seed }))
      const replies = await Promise.all(calls)
      expect(new Set(replies.map(({ text }) => text))).toEqual(new Set(['go to desk 1']))
      const outcomes = replies.flatMap(({ attempts = [] }) => attempts.map(({ outcome }) => outcome))
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(100)
      expect(outcomes).toContain('rate-limit')
      expect(outcomes).toContain('bad-reply')
      expect(performance.now() - started).toBeLessThan(60_000)
    } finally {
      await mock.stop()
    }
  }, 120_000)
})

/** Small, so that a prompt that does not fit is quick to write. */
const llamaContext = 1024

const llama: Candidate = {
  name: "llama.cpp's server",
  start: () => startRealLlama(llamaContext),
  // It answers for its one model under any name.
  knowsModels: false,
  counts: true,
  overflowAt: llamaContext * 8,
}

if (realLlama) describeClient(llama)
else it.skip('llama.cpp: set LLAMA_SERVER to its server binary and LLAMA_MODEL to a model file', () => undefined)
