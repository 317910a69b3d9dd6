import { estimateTokens } from '../core/fit.js'
import type { Model } from '../core/model.js'
import { EndpointError, waited } from './endpoint-error.js'
import type { AnswerHeaders } from './fetch.js'
import { MinuteWindow } from './minute-window.js'
import type { Remaining } from './retry-after.js'
import { readRemaining, readRetryAfter, formatDuration } from './retry-after.js'

/** A server that asks for a longer pause is asked nothing more: the run stops, and says so. */
export const maxPauseMs = 300_000
/** The longest pause for what a server says that it has left, as its word for when more is there is often not exact. */
const maxResetPauseMs = 60_000
/** The same where it does not say how much there is in all, and so not how quickly that comes back. */
const maxUnknownResetPauseMs = 10_000

/** Why a server is asked nothing for a while. */
type PauseReason = 'Retry-After' | 'x-ratelimit-reset-requests' | 'x-ratelimit-reset-tokens'

/** A pause that is under way. */
interface Pause {
  readonly why: PauseReason
  /** Milliseconds that are left of it. */
  readonly leftMs: number
}

/** How much may be asked of one server, by all models and episodes together. */
export interface LimitOptions {
  /** The most calls at once. */
  readonly concurrency: number
  readonly requestsPerMinute?: number
  /** Tokens of prompts and replies together. */
  readonly tokensPerMinute?: number
  /**
   * The longest pause, whatever the server asks for. Without it what a server asks for is kept to, and a call fails for
   * good where that is more than five minutes.
   */
  readonly longestPauseMs?: number
  /** Hears of each pause that the server asked for, before it begins: the most milliseconds that it takes, and why. */
  readonly paused?: (ms: number, why: PauseReason) => void
  /** Once aborted no call waits to be sent, or to be sent again, any more: it rejects with the signal's reason. */
  readonly leaving?: AbortSignal
  /** Milliseconds since any fixed moment. */
  readonly clock?: () => number
}

/** Leave to make one call. */
export interface Permit {
  /** Gives the place back, with the tokens that were really used where they are known. */
  leave(tokens?: number): void
}

interface Waiter {
  readonly tokens: number
  readonly enter: (permit: Permit) => void
  readonly giveUp: (reason: unknown) => void
}

/** What a call in flight can know of the answers to others. */
interface Watcher {
  /** Calls that were in flight before it and may be answered first. */
  ahead: number
  /** When the last answer to one of so many calls came. */
  servedAt: number | undefined
}

/**
 * Lets calls to one server through. How many at once is found out: one more for each round of calls that went well
 * (additive increase), half as many after a 429, a timeout or when the server says that it has little left
 * (multiplicative decrease), once for all calls of a round.
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
  /** Refusals in a row, one for each round: what was waited after the last was too little. */
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

  /** How many calls are let through at once by now. */
  get allowed(): number {
    return Math.floor(this.#allowed)
  }

  /** How many calls are in flight. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** The pause that is under way. */
  get pausing(): Pause | undefined {
    const leftMs = this.#pausedUntil - this.#clock()
    return leftMs > 0 ? { why: this.#pausedWhy, leftMs } : undefined
  }

  /** Ends all waits for another attempt, as {@link LimitOptions.leaving} has it. */
  get leaving(): AbortSignal | undefined {
    return this.#options.leaving
  }

  /** Whether a server asks for a longer pause than is ever waited. */
  isTooLong(ms: number): boolean {
    return this.#options.longestPauseMs === undefined && ms > maxPauseMs
  }

  /** Begins with no more calls at once than the server has slots. */
  startAt(slots: number): void {
    this.#allowed = Math.max(1, Math.min(this.#allowed, slots))
  }

  /**
   * Notes the time of answers to other calls, to as many of them as are in flight now: so many may the server answer
   * before the one that watches. It ends with {@link unwatch}.
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
   * Waits for leave to make a call of about so many tokens, first come first served. Rejects with the signal's reason.
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
   * Lets half as many through, because of a call that began then; of a round of calls only the first has this effect.
   */
  slowDown(startedAt: number): void {
    if (startedAt < this.#cutAt) return
    this.#refusals++
    this.#allowed = Math.max(1, Math.min(this.#allowed, this.#inFlight) / 2)
    this.#cutAt = this.#clock()
  }

  /** Lets nothing through for so long, as the server asked. */
  pause(ms: number, why: PauseReason = 'Retry-After'): void {
    if (!(ms > 0)) return
    const now = this.#clock()
    const until = now + Math.min(ms, this.#options.longestPauseMs ?? maxPauseMs)
    if (until <= this.#pausedUntil) return
    this.#pausedUntil = until
    this.#pausedWhy = why
    if (this.#pausedUntil <= Math.max(now, this.#announcedUntil)) return
    // A tenth more, so that the next of many calls that are refused at once need not be told of.
    const atMost = 1.1 * (this.#pausedUntil - now)
    this.#announcedUntil = now + atMost
    this.#options.paused?.(atMost, why)
  }

  /** Takes note of a call that went well. */
  speedUp(): void {
    this.#refusals = 0
    const now = this.#clock()
    for (const watcher of this.#watchers) {
      watcher.servedAt = now
      if (--watcher.ahead === 0) this.#watchers.delete(watcher)
    }
    this.#allowed = Math.min(this.#options.concurrency, this.#allowed + 1 / Math.max(1, this.#allowed))
  }

  /** Reads what the server says that it has left, at the moment at which a call that began then was answered. */
  heard(headers: AnswerHeaders, startedAt: number): void {
    const requests = readRemaining(headers, 'requests')
    const tokens = readRemaining(headers, 'tokens')
    // Retry-After, which says how long to wait, is heeded where the call fails.
    if (readRetryAfter(headers) === undefined) {
      if (requests?.left === 0) this.pause(this.#refillMs(requests, 1), 'x-ratelimit-reset-requests')
      if (tokens?.left === 0) this.pause(this.#refillMs(tokens, this.#lastTokens), 'x-ratelimit-reset-tokens')
    }
    if (requests !== undefined && requests.left < this.#inFlight) this.slowDown(startedAt)
  }

  /**
   * Milliseconds until there is room for so much more. A server says when all of its allowance is back, which comes
   * back bit by bit; twice as long after each refusal in a row, in case it comes back all at once.
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

/** A model whose calls wait for leave. The wait is told with the attempt. */
export function withLimit(model: Model, limiter: Limiter, clock = () => performance.now()): Model {
  return {
    ...model,
    async complete(messages, sampling) {
      const asked = clock()
      const permit = await limiter.enter(estimateTokens(messages, sampling.tools) + sampling.maxTokens, sampling.signal)
      const started = clock()
      const { inFlight } = limiter
      let tokens: number | undefined
      try {
        const completion = await model.complete(messages, sampling)
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
        permit.leave(tokens)
      }
    },
  }
}

/** A sentence for a pause that is too long to wait for. */
export function describeLongPause(ms: number): string {
  return `It asks to wait ${formatDuration(ms)} (Retry-After); at most ${formatDuration(maxPauseMs)} are waited.`
}
