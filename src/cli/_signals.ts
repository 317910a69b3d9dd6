/** Exit codes; 0 is success, and 3 an inconclusive check. */
export const exits = {
  /** Episodes ended in an error, a law failed, or a check found something. */
  wrong: 1,
  usage: 2,
  /** A server or a queue does not answer, a budget is used up, or a run is broken. */
  stopped: 4,
  /** An unexpected error: a code of its own, which no verdict of a run or a gate has. */
  unexpected: 70,
  interrupted: 130,
} as const

/** The reason of a stop signal, for work that leaves no files when it throws it. */
export class Interrupted extends Error {
  override readonly message = 'Interrupted. Nothing was written.'
}

/**
 * A signal that the first Ctrl-C or SIGTERM aborts, after which `then` is called; the second one ends the process at
 * once.
 */
export function stopSignal(then?: () => void): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(exits.interrupted)
      stopping.abort(new Interrupted())
      then?.()
    })
  }
  return stopping.signal
}
