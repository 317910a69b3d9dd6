import { setMaxListeners } from 'node:events'
import { ShaketableError } from '../core/errors.js'
import { CallError } from './call-error.js'
import type { Model } from '../core/model.js'
import { EndpointError } from './endpoint-error.js'
import { joinSignals } from './signals.js'

/** After this many failed calls in a row, each with all attempts, a server counts as gone. */
const maxFailures = 24
/** The same where every other call would fail alike: no connection, or a refused key or model. */
const maxDecisive = 3

/** A circuit breaker for a server: a run stops with one message instead of failing every episode. */
export interface Circuit {
  /** Aborted, with the error to stop with, once the circuit is open. */
  readonly opened: AbortSignal
  succeeded(): void
  /** A context overflow counts as an answer. */
  failed(thrown: unknown): void
}

/** Makes a circuit; once open it stays open. */
export function createCircuit(): Circuit {
  const opening = new AbortController()
  // One listener for each call in flight.
  setMaxListeners(0, opening.signal)
  let failures = 0
  let decisive = 0
  return {
    opened: opening.signal,
    succeeded() {
      failures = 0
      decisive = 0
    },
    failed(thrown) {
      if (opening.signal.aborted || !(thrown instanceof CallError)) return
      if (thrown.code === 'context-overflow') {
        this.succeeded()
        return
      }
      if (thrown instanceof EndpointError && thrown.failure.stops === true) {
        opening.abort(new ShaketableError('model', thrown.message, { cause: thrown }))
        return
      }
      failures++
      if (thrown instanceof EndpointError && thrown.failure.decisive === true) decisive++
      if (failures < maxFailures && decisive < maxDecisive) return
      const message = `${String(failures)} calls in a row have failed, so the run was stopped. The last: ${thrown.message}`
      opening.abort(new ShaketableError('model', message, { cause: thrown }))
    },
  }
}

/** A model whose calls fail at once when its circuit is open, including those in flight. */
export function withCircuit(model: Model, circuit: Circuit): Model {
  return {
    ...model,
    async complete(messages, sampling) {
      circuit.opened.throwIfAborted()
      const joined = sampling.signal && joinSignals(sampling.signal, circuit.opened)
      const signal = joined?.signal ?? circuit.opened
      try {
        const completion = await model.complete(messages, { ...sampling, signal })
        circuit.succeeded()
        return completion
      } catch (thrown) {
        if (!signal.aborted) circuit.failed(thrown)
        throw thrown
      } finally {
        joined?.release()
      }
    },
  }
}
