import type { Attempt, Model } from '../core/model.js'
import type { Random } from '../core/random.js'
import type { Failure } from './endpoint-error.js'
import { EndpointError, waited } from './endpoint-error.js'
import { sleep as sleepFor } from './signals.js'

/** The waits between attempts. */
interface Backoff {
  /** The wait before the second attempt; it doubles from there. */
  readonly firstWaitMs: number
  /** Maximum wait, whatever a server asks for. */
  readonly longestWaitMs: number
  /** For the jitter: a wait is between half of its length and its length. */
  readonly random: Random
}

/** Default attempts and waits, also for a probe. */
export const usualRetry = { attempts: 6, firstWaitMs: 500, longestWaitMs: 30_000 } as const

/** Maximum number of attempts that do not count, as the server had too many calls at once. */
const maxCrowdedAttempts = 30

/** Between two attempts at a server that loads its model. */
const loadingPauseMs = 1000

/** The options for repeating failed calls. */
export interface RetryOptions extends Backoff {
  /**
   * Number of attempts, including the first; 1 for no repetition. A 429 or a timeout while other calls were in flight
   * does not count, as fewer calls are then made at once.
   */
  readonly attempts: number
  /** The same after one kind of failure, where that is fewer. */
  readonly attemptsAfter?: (failure: Failure) => number
  /** How long a server that loads its model is asked again, beside the attempts. Default: not at all. */
  readonly loadingMs?: number
  /** Called where a server begins to load its model. */
  readonly loading?: () => void
  /** Waits, and rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** A result, and the attempts that failed before it. */
interface Retried<T> {
  readonly result: T
  readonly before: readonly Attempt[]
  /** The wait before the attempt that did not fail. */
  readonly waitMs: number
}

/**
 * Repeats work whose error is retryable, which are calls that broke off, never a complete reply. The error has all
 * attempts.
 */
export async function retry<T>(
  work: () => T | Promise<T>,
  options: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<Retried<T>> {
  const { attempts: maxAttempts, attemptsAfter = () => Infinity, loadingMs = 0, loading, sleep = sleepFor } = options
  const before: Attempt[] = []
  let waitMs = 0
  let counted = 0
  let loadedMs = 0
  let last: string | undefined
  for (let tries = 1; ; tries++) {
    try {
      return { result: await work(), before, waitMs }
    } catch (thrown) {
      signal?.throwIfAborted()
      if (!(thrown instanceof EndpointError)) throw thrown
      before.push(...waited(thrown.attempts, waitMs))
      const { crowded, isLoading, isAboutRequest, said, retryAfterMs } = thrown.failure
      if (isLoading && loadedMs < loadingMs) {
        if (loadedMs === 0) loading?.()
        waitMs = Math.min(retryAfterMs ?? loadingPauseMs, loadingMs)
        loadedMs += Math.max(1, waitMs)
      } else {
        const isFree = crowded === true && maxAttempts > 1 && tries - counted <= maxCrowdedAttempts
        if (!isFree) counted++
        const isRefusal = isAboutRequest === true && said === last
        const most = Math.min(maxAttempts, attemptsAfter(thrown.failure))
        if (!thrown.retryable || isRefusal || counted >= most) throw thrown.givenUp(before, tries)
        waitMs = waitAfter(Math.max(1, counted), retryAfterMs, options)
      }
      last = said
      await sleep(waitMs, signal)
    }
  }
}

/** A model that repeats calls; every attempt is in the completion, or in the error where all of them failed. */
export function withRetry(model: Model, options: RetryOptions): Model {
  return {
    ...model,
    async complete(messages, sampling) {
      const call = () => model.complete(messages, sampling)
      const { result, before, waitMs } = await retry(call, options, sampling.signal)
      if (before.length === 0) return result
      return { ...result, attempts: [...before, ...waited(result.attempts ?? [], waitMs)] }
    },
  }
}

/** Milliseconds to wait after a failed attempt, counted from 1; `asked` is the wait that the server asked for. */
function waitAfter(attempt: number, asked: number | undefined, backoff: Backoff): number {
  const { firstWaitMs, longestWaitMs, random } = backoff
  const own = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)) * (0.5 + 0.5 * random.next())
  return asked === undefined ? own : Math.min(longestWaitMs, Math.max(asked, own))
}
