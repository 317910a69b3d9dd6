import type { Attempt, Model } from '../core/model.js'
import type { Random } from '../core/random.js'
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

/** The options for repeating failed calls. */
export interface RetryOptions extends Backoff {
  /**
   * Number of attempts, including the first; 1 for no repetition. A 429 or a timeout while other calls were in flight
   * does not count, as fewer calls are then made at once.
   */
  readonly attempts: number
  /** Waits, and rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/**
 * A model that repeats calls whose error is retryable, which are calls that broke off, never a complete reply. Every
 * attempt is in the completion, or in the error where all of them failed.
 */
export function withRetry(model: Model, options: RetryOptions): Model {
  const { attempts: maxAttempts, sleep = sleepFor } = options
  return {
    ...model,
    async complete(messages, sampling) {
      const before: Attempt[] = []
      let backoffMs = 0
      let counted = 0
      for (let tries = 1; ; tries++) {
        try {
          const completion = await model.complete(messages, sampling)
          const own = completion.attempts ?? []
          return before.length === 0 ? completion : { ...completion, attempts: [...before, ...waited(own, backoffMs)] }
        } catch (thrown) {
          sampling.signal?.throwIfAborted()
          if (!(thrown instanceof EndpointError)) throw thrown
          before.push(...waited(thrown.attempts, backoffMs))
          const isFree = thrown.failure.crowded === true && maxAttempts > 1 && tries - counted <= maxCrowdedAttempts
          if (!isFree) counted++
          if (!thrown.retryable || counted >= maxAttempts) throw thrown.givenUp(before, tries)
          backoffMs = waitAfter(Math.max(1, counted), thrown.failure.retryAfterMs, options)
          await sleep(backoffMs, sampling.signal)
        }
      }
    },
  }
}

/** Milliseconds to wait after a failed attempt, counted from 1; `asked` is the wait that the server asked for. */
export function waitAfter(attempt: number, asked: number | undefined, backoff: Backoff): number {
  const { firstWaitMs, longestWaitMs, random } = backoff
  const own = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)) * (0.5 + 0.5 * random.next())
  return asked === undefined ? own : Math.min(longestWaitMs, Math.max(asked, own))
}
