import { estimateTokens } from './fit.js'
import type { Completion, Model } from '../core/model.js'
import { EndpointError, waited } from './endpoint-error.js'
import type { AnswerHeaders } from './fetch.js'
import { MinuteWindow } from './minute-window.js'
import type { Remaining } from './retry-after.js'
import { readRemaining, readRetryAfter, formatDuration } from './retry-after.js'

/** Where a server asks for a longer pause the run stops with a message. */
export const maxPauseMs = 300_000
/** Maximum pause by the rate limit headers, whose reset times are often inexact. */
const maxResetPauseMs = 60_000
/** The same without the header of the total limit, so that the refill rate is unknown. */
const maxUnknownResetPauseMs = 10_000

/** The header that asked for a pause. */
type PauseReason = 'Retry-After' | 'x-ratelimit-reset-requests' | 'x-ratelimit-reset-tokens'

/** The current pause. */
interface Pause {
  readonly why: PauseReason
  /** Milliseconds that are left of it. */
  readonly leftMs: number
}

/** Limits of one server, for all models and episodes together. */
export interface LimitOptions {
  /** Maximum number of calls at once. */
  readonly concurrency: number
  readonly requestsPerMinute?: number
  /** Tokens of prompts and replies together. */
  readonly tokensPerMinute?: number
  /**
   * Maximum pause, whatever the server asks for. Without it a server may ask for up to five minutes, and a call fails
   * where it asks for more.
   */
  readonly longestPauseMs?: number
  /** Called before each pause that the server asked for, with its maximum in milliseconds and its header. */
  readonly paused?: (ms: number, why: PauseReason) => void
  /** Once aborted, calls that wait to be sent or repeated reject with the signal's reason. */
  readonly leaving?: AbortSignal
  /** Milliseconds since any fixed moment. */
  readonly clock?: () => number
}

/** Permits attempts, and counts what they take. */
export interface Meter {
  /**
   * Asks for permission for an attempt; may wait until others have ended.
   * @param prompt estimated tokens of its prompt
   * @param maxReply maximum tokens of its reply
   * @throws GivenUp if it may not be sent
   */
  reserve(prompt: number, maxReply: number): Promise<Reservation>
}

/** Permission for one attempt. */
interface Reservation {
  /**
   * Counts the attempt, which is sent now.
   * @throws GivenUp if it may no longer be sent
   */
  send(): void
  /** Ends it, with the reply if there is one; an attempt that was not sent counts for nothing. */
  end(reply?: Completion): void
}

/** Permission for one call. */
export interface Permit {
  /** Ends the call, with the number of tokens used where it is known. */
  leave(tokens?: number): void
}

interface Waiter {
  readonly tokens: number
  readonly enter: (permit: Permit) => void
  readonly giveUp: (reason: unknown) => void
}

/** Watches answers to other calls for a call in flight. */
interface Watcher {
  /** Number of calls that were in flight before it and may be answered first. */
  ahead: number
  /** Time of the last answer to one of them. */
  servedAt: number | undefined
}

/**
 * Limits the calls to one server. The number at once adapts: one more for each successful round of calls (additive
 * increase), half as many after a 429, a timeout or a header that says that little is left (multiplicative decrease),
 * once for all calls of a round.
 */
export class Limiter {
  readonly #options: LimitOptions
  readonly #clock: () => number
  readonly #requests: MinuteWindow | undefined
  readonly #tokens: MinuteWindow | undefined
  #allowed: number
  #inFlight = 0
  #waiters: Waiter[] = []
  #pausedUntil = 0
  #pausedWhy: PauseReason = 'Retry-After'
  #announcedUntil = 0
  /** Refusals in a row, one for each round. */
  #refusals = 0
  #lastTokens = 1
  readonly #watchers = new Set<Watcher>()
  #cutAt = -Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(options: LimitOptions) {
    const { concurrency, requestsPerMinute, tokensPerMinute, clock = () => performance.now() } = options
    this.#options = options
    this.#clock = clock
    this.#allowed = concurrency
    this.#requests = requestsPerMinute === undefined ? undefined : new MinuteWindow(requestsPerMinute)
    this.#tokens = tokensPerMinute === undefined ? undefined : new MinuteWindow(tokensPerMinute)
    options.leaving?.addEventListener('abort', () => {
      this.#pump()
    })
  }

  /** Current maximum number of calls at once. */
  get allowed(): number {
    return Math.floor(this.#allowed)
  }

  /** Number of calls in flight. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** The pause that is under way. */
  get pausing(): Pause | undefined {
    const leftMs = this.#pausedUntil - this.#clock()
    return leftMs > 0 ? { why: this.#pausedWhy, leftMs } : undefined
  }

  /** See {@link LimitOptions.leaving}. */
  get leaving(): AbortSignal | undefined {
    return this.#options.leaving
  }

  /** Whether a pause exceeds the maximum. */
  isTooLong(ms: number): boolean {
    return this.#options.longestPauseMs === undefined && ms > maxPauseMs
  }

  /** Begins with no more calls at once than the server has slots. */
  startAt(slots: number): void {
    this.#allowed = Math.max(1, Math.min(this.#allowed, slots))
  }

  /**
   * Records the time of answers to other calls, up to the number in flight now, which the server may answer first. It
   * ends with {@link unwatch}.
   */
  watch(): Watcher {
    const watcher: Watcher = { ahead: this.#inFlight - 1, servedAt: undefined }
    if (watcher.ahead > 0) this.#watchers.add(watcher)
    return watcher
  }

  unwatch(watcher: Watcher): void {
    this.#watchers.delete(watcher)
  }

  /**
   * Waits for permission for a call of about this many tokens, first come first served. Rejects with the signal's
   * reason.
   */
  enter(tokens: number, signal?: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error)
        return
      }
      let isWaiting = true
      const abort = (): void => {
        this.#waiters = this.#waiters.filter((one) => one !== waiter)
        reject(signal!.reason as Error)
        this.#pump()
      }
      const leave = (): void => {
        isWaiting = false
        signal?.removeEventListener('abort', abort)
      }
      const waiter: Waiter = {
        tokens,
        enter: (permit) => {
          leave()
          resolve(permit)
        },
        giveUp: (reason) => {
          leave()
          reject(reason as Error)
        },
      }
      this.#waiters.push(waiter)
      this.#pump()
      if (isWaiting) signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /**
   * Halves the number of calls at once, for a call that began then; only the first call of a round has this effect.
   */
  slowDown(startedAt: number): void {
    if (startedAt < this.#cutAt) return
    this.#refusals++
    this.#allowed = Math.max(1, Math.min(this.#allowed, this.#inFlight) / 2)
    this.#cutAt = this.#clock()
  }

  /** Holds all calls, as the server asked. */
  pause(ms: number, why: PauseReason = 'Retry-After'): void {
    if (!(ms > 0)) return
    const now = this.#clock()
    const until = now + Math.min(ms, this.#options.longestPauseMs ?? maxPauseMs)
    if (until <= this.#pausedUntil) return
    this.#pausedUntil = until
    this.#pausedWhy = why
    if (this.#pausedUntil <= Math.max(now, this.#announcedUntil)) return
    // A tenth more, so that further refusals of the same round are not announced again.
    const atMost = 1.1 * (this.#pausedUntil - now)
    this.#announcedUntil = now + atMost
    this.#options.paused?.(atMost, why)
  }

  /** Records a successful call. */
  speedUp(): void {
    this.#refusals = 0
    const now = this.#clock()
    for (const watcher of this.#watchers) {
      watcher.servedAt = now
      if (--watcher.ahead === 0) this.#watchers.delete(watcher)
    }
    this.#allowed = Math.min(this.#options.concurrency, this.#allowed + 1 / Math.max(1, this.#allowed))
  }

  /** Reads the rate limit headers of an answer to a call that began then. */
  readHeaders(headers: AnswerHeaders, startedAt: number): void {
    const requests = readRemaining(headers, 'requests')
    const tokens = readRemaining(headers, 'tokens')
    // Retry-After is handled where the call fails.
    if (readRetryAfter(headers) === undefined) {
      if (requests?.left === 0) this.pause(this.#refillMs(requests, 1), 'x-ratelimit-reset-requests')
      if (tokens?.left === 0) this.pause(this.#refillMs(tokens, this.#lastTokens), 'x-ratelimit-reset-tokens')
    }
    if (requests !== undefined && requests.left < this.#inFlight) this.slowDown(startedAt)
  }

  /**
   * Milliseconds until `needed` is available. The header gives the time until the whole limit is refilled, mostly
   * gradually; doubled after each refusal in a row, in case it refills all at once.
   */
  #refillMs({ left, limit, resetMs = 0 }: Remaining, needed: number): number {
    if (limit === undefined || limit <= left) return Math.min(resetMs, maxUnknownResetPauseMs)
    const ms = ((resetMs * Math.min(needed, limit)) / (limit - left)) * 2 ** this.#refusals
    return Math.min(ms, resetMs, maxResetPauseMs)
  }

  #pump(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { leaving } = this.#options
    while (this.#waiters.length > 0 && this.#inFlight < Math.max(1, Math.floor(this.#allowed))) {
      const { tokens, enter } = this.#waiters[0]!
      const now = this.#clock()
      const wait = Math.max(
        this.#pausedUntil - now,
        this.#requests?.waitFor(1, now) ?? 0,
        this.#tokens?.waitFor(tokens, now) ?? 0,
      )
      if (wait > 0) {
        if (leaving?.aborted) {
          for (const { giveUp } of this.#waiters.splice(0)) giveUp(leaving.reason)
          return
        }
        this.#timer = setTimeout(() => {
          this.#pump()
        }, Math.ceil(wait))
        return
      }
      this.#waiters.shift()
      this.#inFlight++
      this.#lastTokens = tokens
      this.#requests?.add(1, now)
      const correct = this.#tokens?.add(tokens, now)
      let left = false
      enter({
        leave: (actual) => {
          if (left) return
          left = true
          this.#inFlight--
          if (actual !== undefined) correct?.(actual)
          this.#pump()
        },
      })
    }
  }
}

/**
 * A model whose calls wait for permission of the limiter, and then of the meter. The wait is recorded with the attempt.
 */
export function withLimit(model: Model, limiter: Limiter, clock = () => performance.now(), meter?: Meter): Model {
  return {
    ...model,
    async complete(messages, sampling) {
      const prompt = estimateTokens(messages, sampling.tools)
      const reserved = await meter?.reserve(prompt, sampling.maxTokens)
      const asked = clock()
      let permit: Permit | undefined
      let [started, inFlight] = [asked, 0]
      let reply: Completion | undefined
      let tokens: number | undefined
      try {
        permit = await limiter.enter(prompt + sampling.maxTokens, sampling.signal)
        reserved?.send()
        started = clock()
        inFlight = limiter.inFlight
        const completion = await model.complete(messages, sampling)
        reply = completion
        const { promptTokens, completionTokens, attempts } = completion
        if (promptTokens !== undefined) tokens = promptTokens + (completionTokens ?? 0)
        limiter.speedUp()
        return attempts ? { ...completion, attempts: waited(attempts, started - asked) } : completion
      } catch (thrown) {
        if (!(thrown instanceof EndpointError)) throw thrown
        const { outcome, retryAfterMs = 0 } = thrown.failure
        const attempts = waited(thrown.attempts, started - asked)
        const isOverload = outcome === 'rate-limit' || outcome === 'timeout'
        const isCrowded = isOverload && Math.max(inFlight, limiter.inFlight) > 1
        if (isOverload) limiter.slowDown(started)
        if (limiter.isTooLong(retryAfterMs)) {
          const message = `${thrown.message.replace(/\.$/, '')}. ${describeLongPause(retryAfterMs)} Ask again later.`
          throw new EndpointError('model', message, { ...thrown.failure, retryable: false, stops: true }, attempts)
        }
        limiter.pause(retryAfterMs)
        throw isCrowded ? thrown.crowded(attempts) : thrown.after(attempts)
      } finally {
        reserved?.end(reply)
        permit?.leave(tokens)
      }
    },
  }
}

/** A sentence for a pause that is too long to wait for. */
export function describeLongPause(ms: number): string {
  return `It asks to wait ${formatDuration(ms)} (Retry-After); at most ${formatDuration(maxPauseMs)} are waited.`
}
