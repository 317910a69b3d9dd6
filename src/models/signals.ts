import { setTimeout } from 'node:timers/promises'

/**
 * Joins signals into one that can be aborted on its own too. It must be released: `AbortSignal.any` keeps its listeners
 * on a long-lived signal for ever.
 */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]) {
  const joined = new AbortController()
  const listening = signals.flatMap((signal) => {
    if (signal === undefined) return []
    const forward = (): void => joined.abort(signal.reason)
    if (signal.aborted) forward()
    signal.addEventListener('abort', forward, { once: true })
    return [() => signal.removeEventListener('abort', forward)]
  })
  return {
    signal: joined.signal,
    abort: (reason: unknown): void => joined.abort(reason),
    release: (): void => listening.forEach((stop) => stop()),
  }
}

/** Waits, or rejects with the signal's reason as soon as that is aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
