import { ShaketableError } from '../core/errors.js'
import type { Attempt } from '../core/model.js'

/** Sizes in tokens from a server's refusal of a prompt that is too long. */
export interface OverflowCounts {
  readonly promptTokens?: number
  /** Of prompt and reply together. */
  readonly contextTokens?: number
  /** Of the prompt alone. */
  readonly maxPromptTokens?: number
}

/** What is known of a failed call. */
export interface Failure {
  readonly outcome?: Exclude<Attempt['outcome'], 'ok'>
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
  /** The refusal may mean a context overflow, in words that are not known. */
  readonly mayBeOverflow?: boolean
  readonly cause?: unknown
}

/** A call to a model that gave no reply, with every attempt that was made. */
export class CallError extends ShaketableError {
  readonly attempts: readonly Attempt[]
  readonly failure: Failure

  constructor(
    code: 'model' | 'context-overflow',
    message: string,
    failure: Failure = {},
    attempts: readonly Attempt[] = [],
  ) {
    super(code, message, { cause: failure.cause, retryable: failure.retryable ?? false })
    this.attempts = attempts
    this.failure = failure
  }

  /** The same error with more known of it. */
  with(known: Failure, message = this.message, attempts = this.attempts): CallError {
    return new CallError(this.code as 'model', message, { ...this.failure, ...known }, attempts)
  }
}
