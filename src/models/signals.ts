import { setTimeout } from 'node:timers/promises'

/**
 * Several signals as one, which must be released: `AbortSignal.any` keeps its listeners on a long-lived signal for
 * ever.
 */
interface JoinedSignal {
  readonly signal: AbortSignal
  abort(reason: unknown): void
  release(): void
}

/** Joins signals into one that can be aborted on its own too. */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]): JoinedSignal {
  const joined = new AbortController()
  const listening: (() => void)[] = []
  for (const signal of signals) {
    if (signal === undefined) continue
    if (signal.aborted) joined.abort(signal.reason)
    const forward = (): void => {
      joined.abort(signal.reason)
    }
    signal.addEventListener('abort', forward, { once: true })
    listening.push(() => {
      signal.removeEventListener('abort', forward)
    })
  }
  return {
    signal: joined.signal,
    abort: (reason) => {
      joined.abort(reason)
    },
    release: () => {
      for (const stop of listening) stop()
    },
  }
}

/** Waits, or rejects with the signal's reason as soon as that is aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
