import { once } from 'node:events'
import { printData, say } from './_lines.js'

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
 * A signal that the first Ctrl-C or SIGTERM aborts; the second one ends the process at once.
 * @param finishing what is still done then, which is said: `running replays are finished`
 */
export function stopSignal(finishing?: string): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(exits.interrupted)
      stopping.abort(new Interrupted())
      if (finishing !== undefined) say(`Stopping: ${finishing}. Press Ctrl-C again to leave at once.`)
    })
  }
  return stopping.signal
}

/** Prints the address of a server, and waits for Ctrl-C. */
export async function untilStopped(address: string): Promise<void> {
  const stopped = once(stopSignal(), 'abort')
  await printData(address)
  await stopped
}
