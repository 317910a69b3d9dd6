import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Completion } from '../../src/core/model.js'
import { createRandom } from '../../src/core/random.js'
import { CallError } from '../../src/models/call-error.js'
import { type LimitOptions, Limiter } from '../../src/models/limit.js'
import { createRetry, readRetryAfter } from '../../src/models/retry-after.js'
import { createCircuit } from '../../src/models/server.js'

const start = 1_000_000
beforeEach(() => vi.useFakeTimers({ now: start }))
afterEach(() => vi.useRealTimers())

const clock = (): number => Date.now()
const limiterOf = (options: Partial<LimitOptions> = {}): Limiter => new Limiter({ concurrency: 8, clock, ...options })

type Answer = (reply: Completion | Error) => void

/** Begins several calls, and keeps how to answer those that were sent, and how they ended. */
function askFor(
  limiter: Limiter,
  count: number,
  { timeoutMs = 1e9, signal = undefined as AbortSignal | undefined } = {},
) {
  const sent: Answer[] = []
  const ends: string[] = []
  for (let number = 0; number < count; number++) {
    const work = (ending: AbortSignal): Promise<Completion> =>
      new Promise((resolve, reject) => {
        sent.push((reply) => (reply instanceof Error ? reject(reply) : resolve(reply)))
        ending.addEventListener('abort', () => reject(new Error('broken off')))
      })
    limiter.run({ name: 'm', timeoutMs, signal }, work).then(
      () => ends.push(`${String(number)} answered`),
      ({ message }: Error) => ends.push(`${String(number)} ${message} ${String(clock() - start)}`),
    )
  }
  return { sent, ends }
}

const answered: Completion = { text: 'x' }
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
const busy = (retryAfterMs?: number) =>
  new CallError('model', 'slow', { outcome: 'rate-limit', status: 429, retryable: true, retryAfterMs })

describe('a limiter', () => {
  it('admits at most the maximum of calls at once, in order of arrival', async () => {
    const { sent, ends } = askFor(limiterOf({ concurrency: 2 }), 5)
    await pass(0)
    expect(sent).toHaveLength(2)
    sent[0]!(answered)
    await pass(0)
    expect(sent).toHaveLength(3)
    expect(ends).toEqual(['0 answered'])
  })

  it('sends at most so many requests a minute, at even distances', async () => {
    const { sent } = askFor(limiterOf({ concurrency: 100, requestsPerMinute: 3 }), 7)
    await pass(19_000)
    expect(sent).toHaveLength(1)
    await pass(40_000)
    expect(sent).toHaveLength(3)
    await pass(61_000)
    expect(sent).toHaveLength(7)
  })

  it('admits half as many after refusals, once per round, and one more after each good round', async () => {
    const limiter = limiterOf()
    const { sent } = askFor(limiter, 8)
    await pass(5)
    for (const answer of sent.slice(0, 2)) answer(busy())
    await pass(1)
    expect(limiter.allowed).toBe(4)
    for (const answer of sent.slice(2, 6)) answer(answered)
    await pass(1)
    expect(limiter.allowed).toBe(4)
    for (const answer of sent.slice(6)) answer(answered)
    await pass(1)
    expect(limiter.allowed).toBe(5)
  })

  it.each([
    ['up to a limit', 3_600_000, { longestPauseMs: 5000 }, 5000],
    ['and no longer', 700, {}, 700],
  ])('pauses as long as a server asks, %s', async (_, asked, options, ms) => {
    const limiter = limiterOf(options)
    const first = askFor(limiter, 1)
    await pass(0)
    first.sent[0]!(busy(asked))
    await pass(0)
    const { sent } = askFor(limiter, 1)
    await pass(ms - 1)
    expect(sent).toHaveLength(0)
    await pass(1)
    expect(sent).toHaveLength(1)
  })

  it('gives up all waits when the run is left or the caller leaves', async () => {
    const [leaving, aborting] = [new AbortController(), new AbortController()]
    const limiter = limiterOf({ concurrency: 2, leaving: leaving.signal, longestPauseMs: 60_000 })
    const first = askFor(limiter, 1)
    await pass(0)
    first.sent[0]!(busy(60_000))
    await pass(0)
    const aborted = askFor(limiter, 3, { signal: aborting.signal })
    aborting.abort(new Error('enough'))
    await pass(0)
    expect(aborted.ends).toEqual(['0 enough 0', '1 enough 0', '2 enough 0'])
    const left = askFor(limiter, 1)
    await pass(0)
    leaving.abort(new Error('left'))
    await pass(0)
    expect(left.ends).toEqual(['0 left 0'])
    expect(aborted.sent).toEqual([])
    await pass(60_000)
    const later = askFor(limiter, 1)
    await pass(0)
    expect(later.sent).toHaveLength(1)
  })

  it('starts the time of a call again with each answer to one that may have been ahead of it', async () => {
    const limiter = limiterOf()
    const { sent, ends } = askFor(limiter, 3, { timeoutMs: 1000 })
    await pass(900)
    sent[0]!(answered)
    await pass(900)
    sent[1]!(answered)
    await pass(999)
    expect(ends).toEqual(['0 answered', '1 answered'])
    expect(limiter.allowed).toBe(8)
    await pass(1)
    expect(ends).toEqual(['0 answered', '1 answered', "2 No whole answer from 'm' within 1000 ms. 2800"])
    expect(limiter.allowed).toBe(1)
  })
})

describe('the waits between attempts', () => {
  const waits = (...asked: readonly (number | undefined)[]): (number | undefined)[] => {
    const loading = { loadingMs: 0, loading: () => undefined }
    const retry = createRetry({ attempts: 5, longestWaitMs: 5000, random: createRandom('waits'), ...loading })
    return asked.map((retryAfterMs) => retry({ outcome: 'server-error', retryable: true, retryAfterMs }))
  }

  it('grow, randomly between half and all of their length', () => {
    const waited = waits(undefined, undefined, undefined, undefined, undefined)
    expect(waited.pop()).toBeUndefined()
    expect(waited).toHaveLength(4)
    waited.forEach((ms, index) => {
      expect(ms).toBeGreaterThanOrEqual(250 * 2 ** index)
      expect(ms).toBeLessThanOrEqual(500 * 2 ** index)
    })
    expect(waits(...waited.map(() => undefined))).toEqual(waited)
  })

  it('are as long as the server asks, up to the limit', () => {
    expect(waits(700, 3_600_000)).toEqual([700, 5000])
  })

  it.each([
    [{ 'retry-after': '3600' }, 3_600_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:29:00 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('are read from %j', (headers, ms) => {
    expect(readRetryAfter(new Headers(headers as Record<string, string>))).toBe(ms)
  })
})

describe('a circuit breaker', () => {
  const refused = new CallError('model', 'refused.', { outcome: 'refused', status: 401, decisive: true })
  const broken = new CallError('model', 'busy.', { outcome: 'server-error', status: 500 })
  const overflow = new CallError('context-overflow', 'too long')

  it.each([
    ['three calls that fail for a reason common to all', refused, 3],
    ['24 failures of a temporary kind', broken, 24],
  ])('opens after %s', (_, failure, times) => {
    const circuit = createCircuit()
    for (let call = 1; call < times; call++) circuit.failed(failure)
    expect(circuit.opened.aborted).toBe(false)
    circuit.failed(failure)
    expect(circuit.opened.reason).toMatchObject({
      message: `${String(times)} calls in a row have failed, so the run was stopped. The last: ${failure.message}`,
    })
  })

  it('starts to count again after an answer, and after a conversation that is too long', () => {
    const circuit = createCircuit()
    for (let round = 0; round < 10; round++) {
      for (const failure of [refused, refused, round % 2 ? overflow : undefined]) {
        if (failure === undefined) circuit.succeeded()
        else circuit.failed(failure)
      }
    }
    expect(circuit.opened.aborted).toBe(false)
  })
})
