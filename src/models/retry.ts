import type { Attempt, Model } from '../core/model.js'
import type { Random } from '../core/random.js'
import { EndpointError, waited } from './endpoint-error.js'
import { sleep as sleepFor } from './signals.js'

/** How long the waits between attempts are. */
interface Backoff {
  /** The wait before the second attempt; it doubles from there. */
  readonly firstWaitMs: number
  /** The longest wait, whatever a server asks for. */
  readonly longestWaitMs: number
  /** For the jitter: a wait is between half of itself and itself. */
  readonly random: Random
}

/** How calls are tried again, those of a probe too, where nothing else is asked for. */
export const usualRetry = { attempts: 6, firstWaitMs: 500, longestWaitMs: 30_000 } as const

/**
 * Attempts that may fail, beyond those that are counted, because the server had too many calls at once. So many in a
 * row would need a server that answers no one.
 */
const maxCrowdedAttempts = 30

/** How failed calls are tried again. */
export interface RetryOptions extends Backoff {
  /**
   * Attempts in all, the first included; 1 for none again. A 429 or a timeout while other calls were in flight is not
   * counted, as fewer calls are then made at once.
   */
  readonly attempts: number
  /** Waits, and rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/**
 * A model that tries again what its error calls retryable: calls that broke off, never an answer that somebody
 * dislikes. Every attempt is in the completion, or in the error where all of them failed.
 */
export function withRetry(model: Model, options: RetryOptions): Model {
  const { attempts: most, sleep = sleepFor } = options
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
          const isFree = thrown.failure.crowded === true && most > 1 && tries - counted <= maxCrowdedAttempts
          if (!isFree) counted++
          if (!thrown.retryable || counted >= most) throw thrown.givenUp(before, tries)
          backoffMs = waitAfter(Math.max(1, counted), thrown.failure.retryAfterMs, options)
          await sleep(backoffMs, sampling.signal)
        }
      }
    },
  }
}

/** Milliseconds to wait after an attempt, counted from 1, that failed; `asked` is what the server asked for. */
export function waitAfter(attempt: number, asked: number | undefined, backoff: Backoff): number {
  const { firstWaitMs, longestWaitMs, random } = backoff
  const own = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)) * (0.5 + 0.5 * random.next())
  return asked === undefined ? own : Math.min(longestWaitMs, Math.max(asked, own))
}
