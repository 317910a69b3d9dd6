import type { Model } from '../core/model.js'
import { EndpointError, attemptOf } from './endpoint-error.js'
import type { Limiter } from './limit.js'

/**
 * A model with a time limit for every attempt, body included; a timeout is retryable. The time starts when the attempt
 * is sent, and again with each answer to another call that was in flight, as the server of `limiter` may have answered
 * that one first. An abort by the caller ends it at once, with the caller's reason.
 */
export function withDeadline(
  model: Model,
  timeoutMs: number,
  clock = () => performance.now(),
  limiter?: Pick<Limiter, 'watch' | 'unwatch'>,
): Model {
  return {
    ...model,
    async complete(messages, sampling) {
      const { signal } = sampling
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
          const message = `No whole answer from '${model.name}' within ${String(timeoutMs)} ms.`
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
        const work = async () => model.complete(messages, { ...sampling, signal: ending.signal })
        work().then(
          (completion) => {
            settle()
            resolve(completion)
          },
          (thrown: unknown) => {
            settle()
            reject(thrown as Error)
          },
        )
      })
    },
  }
}
