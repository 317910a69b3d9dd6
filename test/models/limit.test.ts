import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Completion, Model, Sampling } from '../../src/core/model.js'
import { withDeadline } from '../../src/models/deadline.js'
import { EndpointError } from '../../src/models/endpoint-error.js'
import type { LimitOptions } from '../../src/models/limit.js'
import { Limiter, withLimit } from '../../src/models/limit.js'

const sampling: Sampling = { temperature: 0, seed: 1, maxTokens: 10, stop: [] }
const clock = (): number => Date.now()

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => vi.useRealTimers())

const limiterOf = (options: Partial<LimitOptions> = {}): Limiter => new Limiter({ concurrency: 8, clock, ...options })

/** A call under way, which ends when it is told so. */
interface Permit {
  leave(tokens?: number): void
}

function enter(limiter: Limiter, tokens: number, signal?: AbortSignal): Promise<Permit> {
  return new Promise((resolve, reject) => {
    const call = (used: (tokens: number) => void): Promise<void> =>
      new Promise((done) => {
        const leave = (tokens?: number): void => {
          if (tokens !== undefined) used(tokens)
          done()
        }
        resolve({ leave })
      })
    limiter.run(tokens, signal, call).catch(reject)
  })
}

/** Begins several calls, and keeps those that were admitted. */
function askFor(limiter: Limiter, count: number, tokens = 1): Permit[] {
  const permits: Permit[] = []
  for (let one = 0; one < count; one++) void enter(limiter, tokens).then((permit) => permits.push(permit))
  return permits
}

describe('a limiter', () => {
  it('admits at most the maximum of calls at once, in order of arrival', async () => {
    const limiter = limiterOf({ concurrency: 2 })
    const permits = askFor(limiter, 5)
    await vi.advanceTimersByTimeAsync(0)
    expect(permits).toHaveLength(2)
    permits[0]!.leave()
    permits[0]!.leave()
    await vi.advanceTimersByTimeAsync(0)
    expect(permits).toHaveLength(3)
  })

  it('respects requests per minute in every minute', async () => {
    const permits = askFor(limiterOf({ concurrency: 100, requestsPerMinute: 3 }), 7)
    await vi.advanceTimersByTimeAsync(59_000)
    expect(permits).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(1000)
    expect(permits).toHaveLength(6)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(permits).toHaveLength(7)
  })

  it('respects tokens per minute, corrected by the actual usage', async () => {
    const limiter = limiterOf({ concurrency: 100, tokensPerMinute: 100 })
    const permits = askFor(limiter, 3, 60)
    await vi.advanceTimersByTimeAsync(10)
    expect(permits).toHaveLength(1)
    permits[0]!.leave(30)
    await vi.advanceTimersByTimeAsync(10)
    expect(permits).toHaveLength(2)
    const huge = askFor(limiter, 1, 5000)
    await vi.advanceTimersByTimeAsync(200_000)
    expect(permits).toHaveLength(3)
    expect(huge).toHaveLength(1)
  })

  it('admits half as many after a 429, once per round, and one more after each good round', async () => {
    const limiter = limiterOf()
    const permits = askFor(limiter, 8)
    await vi.advanceTimersByTimeAsync(5)
    const before = clock() - 5
    limiter.slowDown(before)
    limiter.slowDown(before)
    expect(limiter.allowed).toBe(4)
    for (const permit of permits) permit.leave()
    for (let call = 0; call < 4; call++) limiter.speedUp()
    expect(limiter.allowed).toBe(4)
    limiter.speedUp()
    expect(limiter.allowed).toBe(5)
    for (let call = 0; call < 1000; call++) limiter.speedUp()
    expect(limiter.allowed).toBe(8)
  })

  it('pauses as long as a server asks, up to a limit', async () => {
    const limiter = limiterOf({ longestPauseMs: 5000 })
    limiter.pause(3_600_000)
    const permits = askFor(limiter, 1)
    await vi.advanceTimersByTimeAsync(4999)
    expect(permits).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(permits).toHaveLength(1)
  })

  it('announces each pause before it starts, with at least its length, once for many calls that are refused together', async () => {
    const reported: (readonly [number, number])[] = []
    const limiter = limiterOf({ longestPauseMs: 5000, paused: (ms) => reported.push([clock(), ms]) })
    for (const ms of [0, 2000, 1990, 3_600_000, NaN]) {
      limiter.pause(ms)
      await vi.advanceTimersByTimeAsync(10)
    }
    const began = clock()
    const permits = askFor(limiter, 1)
    while (permits.length === 0) await vi.advanceTimersByTimeAsync(1)
    expect(reported).toHaveLength(2)
    const [at, ms] = reported.at(-1)!
    expect(clock()).toBeLessThanOrEqual(at + ms)
    expect(clock() - began).toBeGreaterThan(4900)
  })

  it('gives up all waits when it is closed or the caller leaves', async () => {
    const leaving = new AbortController()
    const limiter = limiterOf({ concurrency: 2, leaving: leaving.signal })
    limiter.pause(60_000)
    const aborting = new AbortController()
    const waits = [expect(enter(limiter, 1, aborting.signal)).rejects.toThrow('enough')]
    aborting.abort(new Error('enough'))
    await waits[0]
    waits.push(expect(enter(limiter, 1)).rejects.toThrow('left'))
    leaving.abort(new Error('left'))
    await waits[1]
    await vi.advanceTimersByTimeAsync(60_000)
    await enter(limiter, 1)
  })
})

describe('a limited model', () => {
  const model = (answer: () => Completion): Model => ({ name: 'm', settings: {}, complete: answer })

  it('reports the wait with the attempt, and releases its place', async () => {
    const limiter = limiterOf({ concurrency: 1 })
    const attempt = { outcome: 'ok', waitMs: 0, milliseconds: 3 } as const
    const limited = withLimit(
      model(() => ({ text: 'x', attempts: [attempt] })),
      limiter,
      clock,
    )
    const [permit] = [await enter(limiter, 1)]
    const answered = limited.complete([], sampling)
    await vi.advanceTimersByTimeAsync(250)
    permit.leave()
    expect((await answered).attempts).toEqual([{ ...attempt, waitMs: 250 }])
    expect((await limited.complete([], sampling)).attempts).toEqual([attempt])
  })

  it('slows down and pauses at a 429, and releases its place', async () => {
    const limiter = limiterOf()
    const slow = new EndpointError('model', 'slow', { outcome: 'rate-limit', status: 429, retryAfterMs: 700 })
    const limited = withLimit({ ...model(() => ({ text: '' })), complete: () => Promise.reject(slow) }, limiter, clock)
    await expect(limited.complete([], sampling)).rejects.toThrow('slow')
    expect(limiter.allowed).toBe(1)
    const permits = askFor(limiter, 1)
    await vi.advanceTimersByTimeAsync(699)
    expect(permits).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(permits).toHaveLength(1)
  })
})

describe('the deadline of a call beside others', () => {
  it('starts again with each answer to a call that may have been ahead of it', async () => {
    const limiter = limiterOf()
    const answers: (() => void)[] = []
    const model: Model = {
      name: 'm',
      settings: {},
      complete: () => new Promise<Completion>((resolve) => answers.push(() => resolve({ text: 'x' }))),
    }
    const limited = withLimit(withDeadline(model, 1000, clock, limiter), limiter, clock)
    const ends: string[] = []
    for (let call = 0; call < 3; call++) {
      void Promise.resolve(limited.complete([], sampling)).then(
        () => ends.push(`${String(call)} answered`),
        (thrown: EndpointError) =>
          ends.push(`${String(call)} ${thrown.failure.outcome} ${String(clock() - 1_000_000)}`),
      )
    }
    await vi.advanceTimersByTimeAsync(900)
    answers[0]!()
    await vi.advanceTimersByTimeAsync(900)
    answers[1]!()
    await vi.advanceTimersByTimeAsync(999)
    expect(ends).toEqual(['0 answered', '1 answered'])
    expect(limiter.allowed).toBe(8)
    await vi.advanceTimersByTimeAsync(1)
    expect(ends).toEqual(['0 answered', '1 answered', '2 timeout 2800'])
    expect(limiter.allowed).toBe(1)
  })
})
