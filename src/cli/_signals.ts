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

export const stopSignals = ['SIGINT', 'SIGTERM'] as const
let leaves = false

/** Ends the command on purpose. Any other exit before its end is that of a plug-in. */
export function leave(code: number): never {
  leaves = true
  process.exit(code)
}

/** Whether the command ends on purpose. */
export function isLeaving(): boolean {
  return leaves
}

/**
 * Runs work that Ctrl-C cancels: the work throws once its signal is aborted and leaves no files, and a message says so.
 * @returns the result of the work, or undefined after an interruption
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  for (const signal of stopSignals) process.once(signal, interrupt)
  try {
    return await work(stop.signal)
  } catch (thrown) {
    if (!stop.signal.aborted) throw thrown
    process.stderr.write('Interrupted. Nothing was written.\n')
    process.exitCode = exits.interrupted
    return undefined
  } finally {
    for (const signal of stopSignals) process.off(signal, interrupt)
  }
}

/** Calls `stop` on the first Ctrl-C or SIGTERM; the second one ends the process at once. */
export function onStop(stop: () => void): void {
  let isStopping = false
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (isStopping) leave(exits.interrupted)
      isStopping = true
      stop()
    })
  }
}

/** A signal that the first Ctrl-C or SIGTERM aborts, after which `then` is called. */
export function stopSignal(then?: () => void): AbortSignal {
  const stopping = new AbortController()
  onStop(() => {
    stopping.abort()
    then?.()
  })
  return stopping.signal
}
