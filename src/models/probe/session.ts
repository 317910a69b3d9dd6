import type { Random } from '../../core/random.js'
import type { Target } from '../address.js'
import { describeBreak, readUnparsed } from '../classify.js'
import { failureIn } from '../error-body.js'
import { describeLongPause, maxPauseMs } from '../limit.js'
import { formatDuration } from '../retry-after.js'
import { usualRetry, waitAfter } from '../retry.js'
import type { RawCall, RawReply } from '../raw-call.js'
import { outsideApi } from '../raw-call.js'
import { describeBody, errorTextOf, isPage, oneLine, readError } from './error-text.js'

/** The outcome of one question to a server, over all attempts. */
export type Answer<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | Refused
  | { readonly kind: 'unexpected'; readonly message: string }
  | Unavailable

/** The server refuses; another attempt would not help: a status from 400 to 499, or llama.cpp's 500. */
export interface Refused {
  readonly kind: 'refused'
  readonly status: number
  readonly message: string
}

/**
 * Nothing can be learned: no connection, a connection that breaks, no answer in time, too many requests, an error of
 * the server itself, or JSON that is cut off.
 */
interface Unavailable {
  readonly kind: 'unavailable'
  readonly why: 'unreachable' | 'connection' | 'timeout' | 'limit' | 'server'
  readonly message: string
  /** The answer where the server repeats its message: an error of the server that is about the request. */
  readonly refusal?: Refused
  /** The model is being loaded: llama.cpp and its router answer with a status of 503. */
  readonly isLoading?: true
}

/** Whatever is not an answer. */
export type Failed = Exclude<Answer<never>, { readonly kind: 'answered' }>

/** Limits of one question, below those of the session. */
export interface AskOptions {
  /** Maximum number of attempts. */
  readonly tries?: number
  /** For one attempt; a question that takes longer is not repeated. */
  readonly deadlineMs?: number
}

/** Questions to one server. */
export interface Session {
  readonly target: Target
  /**
   * Asks, and repeats a question that breaks off as any other call is repeated.
   * @param read undefined for a body that is not an answer
   * @param body of a POST; without it the question is a GET
   */
  ask<T>(path: string, read: (json: unknown) => T | undefined, body?: object, options?: AskOptions): Promise<Answer<T>>
  /** Number of HTTP exchanges so far. */
  readonly calls: () => number
  readonly exchanges: () => readonly Exchange[]
}

/** One HTTP exchange. */
export interface Exchange {
  /** Whether it requested a reply of the model. */
  readonly isCall: boolean
  readonly milliseconds: number
  /** Neither an answer nor a refusal came. */
  readonly failed: boolean
}

/** Time limits and waits of a session. */
interface SessionOptions {
  /** For one exchange, body included. */
  readonly timeoutMs: number
  readonly sleep: (ms: number) => Promise<void>
  /** For the jitter of waits. */
  readonly random: Random
  /** Called before each long wait. */
  readonly warn: (message: string) => void
  readonly signal?: AbortSignal
}

/**
 * Attempts at one question where there is no connection or a web page comes, from a server that has not answered
 * anything yet: the address may be wrong.
 */
const triesAtWrongAddress = 3
/** Attempts at one question that times out. */
const triesAtTimeout = 2
/** Attempts at one question where the server's own error is about the request. */
const triesAtRefusal = 2
/** After this many questions in a row that time out, no more are asked. */
const maxSlowQuestions = 2
/** Between two questions to a server that loads the model. */
const loadingPauseMs = 1000
/** Shorter waits are not announced. */
const longWaitMs = 5000

/** Opens a session. Failures are answers; only an abort by the caller is thrown. */
export function openSession(call: RawCall, target: Target, options: SessionOptions): Session {
  const { timeoutMs, sleep, random, warn, signal } = options
  const exchanges: Exchange[] = []
  let calls = 0
  let slowQuestions = 0
  let hasAnswered = false
  const exchange = async (
    path: string,
    body: object | undefined,
    deadlineMs: number,
  ): Promise<RawReply | Unavailable> => {
    calls++
    const deadline = AbortSignal.timeout(deadlineMs)
    try {
      return await call(path, body, signal === undefined ? deadline : AbortSignal.any([signal, deadline]))
    } catch (thrown) {
      signal?.throwIfAborted()
      if (deadline.aborted) {
        return { kind: 'unavailable', why: 'timeout', message: `no whole answer within ${String(deadlineMs)} ms` }
      }
      const { said: message = '', decisive } = describeBreak(thrown, target).failure
      return { kind: 'unavailable', why: decisive === true ? 'unreachable' : 'connection', message }
    }
  }
  const triesAt = (answer: Answer<unknown>, path: string): number => {
    if (answer.kind === 'answered' || answer.kind === 'refused') return 1
    if (answer.kind === 'unavailable' && answer.why === 'timeout') return triesAtTimeout
    if (answer.kind === 'unavailable' && answer.refusal !== undefined) return triesAtRefusal
    const mayBeWrongAddress = answer.kind === 'unexpected' || answer.why === 'unreachable'
    const isUnproven = !hasAnswered || path.startsWith(outsideApi)
    return mayBeWrongAddress && isUnproven ? triesAtWrongAddress : usualRetry.attempts
  }
  return {
    target,
    calls: () => calls,
    exchanges: () => exchanges,
    async ask(path, read, body, { tries: maxTries = Infinity, deadlineMs = Infinity } = {}) {
      const isShort = deadlineMs < timeoutMs
      if (slowQuestions >= maxSlowQuestions) {
        return { kind: 'unavailable', why: 'timeout', message: 'not asked, as earlier questions timed out' }
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
          failed: answer.kind === 'unavailable' || (answer.kind === 'unexpected' && body !== undefined),
        })
        if (answer.kind === 'answered') hasAnswered = true
        const retryAfterMs = 'kind' in reply ? undefined : reply.retryAfterMs
        const failed = answer.kind === 'unavailable' ? answer : undefined
        if (failed && retryAfterMs !== undefined && retryAfterMs > maxPauseMs) {
          return { ...failed, message: `${failed.message}. ${describeLongPause(retryAfterMs).replace(/\.$/, '')}` }
        }
        if (failed?.isLoading && loadingMs < timeoutMs) {
          if (loadingMs === 0) {
            warn(`${target.shownUrl} is loading the model: it is asked again for up to ${formatDuration(timeoutMs)}.`)
          }
          const wait = Math.min(retryAfterMs ?? loadingPauseMs, timeoutMs)
          loadingMs += Math.max(1, wait)
          await sleep(wait)
          signal?.throwIfAborted()
          tries--
          continue
        }
        const isLate = failed?.why === 'timeout'
        if (isLate && isShort) return answer
        if (tries >= Math.min(maxTries, triesAt(answer, path))) {
          slowQuestions = isLate ? slowQuestions + 1 : 0
          return failed?.refusal && failed.message === before ? failed.refusal : answer
        }
        before = failed?.message ?? ''
        const wait = Math.max(retryAfterMs ?? 0, waitAfter(tries, undefined, { ...usualRetry, random }))
        if (wait >= longWaitMs) {
          warn(`${target.shownUrl} asks to wait: the next question to it follows in ${formatDuration(wait)}.`)
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
    return { kind: 'unexpected', message: `a redirect to ${redact(location ?? 'nowhere')}` }
  }
  if (status >= 400) return classifyError(status, errorTextOf(reply, redact), isPage(text))
  const failure = failureIn(json)
  if (failure !== undefined) {
    return classifyError(failure.status, readError(json, redact) ?? oneLine(redact(failure.said)), false)
  }
  const value = json === undefined ? undefined : read(json)
  if (value !== undefined) return { kind: 'answered', value }
  const message = describeBody(reply, redact)
  return json === undefined && /^\s*[{[]/.test(text)
    ? { kind: 'unavailable', why: 'server', message }
    : { kind: 'unexpected', message }
}

function classifyError(status: number, message: string, page: boolean): Failed {
  const described = `status ${String(status)}: ${message}`
  if (status === 408 || status === 409 || status === 425 || status === 429) {
    return { kind: 'unavailable', why: 'limit', message: described }
  }
  if (status < 400 || status >= 500) {
    const isLoading = status === 503 && /\bload(?:ing|ed)?\b.*\bmodel\b|\bmodel\b.*\bloading\b/i.test(message)
    const failed = { kind: 'unavailable', why: 'server', message: described, ...(isLoading && { isLoading }) } as const
    return isAboutRequest(message) ? { ...failed, refusal: { kind: 'refused', status, message } } : failed
  }
  return page && status !== 401 && status !== 403
    ? { kind: 'unexpected', message }
    : { kind: 'refused', status, message }
}

/** llama.cpp's server answers with a status of 500 where a request or reply does not suit its template or flags. */
function isAboutRequest(message: string): boolean {
  return (
    readUnparsed(message) !== undefined ||
    /requires --jinja|jinja exception|raise_exception|role not supported/i.test(message)
  )
}

/** The status and message of a failure. */
export function describeFailure(answer: Failed): string {
  return answer.kind === 'refused' ? `status ${String(answer.status)}: ${answer.message}` : answer.message
}
