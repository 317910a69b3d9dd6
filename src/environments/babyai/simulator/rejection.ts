/**
 * Thrown while a level is made, to try again with the random numbers that follow: Minigrid's RejectSampling and
 * RecursionError.
 */
export class Rejection extends Error {
  /** What Minigrid prints of it. */
  readonly line: string

  constructor(kind: 'rejected' | 'timeout', reason: string) {
    super(reason)
    this.line = `${kind === 'rejected' ? 'Sampling rejected' : 'Timeout during mission generation'}: ${reason}`
  }
}
