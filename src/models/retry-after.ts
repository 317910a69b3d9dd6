import type { Random } from '../core/random.js'
import type { Failure } from './call-error.js'

/** The options for repeating failed calls. */
interface RetryOptions {
  /**
   * Number of attempts, including the first; 1 for no repetition. A 429 or a timeout while other calls were in flight
   * does not count, as fewer calls are then made at once.
   */
  readonly attempts: number
  /** Maximum wait, whatever a server asks for. Default 30 seconds. */
  readonly longestWaitMs?: number | undefined
  /** For the jitter: a wait is between half of its length and its length. */
  readonly random: Random
  /** How long a server that loads its model is asked again, beside the attempts. */
  readonly loadingMs: number
  /** Called where a server begins to load its model. */
  readonly loading: () => void
}

/** The wait before the second attempt; it doubles from there. */
const firstWaitMs = 500
/** Maximum number of attempts that do not count, as the server had too many calls at once. */
const maxCrowdedAttempts = 30
/** Between two attempts at a server that loads its model. */
const loadingPauseMs = 1000

/**
 * Decides about further attempts at one call: called with each failure, it gives the milliseconds to wait, or undefined
 * to give up. Calls that broke off are repeated, never a complete reply.
 */
export function createRetry(options: RetryOptions): (failure: Failure) => number | undefined {
  const { attempts, longestWaitMs = 30_000, random, loadingMs, loading } = options
  let [counted, crowdedTimes, loadedMs] = [0, 0, 0]
  let last: string | undefined
  return ({ retryable, crowded, isLoading, isAboutRequest, said, retryAfterMs }) => {
    const isRefusal = isAboutRequest === true && said === last
    last = said
    if (isLoading && loadedMs < loadingMs) {
      if (loadedMs === 0) loading()
      const pause = Math.min(retryAfterMs ?? loadingPauseMs, loadingMs)
      loadedMs += Math.max(1, pause)
      return pause
    }
    if (!(crowded && attempts > 1 && crowdedTimes++ < maxCrowdedAttempts)) counted++
    if (!retryable || isRefusal || counted >= attempts) return undefined
    const doubled = firstWaitMs * 2 ** Math.max(0, counted - 1)
    const backoff = Math.min(longestWaitMs, doubled) * (0.5 + 0.5 * random.next())
    return Math.min(longestWaitMs, Math.max(retryAfterMs ?? 0, backoff))
  }
}

/**
 * The wait that a server asks for, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date relative
 * to the server's clock, or to ours where it sends no date. Undefined for none and for unreadable values.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const inMs = headers.get('retry-after-ms')?.trim() ?? ''
  if (isNumber(inMs)) return Number(inMs)
  const text = headers.get('retry-after')?.trim() ?? ''
  if (isNumber(text)) return Number(text) * 1000
  if (!/^[A-Z][a-z]{2}/.test(text)) return undefined
  const now = Date.parse(headers.get('date') ?? '')
  const wait = Date.parse(text) - (Number.isNaN(now) ? Date.now() : now)
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

/** A time in its largest unit, rounded up to whole seconds or minutes: `8 s`, `5 min`, `1.5 h`. */
export function formatDuration(ms: number): string {
  if (ms < 60_000) return `${String(Math.ceil(ms / 1000))} s`
  if (ms < 3_600_000) return `${String(Math.ceil(ms / 60_000))} min`
  return `${(ms / 3_600_000).toFixed(1).replace(/\.0$/, '')} h`
}

function isNumber(text: string): boolean {
  return /^\d{1,12}(?:\.\d{1,12})?$/.test(text)
}
