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

/**
 * A signal that the first Ctrl-C or SIGTERM aborts, after which `then` is called; the second one ends the process at
 * once.
 */
export function stopSignal(then?: () => void): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(exits.interrupted)
      stopping.abort()
      then?.()
    })
  }
  return stopping.signal
}

/**
 * Runs work that Ctrl-C cancels: the work throws once its signal is aborted and leaves no files, and a message says so.
 * @returns the result of the work, or undefined after an interruption
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const stop = stopSignal()
  try {
    return await work(stop)
  } catch (thrown) {
    if (!stop.aborted) throw thrown
    process.stderr.write('Interrupted. Nothing was written.\n')
    process.exitCode = exits.interrupted
    return undefined
  }
}
