import PQueue from 'p-queue'
import { estimateTokens } from './fit.js'
import type { Completion, Model } from '../core/model.js'
import { EndpointError, waited } from './endpoint-error.js'
import { formatDuration } from './retry-after.js'

/** Where a server asks for a longer pause the run stops with a message. */
export const maxPauseMs = 300_000
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
  /** Called before each pause that the server asked for, with its maximum in milliseconds. */
  readonly paused?: (ms: number) => void
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

/** Takes down how many tokens a call used. */
type Used = (tokens: number) => void

/** Watches answers to other calls for a call in flight. */
interface Watcher {
  /** Number of calls that were in flight before it and may be answered first. */
  ahead: number
  /** Time of the last answer to one of them. */
  servedAt: number | undefined
}

/**
 * Limits the calls to one server. The number at once adapts: one more for each successful round of calls (additive
 * increase), half as many after a 429 or a timeout (multiplicative decrease), once for all calls of a round.
 */
export class Limiter {
  readonly #options: LimitOptions
  readonly #clock: () => number
  readonly #requests: MinuteWindow | undefined
  readonly #tokens: MinuteWindow | undefined
  /** Calls that have a place, or wait for one. */
  readonly #places: PQueue
  /** Calls that have a place, and wait one after the other until they may be sent. */
  readonly #starts = new PQueue({ concurrency: 1 })
  #allowed: number
  #inFlight = 0
  #pausedUntil = 0
  #announcedUntil = 0
  readonly #watchers = new Set<Watcher>()
  #cutAt = -Infinity
  /** Ends the wait of the next call, which may be shorter now. */
  #look = (): void => undefined

  constructor(options: LimitOptions) {
    const { concurrency, requestsPerMinute, tokensPerMinute, clock = () => performance.now() } = options
    this.#options = options
    this.#clock = clock
    this.#allowed = concurrency
    this.#places = new PQueue({ concurrency })
    this.#requests = requestsPerMinute === undefined ? undefined : new MinuteWindow(requestsPerMinute)
    this.#tokens = tokensPerMinute === undefined ? undefined : new MinuteWindow(tokensPerMinute)
    options.leaving?.addEventListener('abort', () => {
      this.#look()
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

  /** Milliseconds that are left of the pause that is under way; 0 for none. */
  get pausedMs(): number {
    return Math.max(0, this.#pausedUntil - this.#clock())
  }

  /** See {@link LimitOptions.leaving}. */
  get leaving(): AbortSignal | undefined {
    return this.#options.leaving
  }

  /** Whether a pause exceeds the maximum. */
  isTooLong(ms: number): boolean {
    return this.#options.longestPauseMs === undefined && ms > maxPauseMs
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
   * Makes a call of about this many tokens once it may be sent, first come first served. Rejects with the signal's
   * reason where that aborts the wait.
   * @param call given a function that takes down how many tokens were used
   */
  async run<T>(tokens: number, signal: AbortSignal | undefined, call: (used: Used) => Promise<T>): Promise<T> {
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      let isSent = false
      const abort = (): void => {
        if (!isSent) reject(signal!.reason as Error)
        this.#look()
      }
      signal?.addEventListener('abort', abort, { once: true })
      const admitted = async (): Promise<void> => {
        try {
          const used = await this.#starts.add(() => this.#admit(tokens, signal))
          signal?.throwIfAborted()
          isSent = true
          this.#inFlight++
          resolve(await call(used!).finally(() => this.#inFlight--))
        } catch (thrown) {
          reject(thrown as Error)
        } finally {
          signal?.removeEventListener('abort', abort)
        }
      }
      void this.#places.add(admitted)
    })
  }

  /**
   * Halves the number of calls at once, for a call that began then; only the first call of a round has this effect.
   */
  slowDown(startedAt: number): void {
    if (startedAt < this.#cutAt) return
    this.#allow(Math.min(this.#allowed, this.#inFlight) / 2)
    this.#cutAt = this.#clock()
  }

  /** Holds all calls, as the server asked. */
  pause(ms: number): void {
    if (!(ms > 0)) return
    const now = this.#clock()
    const until = now + Math.min(ms, this.#options.longestPauseMs ?? maxPauseMs)
    if (until <= this.#pausedUntil) return
    this.#pausedUntil = until
    if (this.#pausedUntil <= Math.max(now, this.#announcedUntil)) return
    // A tenth more, so that further refusals of the same round are not announced again.
    const atMost = 1.1 * (this.#pausedUntil - now)
    this.#announcedUntil = now + atMost
    this.#options.paused?.(atMost)
  }

  /** Records a successful call. */
  speedUp(): void {
    const now = this.#clock()
    for (const watcher of this.#watchers) {
      watcher.servedAt = now
      if (--watcher.ahead === 0) this.#watchers.delete(watcher)
    }
    this.#allow(Math.min(this.#options.concurrency, this.#allowed + 1 / this.#allowed))
  }

  #allow(calls: number): void {
    this.#allowed = Math.max(1, calls)
    if (this.#places.concurrency !== this.allowed) this.#places.concurrency = this.allowed
  }

  /** Waits until no pause is under way and the minute has room, and takes the call down there. */
  async #admit(tokens: number, signal: AbortSignal | undefined): Promise<Used> {
    const { leaving } = this.#options
    for (;;) {
      signal?.throwIfAborted()
      const now = this.#clock()
      const wait = Math.max(
        this.#pausedUntil - now,
        this.#requests?.waitFor(1, now) ?? 0,
        this.#tokens?.waitFor(tokens, now) ?? 0,
      )
      if (wait <= 0) break
      leaving?.throwIfAborted()
      await this.#rest(Math.ceil(wait))
    }
    this.#requests?.add(1, this.#clock())
    const correct = this.#tokens?.add(tokens, this.#clock())
    return (actual) => {
      correct?.(actual)
      this.#look()
    }
  }

  /** Waits so long, or until something changes. */
  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#look = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** What was used in the last minute, of something that may only be used so much a minute. */
class MinuteWindow {
  readonly #limit: number
  #uses: { readonly at: number; amount: number }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Milliseconds until there is room for so much more; what would never fit waits until nothing else is there. */
  waitFor(amount: number, now: number): number {
    this.#uses = this.#uses.filter(({ at }) => at + 60_000 > now)
    let sum = this.#uses.reduce((total, use) => total + use.amount, 0)
    let wait = 0
    for (const use of this.#uses) {
      if (sum <= 0 || sum + amount <= this.#limit) break
      sum -= use.amount
      wait = use.at + 60_000 - now
    }
    return wait
  }

  /** Takes a use down. @returns a function that corrects it once more is known */
  add(amount: number, now: number): (actual: number) => void {
    const use = { at: now, amount }
    this.#uses.push(use)
    return (actual) => {
      use.amount = actual
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
      let reply: Completion | undefined
      const call = async (used: Used): Promise<Completion> => {
        reserved?.send()
        const started = clock()
        const { inFlight } = limiter
        try {
          reply = await model.complete(messages, sampling)
        } catch (thrown) {
          throw thrown instanceof EndpointError ? react(thrown, started, inFlight) : thrown
        }
        const { promptTokens, completionTokens = 0, attempts } = reply
        if (promptTokens !== undefined) used(promptTokens + completionTokens)
        limiter.speedUp()
        return attempts ? { ...reply, attempts: waited(attempts, started - asked) } : reply
      }
      /** Slows down and pauses as a failure demands. */
      const react = (thrown: EndpointError, started: number, inFlight: number): EndpointError => {
        const { outcome, retryAfterMs = 0 } = thrown.failure
        const attempts = waited(thrown.attempts, started - asked)
        const isOverload = outcome === 'rate-limit' || outcome === 'timeout'
        const isCrowded = isOverload && Math.max(inFlight, limiter.inFlight) > 1
        if (isOverload) limiter.slowDown(started)
        if (limiter.isTooLong(retryAfterMs)) {
          const message = `${thrown.message.replace(/\.$/, '')}. ${describeLongPause(retryAfterMs)} Ask again later.`
          return thrown.with({ retryable: false, stops: true }, attempts, message)
        }
        limiter.pause(retryAfterMs)
        return thrown.with(isCrowded ? { crowded: true } : {}, attempts)
      }
      try {
        return await limiter.run(prompt + sampling.maxTokens, sampling.signal, call)
      } finally {
        reserved?.end(reply)
      }
    },
  }
}

/** A sentence for a pause that is too long to wait for. */
function describeLongPause(ms: number): string {
  return `It asks to wait ${formatDuration(ms)} (Retry-After); at most ${formatDuration(maxPauseMs)} are waited.`
}
