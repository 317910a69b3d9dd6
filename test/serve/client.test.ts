import { afterEach, describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/model.js'
import type { EndpointOptions } from '../../src/models/index.js'
import type { Serving } from '../../src/proxy/server.js'
import { ask, describeClient, failure } from './_client-suite.js'
import type { FaultShares } from './_faults.js'
import { readFaults } from './_faults.js'
import type { ReaderOptions } from './_serving.js'
import { always, serveReader } from './_serving.js'

const model = 'reader'

describeClient({
  name: 'a server of our own',
  async start() {
    const { baseUrl, close } = await serveReader({ contextTokens: 2000 })
    return { baseUrl, model, close }
  },
  knowsModels: true,
  counts: true,
  overflowAt: 8000,
})

let serving: Serving | undefined
afterEach(async () => {
  await serving?.close()
  serving = undefined
})

async function answerOf(server: ReaderOptions = {}) {
  serving = await serveReader(server)
  const { text } = await ask({ baseUrl: serving.baseUrl, model })
  await serving.close()
  return text
}

/** The outcome of each attempt at a faulty answer. */
const outcomes: readonly (readonly [fault: string, outcome: readonly Attempt['outcome'][]])[] = [
  ['rate-limit', ['rate-limit']],
  ['server-error', ['server-error']],
  ['stall-head', ['timeout']],
  ['stall-body', ['timeout']],
  ['reset', ['connection']],
  ['truncate', ['bad-reply']],
  ['error-200', ['server-error']],
  ['garbage', ['bad-reply']],
]

describe('the client and a server with faults', () => {
  const hurried: Partial<EndpointOptions> = { timeoutMs: 150, attempts: 3 }
  const spoilt = async (faults: FaultShares, options: Partial<EndpointOptions> = hurried, faultSeed = '0') => {
    serving = await serveReader({ faults, faultSeed, retryAfterSeconds: 3600, slowMs: 5 })
    return ask({ baseUrl: serving.baseUrl, model }, {}, options)
  }

  it.each(outcomes)('recover from %s now and then, and get the right answer', async (fault, [outcome]) => {
    const right = await answerOf()
    const seen: Attempt['outcome'][] = []
    for (let seed = 0; seed < 6; seed++) {
      const patient = { ...hurried, attempts: 20 }
      const { text, attempts = [] } = await spoilt(readFaults(`${fault}=0.5`), patient, String(seed))
      await serving!.close()
      expect(text).toBe(right)
      expect(attempts.at(-1)).toMatchObject({ outcome: 'ok' })
      seen.push(...attempts.slice(0, -1).map((attempt) => attempt.outcome))
    }
    expect(new Set(seen)).toEqual(new Set([outcome]))
  })

  it('wait for an answer that is slow, up to the deadline', async () => {
    const right = await answerOf()
    expect((await spoilt(always('slow'), { timeoutMs: 5000 })).text).toBe(right)
    await serving!.close()
    const thrown = await failure(spoilt(always('slow'), { timeoutMs: 20, attempts: 1 }))
    expect(thrown.attempts).toMatchObject([{ outcome: 'timeout' }])
  })
})
