import type { Random } from '../../core/random.js'
import type { Target } from '../address.js'
import { describeBreak, readUnparsed } from '../classify.js'
import { guessStatus } from '../error-body.js'
import { maxPauseMs, sayTooLong } from '../limit.js'
import { sayDuration } from '../retry-after.js'
import { usualRetry, waitAfter } from '../retry.js'
import type { RawCall, RawReply } from '../raw-call.js'
import { outsideApi } from '../raw-call.js'
import { describeBody, isPage, readError, sayError } from './said.js'

/** What came of one question to a server, all attempts together. */
export type Answer<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | Refused
  | { readonly kind: 'strange'; readonly said: string }
  | Silent

/**
 * It says no, in words of its own that another attempt would not change: a status from 400 to 499, or llama.cpp's 500.
 */
export interface Refused {
  readonly kind: 'refused'
  readonly status: number
  readonly said: string
}

/**
 * Nothing can be learned: nobody listens, the connection breaks, no answer comes in time, there are too many requests,
 * the server has an error of its own or sends JSON that is cut off.
 */
interface Silent {
  readonly kind: 'silent'
  readonly why: 'nobody' | 'connection' | 'timeout' | 'limit' | 'server'
  readonly said: string
  /** What it is if the server says so twice: an error of its own that is about the request. */
  readonly refusal?: Refused
  /** The model is being loaded: llama.cpp and its router say so with a status of 503. */
  readonly isLoading?: true
}

/** Whatever is not an answer. */
export type Failed = Exclude<Answer<never>, { readonly kind: 'answered' }>

/** How a question is asked that is not worth the usual patience. */
export interface Asking {
  /** The most attempts. */
  readonly tries?: number
  /** For one attempt, where it is less than that of the session; a question that takes longer is not repeated. */
  readonly deadlineMs?: number
}

/** Questions to one server, one after the other. */
export interface Session {
  readonly target: Target
  /**
   * Asks, as often as any call is tried where it breaks off. What `read` cannot read is no answer.
   * @param body what is posted; without it the question is a GET
   */
  ask<T>(path: string, read: (json: unknown) => T | undefined, body?: object, how?: Asking): Promise<Answer<T>>
  /** HTTP exchanges so far. */
  readonly calls: () => number
  /** The same, each with what became of it. */
  readonly exchanges: () => readonly Exchange[]
}

/** One HTTP exchange. */
export interface Exchange {
  /** Whether it asked the model for a reply; all others ask the server. */
  readonly isCall: boolean
  readonly milliseconds: number
  /** It brought neither an answer nor a refusal. */
  readonly failed: boolean
}

/** How patient a session is. */
interface SessionOptions {
  /** For one exchange, body included. */
  readonly timeoutMs: number
  readonly sleep: (ms: number) => Promise<void>
  /** For the jitter of waits. */
  readonly random: Random
  /** Hears of each long wait before it begins. */
  readonly warn: (message: string) => void
  readonly signal?: AbortSignal
}

/**
 * Tries at one question where nobody listens or pages come, from a server that has not answered anything yet: the
 * address may be wrong.
 */
const triesAtNobody = 3
/** Tries at one question where no answer came in time. */
const triesAtTimeout = 2
/** Tries at one question where the server's own error is about the request. */
const triesAtRefusal = 2
/** After so many questions in a row that were not answered in time, a server is asked nothing more. */
const maxSlowQuestions = 2
/** Between two questions to a server that loads the model. */
const loadingPauseMs = 1000
/** Shorter waits are not announced. */
const longWaitMs = 5000

/** Opens a session. Its answers are never exceptions, but for an abort by the caller. */
export function openSession(call: RawCall, target: Target, options: SessionOptions): Session {
  const { timeoutMs, sleep, random, warn, signal } = options
  const exchanges: Exchange[] = []
  let calls = 0
  let slowQuestions = 0
  let hasAnswered = false
  const exchange = async (path: string, body: object | undefined, deadlineMs: number): Promise<RawReply | Silent> => {
    calls++
    const deadline = AbortSignal.timeout(deadlineMs)
    try {
      return await call(path, body, signal === undefined ? deadline : AbortSignal.any([signal, deadline]))
    } catch (thrown) {
      signal?.throwIfAborted()
      if (deadline.aborted) {
        return { kind: 'silent', why: 'timeout', said: `no whole answer within ${String(deadlineMs)} ms` }
      }
      const { said = '', decisive } = describeBreak(thrown, target).failure
      return { kind: 'silent', why: decisive === true ? 'nobody' : 'connection', said }
    }
  }
  const triesAt = (answer: Answer<unknown>, path: string): number => {
    if (answer.kind === 'answered' || answer.kind === 'refused') return 1
    if (answer.kind === 'silent' && answer.why === 'timeout') return triesAtTimeout
    if (answer.kind === 'silent' && answer.refusal !== undefined) return triesAtRefusal
    const mayBeNobody = answer.kind === 'strange' || answer.why === 'nobody'
    return mayBeNobody && (!hasAnswered || path.startsWith(outsideApi)) ? triesAtNobody : usualRetry.attempts
  }
  return {
    target,
    calls: () => calls,
    exchanges: () => exchanges,
    async ask(path, read, body, { tries: maxTries = Infinity, deadlineMs = Infinity } = {}) {
      const isShort = deadlineMs < timeoutMs
      if (slowQuestions >= maxSlowQuestions) {
        return { kind: 'silent', why: 'timeout', said: 'not asked, as earlier questions were not answered in time' }
      }
      let before = ''
      let loadingMs = 0
      for (let tries = 1; ; tries++) {
        const startedAt = performance.now()
        const reply = await exchange(path, body, Math.min(deadlineMs, timeoutMs))
        const answer = 'kind' in reply ? reply : classify(reply, read, target)
        exchanges.push({
          isCall: path.endsWith('/completions'),
          milliseconds: performance.now() - startedAt,
          failed: answer.kind === 'silent' || (answer.kind === 'strange' && body !== undefined),
        })
        if (answer.kind === 'answered') hasAnswered = true
        const asked = 'kind' in reply ? undefined : reply.retryAfterMs
        if (answer.kind === 'silent' && asked !== undefined && asked > maxPauseMs) {
          return { ...answer, said: `${answer.said}. ${sayTooLong(asked).replace(/\.$/, '')}` }
        }
        if (answer.kind === 'silent' && answer.isLoading && loadingMs < timeoutMs) {
          if (loadingMs === 0) {
            warn(`${target.shownUrl} is loading the model: it is asked again for up to ${sayDuration(timeoutMs)}.`)
          }
          const wait = Math.min(asked ?? loadingPauseMs, timeoutMs)
          loadingMs += Math.max(1, wait)
          await sleep(wait)
          signal?.throwIfAborted()
          tries--
          continue
        }
        const isLate = answer.kind === 'silent' && answer.why === 'timeout'
        if (isLate && isShort) return answer
        if (tries >= Math.min(maxTries, triesAt(answer, path))) {
          slowQuestions = isLate ? slowQuestions + 1 : 0
          const isRepeated = answer.kind === 'silent' && answer.said === before
          return isRepeated ? (answer.refusal ?? answer) : answer
        }
        before = answer.kind === 'silent' ? answer.said : ''
        const wait = Math.max(asked ?? 0, waitAfter(tries, undefined, { ...usualRetry, random }))
        if (wait >= longWaitMs) {
          warn(`${target.shownUrl} asks to wait: the next question to it follows in ${sayDuration(wait)}.`)
        }
        await sleep(wait)
        signal?.throwIfAborted()
      }
    },
  }
}

function classify<T>(reply: RawReply, read: (json: unknown) => T | undefined, { redact }: Target): Answer<T> {
  const { status, json, text, location } = reply
  if (status >= 300 && status < 400) {
    return { kind: 'strange', said: `a redirect to ${redact(location ?? 'nowhere')}` }
  }
  if (status >= 400) return failed(status, sayError(reply, redact), isPage(text))
  const error = readError(json, redact)
  if (error !== undefined) return failed(error.status ?? guessStatus(error.said), error.said, false)
  const value = json === undefined ? undefined : read(json)
  if (value !== undefined) return { kind: 'answered', value }
  const said = describeBody(reply, redact)
  return json === undefined && /^\s*[{[]/.test(text)
    ? { kind: 'silent', why: 'server', said }
    : { kind: 'strange', said }
}

function failed(status: number, said: string, page: boolean): Failed {
  if (status === 408 || status === 409 || status === 425 || status === 429) {
    return { kind: 'silent', why: 'limit', said: `status ${String(status)}: ${said}` }
  }
  if (status < 400 || status >= 500) {
    const isLoading = status === 503 && /\bload(?:ing|ed)?\b.*\bmodel\b|\bmodel\b.*\bloading\b/i.test(said)
    const words = `status ${String(status)}: ${said}`
    const silent = { kind: 'silent', why: 'server', said: words, ...(isLoading && { isLoading }) } as const
    return saysOfRequest(said) ? { ...silent, refusal: { kind: 'refused', status, said } } : silent
  }
  return page && status !== 401 && status !== 403 ? { kind: 'strange', said } : { kind: 'refused', status, said }
}

/**
 * llama.cpp's server says with a status of 500 what a request or a reply is about: its template, its parser, its flags.
 */
function saysOfRequest(said: string): boolean {
  return (
    readUnparsed(said) !== undefined ||
    /requires --jinja|jinja exception|raise_exception|role not supported/i.test(said)
  )
}

/** A failure in a few words. */
export function sayFailed(answer: Failed): string {
  return answer.kind === 'refused' ? `status ${String(answer.status)}: ${answer.said}` : answer.said
}
