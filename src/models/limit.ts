import { estimateTokens } from '../core/tokens.js'
import type { Model } from '../core/model.js'
import { EndpointError, waited } from './endpoint-error.js'
import { MinuteWindow } from './minute-window.js'
import { readRemaining } from './retry-after.js'

/** How much may be asked of one server, by all models and episodes together. */
export interface LimitOptions {
  /** The most calls at once. */
  readonly concurrency: number
  readonly requestsPerMinute?: number
  /** Tokens of prompts and replies together. */
  readonly tokensPerMinute?: number
  /** The longest pause, whatever the server asks for. Default one minute. */
  readonly longestPauseMs?: number
  /** Hears of each pause that the server asked for, before it begins: the most milliseconds that it takes. */
  readonly paused?: (ms: number) => void
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
}

/**
 * Lets calls to one server through. How many at once is found out: one more for each round of calls that went well (additive increase),
 * half as many after a 429 or when the server says that it has little left (multiplicative decrease), once for all calls of a round.
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
  #announcedUntil = 0
  #cutAt = -Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(options: LimitOptions) {
    const { concurrency, requestsPerMinute, tokensPerMinute, clock = () => performance.now() } = options
    this.#options = options
    this.#clock = clock
    this.#allowed = concurrency
    this.#requests = requestsPerMinute === undefined ? undefined : new MinuteWindow(requestsPerMinute)
    this.#tokens = tokensPerMinute === undefined ? undefined : new MinuteWindow(tokensPerMinute)
  }

  /** How many calls are let through at once by now. */
  get allowed(): number {
    return Math.floor(this.#allowed)
  }

  /** Waits for leave to make a call of about so many tokens, first come first served. Rejects with the signal's reason. */
  enter(tokens: number, signal?: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error)
        return
      }
      const giveUp = (): void => {
        this.#waiters = this.#waiters.filter((one) => one !== waiter)
        reject(signal!.reason as Error)
        this.#pump()
      }
      const waiter: Waiter = {
        tokens,
        enter: (permit) => {
          signal?.removeEventListener('abort', giveUp)
          resolve(permit)
        },
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      this.#waiters.push(waiter)
      this.#pump()
    })
  }

  /** Lets half as many through, because of a call that began then; of a round of calls only the first has this effect. */
  slowDown(startedAt: number): void {
    if (startedAt < this.#cutAt) return
    this.#allowed = Math.max(1, Math.min(this.#allowed, this.#inFlight) / 2)
    this.#cutAt = this.#clock()
  }

  /** Lets nothing through for so long, as the server asked. */
  pause(ms: number): void {
    if (!(ms > 0)) return
    const now = this.#clock()
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(ms, this.#options.longestPauseMs ?? 60_000))
    if (this.#pausedUntil <= Math.max(now, this.#announcedUntil)) return
    // A tenth more, so that the next of many calls that are refused at once need not be told of.
    const atMost = 1.1 * (this.#pausedUntil - now)
    this.#announcedUntil = now + atMost
    this.#options.paused?.(atMost)
  }

  /** Takes note of a call that went well. */
  speedUp(): void {
    this.#allowed = Math.min(this.#options.concurrency, this.#allowed + 1 / Math.max(1, this.#allowed))
  }

  /** Reads what the server says that it has left, at the moment at which a call that began then was answered. */
  heard(headers: Headers, startedAt: number): void {
    const requests = readRemaining(headers, 'requests')
    const tokens = readRemaining(headers, 'tokens')
    if (requests !== undefined && requests.left < this.#inFlight) this.slowDown(startedAt)
    for (const remaining of [requests, tokens]) {
      if (remaining?.left === 0) this.pause(remaining.resetMs ?? 0)
    }
  }

  #pump(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#waiters.length > 0 && this.#inFlight < Math.max(1, Math.floor(this.#allowed))) {
      const { tokens, enter } = this.#waiters[0]!
      const now = this.#clock()
      const wait = Math.max(
        this.#pausedUntil - now,
        this.#requests?.waitFor(1, now) ?? 0,
        this.#tokens?.waitFor(tokens, now) ?? 0,
      )
      if (wait > 0) {
        this.#timer = setTimeout(() => {
          this.#pump()
        }, Math.ceil(wait))
        return
      }
      this.#waiters.shift()
      this.#inFlight++
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
      let tokens: number | undefined
      try {
        const completion = await model.complete(messages, sampling)
        const { promptTokens, completionTokens, attempts } = completion
        if (promptTokens !== undefined) tokens = promptTokens + (completionTokens ?? 0)
        limiter.speedUp()
        return attempts ? { ...completion, attempts: waited(attempts, started - asked) } : completion
      } catch (thrown) {
        if (!(thrown instanceof EndpointError)) throw thrown
        const { outcome, retryAfterMs } = thrown.failure
        if (outcome === 'rate-limit') limiter.slowDown(started)
        if (retryAfterMs !== undefined) limiter.pause(retryAfterMs)
        throw thrown.after(waited(thrown.attempts, started - asked))
      } finally {
        permit.leave(tokens)
      }
    },
  }
}
