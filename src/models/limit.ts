import { setTimeout as wait } from 'node:timers/promises'
import PQueue from 'p-queue'
import type { Completion } from '../core/model.js'
import { CallError } from './call-error.js'
import { formatDuration } from './retry-after.js'

/** Where a server asks for a longer pause the run stops with a message. */
const maxPauseMs = 300_000

/** Limits of one server, for all models and episodes together. */
export interface LimitOptions {
  /** Maximum number of calls at once. */
  readonly concurrency: number
  /** They are sent at even distances. */
  readonly requestsPerMinute?: number
  /**
   * Maximum pause, whatever the server asks for. Without it a server may ask for up to five minutes, and a call fails
   * where it asks for more.
   */
  readonly longestPauseMs?: number
  /** Called before each pause that the server asked for, with its milliseconds. */
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

/** An attempt at a call. */
interface LimitedCall {
  /** The name of the model, for messages. */
  readonly name: string
  /** For the attempt from when it is sent; starts again with each answer to a call that may have been ahead of it. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** A call in flight. */
interface Flight {
  /** Number of calls that were in flight before it and may be answered first. */
  ahead: number
  /** When it was sent, or the last of these calls was answered. */
  since: number
}

/**
 * Limits the calls to one server. The number at once adapts: one more for each successful round of calls (additive
 * increase), half as many after a 429 or a timeout (multiplicative decrease), once for all calls of a round.
 */
export class Limiter {
  readonly #options: LimitOptions
  readonly #clock: () => number
  readonly #queue: PQueue
  readonly #flights = new Set<Flight>()
  #allowed: number
  #pausedUntil = 0
  #cutAt = -Infinity
  #resuming: NodeJS.Timeout | undefined

  constructor(options: LimitOptions) {
    const { concurrency, requestsPerMinute, clock = () => performance.now(), leaving } = options
    this.#options = options
    this.#clock = clock
    this.#allowed = concurrency
    const rate = requestsPerMinute === undefined ? {} : { interval: 60_000 / requestsPerMinute, intervalCap: 1 }
    this.#queue = new PQueue({ concurrency, ...rate })
    leaving?.addEventListener('abort', () => this.close(), { once: true })
  }

  /** Current maximum number of calls at once. */
  get allowed(): number {
    return Math.floor(this.#allowed)
  }

  /** Milliseconds that are left of the pause that is under way; 0 for none. */
  get pausedMs(): number {
    return Math.max(0, this.#pausedUntil - this.#clock())
  }

  /** Lets the calls that wait for the end of a pause go on, to be given up. */
  close(): void {
    clearTimeout(this.#resuming)
    this.#queue.start()
  }

  /**
   * Makes an attempt once it may be sent, first come first served. Rejects at once, with the signal's reason, where the
   * signal is aborted. It slows down and pauses as failures demand.
   * @throws CallError for a timeout, which is retryable, and for each failure of `work`
   */
  async run<T>(call: LimitedCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = call
    const { leaving } = this.#options
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal!.reason as Error)
      signal?.addEventListener('abort', abort, { once: true })
      void this.#queue.add(async () => {
        signal?.removeEventListener('abort', abort)
        if (signal?.aborted) return
        if (leaving?.aborted && this.pausedMs > 0) return reject(leaving.reason as Error)
        await this.#send(call, work).then(resolve, reject)
      })
    })
  }

  /** Waits; rejects where the signal is aborted, or the run is left. */
  async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const { signal: joined, release } = joinSignals(signal, this.#options.leaving)
    await wait(ms, undefined, { signal: joined })
      .catch(() => joined.throwIfAborted())
      .finally(release)
  }

  async #send<T>({ signal, timeoutMs, name }: LimitedCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const sentAt = this.#clock()
    const inFlight = this.#flights.size + 1
    const flight = { ahead: this.#flights.size, since: sentAt }
    const ending = joinSignals(signal)
    const expire = (): void => {
      const left = flight.since + timeoutMs - this.#clock()
      if (left > 0) timer = setTimeout(expire, Math.ceil(left))
      else {
        const message = `No whole answer from '${name}' within ${String(timeoutMs)} ms.`
        ending.abort(new CallError('model', message, { outcome: 'timeout', retryable: true }))
      }
    }
    let timer = setTimeout(expire, timeoutMs)
    this.#flights.add(flight)
    try {
      const answer = await work(ending.signal)
      this.#speedUp(flight)
      return answer
    } catch (broken) {
      const thrown: unknown = ending.signal.aborted ? ending.signal.reason : broken
      throw thrown instanceof CallError ? this.#failed(thrown, sentAt, inFlight) : thrown
    } finally {
      clearTimeout(timer)
      this.#flights.delete(flight)
      ending.release()
    }
  }

  /** Slows down and pauses as a failure demands. */
  #failed(thrown: CallError, sentAt: number, inFlight: number): CallError {
    const { outcome, retryAfterMs = 0 } = thrown.failure
    const isOverload = outcome === 'rate-limit' || outcome === 'timeout'
    const isCrowded = isOverload && Math.max(inFlight, this.#flights.size) > 1
    // Only the first failure of a round halves the number of calls at once.
    if (isOverload && sentAt >= this.#cutAt) {
      this.#allow(Math.min(this.#allowed, this.#flights.size) / 2)
      this.#cutAt = this.#clock()
    }
    if (this.#options.longestPauseMs === undefined && retryAfterMs > maxPauseMs) {
      const wait = `It asks to wait ${formatDuration(retryAfterMs)} (Retry-After); at most ${formatDuration(maxPauseMs)} are waited.`
      const message = `${thrown.message.replace(/\.$/, '')}. ${wait} Ask again later.`
      return thrown.with({ retryable: false, stops: true }, message)
    }
    this.#pause(retryAfterMs)
    return isCrowded ? thrown.with({ crowded: true }) : thrown
  }

  /** Holds all calls, as the server asked. */
  #pause(ms: number): void {
    if (!(ms > 0)) return
    const now = this.#clock()
    const until = now + Math.min(ms, this.#options.longestPauseMs ?? maxPauseMs)
    if (until <= this.#pausedUntil) return
    const wasPaused = this.pausedMs > 0
    this.#pausedUntil = until
    clearTimeout(this.#resuming)
    if (this.#options.leaving?.aborted) return
    this.#queue.pause()
    this.#resuming = setTimeout(() => this.#queue.start(), Math.ceil(until - now))
    // Further refusals of the same round are not announced again.
    if (!wasPaused) this.#options.paused?.(until - now)
  }

  /** Records a successful call. */
  #speedUp(answered: Flight): void {
    const now = this.#clock()
    for (const flight of this.#flights) {
      if (flight === answered || flight.ahead === 0) continue
      flight.ahead--
      flight.since = now
    }
    this.#allow(Math.min(this.#options.concurrency, this.#allowed + 1 / this.#allowed))
  }

  #allow(calls: number): void {
    this.#allowed = Math.max(1, calls)
    if (this.#queue.concurrency !== this.allowed) this.#queue.concurrency = this.allowed
  }
}

/**
 * Joins signals into one that can be aborted on its own too. It must be released: `AbortSignal.any` keeps its listeners
 * on a long-lived signal for ever.
 */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]) {
  const joined = new AbortController()
  const listening = signals.flatMap((signal) => {
    if (signal === undefined) return []
    const forward = (): void => joined.abort(signal.reason)
    if (signal.aborted) forward()
    signal.addEventListener('abort', forward, { once: true })
    return [() => signal.removeEventListener('abort', forward)]
  })
  return {
    signal: joined.signal,
    abort: (reason: unknown): void => joined.abort(reason),
    release: (): void => listening.forEach((stop) => stop()),
  }
}
