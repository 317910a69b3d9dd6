import { beforeAll, describe, expect, it } from 'vitest'
import type { CallError } from '../../src/models/call-error.js'
import { createEndpoint } from '../../src/models/index.js'
import { type HostileKind, hostileKinds, startHostileServer } from '../hostile-server.js'

/** The result of one call: the first attempt gets one kind of answer, all others a good one. */
async function outcomeOf(kind: HostileKind): Promise<{ readonly expected: string; readonly reported: string }> {
  const server = await startHostileServer((exchange) => (exchange === 0 ? kind : undefined))
  const limits = { timeoutMs: 1500, longestWaitMs: 20 }
  const endpoint = createEndpoint({ model: 'm', baseUrl: server.baseUrl, apiKey: '', ...limits })
  const ask = (seed: number) => endpoint.complete([{ role: 'user', content: 'Action: ' }], { ...sampling, seed })
  try {
    const { text, attempts = [] } = await ask(0)
    const expected = attempts.length === 1 ? 'scored' : 'retried'
    expect(attempts.slice(0, -1).every(({ outcome }) => outcome !== 'ok')).toBe(true)
    expect(server.exchanges()).toBe(attempts.length)
    // The rest of the first exchange must not become part of another.
    const texts = [text]
    for (let seed = 1; seed <= 3; seed++) texts.push((await ask(seed)).text)
    expect(new Set(texts).size).toBe(4)
    expect(texts.every((one) => /^go to desk \d+$/.test(one))).toBe(true)
    return { expected, reported: '' }
  } catch (thrown) {
    const { code, message, attempts } = thrown as CallError
    expect(code, message).toBe('model')
    expect(attempts).toHaveLength(1)
    return { expected: 'refused', reported: message }
  } finally {
    await server.close()
  }
}

describe('a client and a hostile server', () => {
  // Loading takes longer than the deadline on a busy machine.
  beforeAll(() => Promise.all([import('openai'), import('undici')]))

  it.each(hostileKinds)('$name: $expected', async (kind) => {
    const { expected, reported } = await outcomeOf(kind)
    expect(expected, reported).toBe(kind.expected)
  })

  it('tries again after a pause that is longer than its deadline', async () => {
    const later = { name: 'later', expected: 'retried', send: waits } as const
    const server = await startHostileServer((exchange) => (exchange === 0 ? later : undefined))
    const endpoint = createEndpoint({ model: 'm', baseUrl: server.baseUrl, apiKey: '', timeoutMs: 500 })
    const { attempts } = await endpoint.complete([{ role: 'user', content: 'Action: ' }], sampling)
    await server.close()
    expect(attempts).toMatchObject([{ outcome: 'rate-limit' }, { outcome: 'ok' }])
    expect(attempts![1]!.waitMs).toBeGreaterThan(950)
  })
})

const sampling = { temperature: 1, seed: 0, maxTokens: 50, stop: [] }
const waits: HostileKind['send'] = ({ socket }) =>
  void socket.write('HTTP/1.1 429 X\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n')
