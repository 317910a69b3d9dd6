import type { Model } from '../core/model.js'
import { EndpointError, attemptOf } from './endpoint-error.js'
import type { Limiter } from './limit.js'

/** The time limit of an attempt. */
interface Deadline {
  /** The name of the model, for the message. */
  readonly name: string
  readonly timeoutMs: number
  readonly clock?: () => number
  /** The time starts again with each answer to another call of this limiter that was in flight. */
  readonly limiter?: Pick<Limiter, 'watch' | 'unwatch'> | undefined
}

/**
 * Does work within a time limit. A timeout is retryable; an abort by the caller ends the work at once, with the
 * caller's reason.
 */
export async function withinTime<T>(
  work: (signal: AbortSignal) => T | Promise<T>,
  { name, timeoutMs, clock = () => performance.now(), limiter }: Deadline,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted()
  const started = clock()
  const ending = new AbortController()
  const watcher = limiter?.watch()
  return new Promise((resolve, reject) => {
    const end = (reason: unknown): void => {
      ending.abort(reason)
      settle()
      reject(reason as Error)
    }
    const forward = (): void => {
      end(signal!.reason)
    }
    const expire = (): void => {
      if (watcher?.servedAt !== undefined) {
        const left = watcher.servedAt + timeoutMs - clock()
        watcher.servedAt = undefined
        timer = setTimeout(expire, Math.max(0, left))
        return
      }
      const failure = { outcome: 'timeout', retryable: true } as const
      const message = `No whole answer from '${name}' within ${String(timeoutMs)} ms.`
      end(new EndpointError('model', message, failure, [attemptOf(failure, clock() - started)]))
    }
    let timer = setTimeout(expire, timeoutMs)
    const settle = (): void => {
      clearTimeout(timer)
      if (watcher !== undefined) limiter!.unwatch(watcher)
      signal?.removeEventListener('abort', forward)
    }
    signal?.addEventListener('abort', forward, { once: true })
    // A result after the deadline is ignored.
    const begin = async (): Promise<T> => work(ending.signal)
    begin().then(resolve, reject).finally(settle)
  })
}

/** A model with a time limit for every attempt, body included; see {@link withinTime}. */
export function withDeadline(
  model: Model,
  timeoutMs: number,
  clock?: () => number,
  limiter?: Pick<Limiter, 'watch' | 'unwatch'>,
): Model {
  const deadline = { name: model.name, timeoutMs, ...(clock && { clock }), limiter }
  return {
    ...model,
    complete: (messages, sampling) =>
      withinTime((signal) => model.complete(messages, { ...sampling, signal }), deadline, sampling.signal),
  }
}
