import { describe, expect, it } from 'vitest'
import type { Model } from '../../src/core/model.js'
import { createRandom } from '../../src/core/random.js'
import { EndpointError } from '../../src/models/endpoint-error.js'
import { readRetryAfter } from '../../src/models/retry-after.js'
import { withRetry } from '../../src/models/retry.js'

const sampling = { temperature: 0, seed: 1, maxTokens: 10, stop: [] }

function flaky(...failures: readonly Error[]): Model {
  let calls = 0
  return {
    name: 'flaky',
    settings: {},
    complete() {
      const failure = failures[calls++]
      if (failure !== undefined) throw failure
      return { text: 'look' }
    },
  }
}

const broken = (retryAfterMs?: number): Error =>
  new EndpointError('model', 'broken', { outcome: 'server-error', status: 500, retryable: true, retryAfterMs })

async function waits(...failures: readonly Error[]): Promise<readonly number[]> {
  const waited: number[] = []
  const options = { attempts: 5, firstWaitMs: 100, longestWaitMs: 1000, random: createRandom('waits') }
  const sleep = (ms: number): Promise<void> => Promise.resolve(void waited.push(ms))
  await withRetry(flaky(...failures), { ...options, sleep }).complete([], sampling)
  return waited
}

describe('retry', () => {
  it('waits longer each time, randomly between half and all of it', async () => {
    const waited = await waits(broken(), broken(), broken(), broken())
    expect(waited).toHaveLength(4)
    waited.forEach((ms, index) => {
      expect(ms).toBeGreaterThanOrEqual(50 * 2 ** index)
      expect(ms).toBeLessThanOrEqual(100 * 2 ** index)
    })
    expect(await waits(broken(), broken(), broken(), broken())).toEqual(waited)
  })

  it('waits as long as the server asks, up to the limit', async () => {
    expect(await waits(broken(400), broken(3_600_000))).toEqual([400, 1000])
  })
})

describe('Retry-After', () => {
  it.each([
    [{ 'retry-after': '3600' }, 3_600_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:29:00 GMT' }, 0],
    [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:30 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{}, undefined],
  ])('reads %j', (headers, ms) => {
    expect(readRetryAfter(new Headers(headers as Record<string, string>))).toBe(ms)
  })
})
