import type { OverflowCounts } from './call-error.js'
import { CallError } from './call-error.js'
import type { Attempt } from '../core/model.js'

/** One failed attempt. */
export interface Failure {
  readonly outcome: Exclude<Attempt['outcome'], 'ok'>
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  /** How long the server asked to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  readonly retryable?: boolean
  /** Other calls were in flight: the server may just have had too many of them. */
  readonly crowded?: boolean
  /** No other call may be made. */
  readonly stops?: boolean
  /** Every other call would fail alike: no connection, or a wrong key or model name. */
  readonly decisive?: boolean
  /** The server's message without secrets, from which the client learns what to leave out. */
  readonly said?: string
  /** An error of the server that is about the request, so that a message that is repeated is a refusal. */
  readonly isAboutRequest?: boolean
  /** The server is loading the model. */
  readonly isLoading?: boolean
  /** The reply, as far as the server gives it, that the server could not parse. */
  readonly unparsed?: string
  /** A stop string cut the model's reasoning off. */
  readonly cutReasoning?: boolean
  /** The sizes in a context overflow, as far as the server gave them. */
  readonly overflow?: OverflowCounts
  /** The refusal may mean that the prompt is too long. */
  readonly mayBeOverflow?: boolean
  readonly cause?: unknown
}

/** A failed call, with what further attempts need. */
export class EndpointError extends CallError {
  readonly failure: Failure

  constructor(
    code: 'model' | 'context-overflow',
    message: string,
    failure: Failure,
    attempts: readonly Attempt[] = [attemptOf(failure, 0)],
  ) {
    const { cause, retryable = false, overflow, mayBeOverflow } = failure
    super(code, message, attempts, {
      cause,
      retryable,
      ...(overflow && { overflow }),
      ...(mayBeOverflow && { mayBeOverflow }),
    })
    this.failure = failure
  }

  /** The same error with more known of it. */
  with(known: Partial<Failure>, attempts = this.attempts, message = this.message): EndpointError {
    return new EndpointError(this.code as 'model', message, { ...this.failure, ...known }, attempts)
  }

  /** The same error with these attempts. */
  after(attempts: readonly Attempt[]): EndpointError {
    return this.with({}, attempts)
  }

  /** The same error after the last attempt. */
  givenUp(attempts: readonly Attempt[], times: number): EndpointError {
    const message = times === 1 ? this.message : `${this.message} (Tried ${String(times)} times.)`
    return this.with({ retryable: false }, attempts, message)
  }
}

/** A failed attempt, as it is stored. */
export function attemptOf({ outcome, status, requestId }: Failure, milliseconds: number): Attempt {
  return {
    outcome,
    ...(status !== undefined && { status }),
    waitMs: 0,
    milliseconds: Math.round(milliseconds),
    ...(requestId !== undefined && { requestId }),
  }
}

/** The same attempts, the first of them after a longer wait. */
export function waited(attempts: readonly Attempt[], ms: number): readonly Attempt[] {
  return ms < 0.5
    ? attempts
    : attempts.map((one, index) => (index > 0 ? one : { ...one, waitMs: one.waitMs + Math.round(ms) }))
}
