import type { Completion, Model } from '../core/model.js'
import { EndpointError, attemptOf } from './endpoint-error.js'
import type { Limiter } from './limit.js'
import { joinSignals } from './signals.js'

/**
 * A model whose every attempt is over after so many milliseconds, body included; it may then be tried again. The time
 * begins when the attempt is sent, and again with each answer to another call that was in flight by then, as the server
 * of `limiter` may have answered that one first. An abort by the caller ends it at once, with the caller's reason.
 */
export function withDeadline(
  model: Model,
  timeoutMs: number,
  clock = () => performance.now(),
  limiter?: Pick<Limiter, 'watch'>,
): Model {
  return {
    ...model,
    async complete(messages, sampling) {
      sampling.signal?.throwIfAborted()
      const started = clock()
      const joined = joinSignals(sampling.signal)
      let servedAt: number | undefined
      const expire = (): void => {
        if (servedAt !== undefined) {
          const left = servedAt + timeoutMs - clock()
          servedAt = undefined
          timer = setTimeout(expire, Math.max(0, left))
          return
        }
        const failure = { outcome: 'timeout', retryable: true } as const
        const message = `No whole answer from '${model.name}' within ${String(timeoutMs)} ms.`
        joined.abort(new EndpointError('model', message, failure, [attemptOf(failure, clock() - started)]))
      }
      let timer = setTimeout(expire, timeoutMs)
      const unwatch = limiter?.watch(() => (servedAt = clock()))
      try {
        return await endingWith(joined.signal, async () =>
          model.complete(messages, { ...sampling, signal: joined.signal }),
        )
      } finally {
        clearTimeout(timer)
        unwatch?.()
        joined.release()
      }
    },
  }
}

/** Waits for the work, but no longer than until the signal; whatever the work does afterwards is its own affair. */
async function endingWith(signal: AbortSignal, work: () => Promise<Completion>): Promise<Completion> {
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work(), aborted])
  } catch (thrown) {
    throw signal.aborted ? signal.reason : thrown
  } finally {
    signal.removeEventListener('abort', stop!)
  }
}
