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

/** A call to a model that gave no reply, with every attempt that was made. */
export class CallError extends ShaketableError {
  readonly attempts: readonly Attempt[]
  /** The sizes in a context overflow, as far as the server gave them. */
  readonly overflow: OverflowCounts | undefined
  /** The refusal may mean a context overflow, in words that are not known. */
  readonly mayBeOverflow: boolean

  constructor(
    code: 'model' | 'context-overflow',
    message: string,
    attempts: readonly Attempt[],
    options: {
      readonly cause?: unknown
      readonly retryable?: boolean
      readonly overflow?: OverflowCounts
      readonly mayBeOverflow?: boolean
    } = {},
  ) {
    super(code, message, options)
    this.attempts = attempts
    this.overflow = options.overflow
    this.mayBeOverflow = options.mayBeOverflow ?? false
  }
}
