import { parseAddress } from './address.js'
import { setMaxListeners } from 'node:events'
import { GivenUp, ShaketableError } from '../core/errors.js'
import { CallError } from './call-error.js'
import type { OwnFetch } from './fetch.js'
import { createFetch } from './fetch.js'
import type { LimitOptions } from './limit.js'
import { Limiter } from './limit.js'
import { formatDuration } from './retry-after.js'

/** Shared by all models behind one address. */
export interface Server {
  readonly limiter: Limiter
  readonly circuit: Circuit
  readonly fetch: OwnFetch['fetch']
  /** How often the server may have been gone: attempts without a connection, or a status that says so. */
  outages: number
  close(): void
}

/** Makes the shared part of one address. Sockets are opened when they are needed. */
export function createServer(options: LimitOptions): Server {
  let own: OwnFetch | undefined
  const open = (): OwnFetch => (own ??= createFetch({ maxSockets: options.concurrency }))
  const server: Server = {
    limiter: new Limiter(options),
    circuit: createCircuit(),
    fetch: async (...request) => open().fetch(...request),
    outages: 0,
    close: () => {
      server.limiter.close()
      own?.close()
    },
  }
  return server
}

/** The servers of a run, one for each address. */
export interface Servers {
  /** @param shown its name in messages; by default its host */
  at(address: string, shown?: string): Server
  /** Aborted, with the error for the run, once any server is gone. */
  readonly gone: AbortSignal
  /** The current pauses, each with its server and remaining time. */
  pauses(): readonly string[]
  /** Gives up all calls that wait to be sent or repeated, now and from now on. */
  leave(): void
  close(): void
}

/** Shorter pauses are not announced. */
const longPauseMs = 5000

/** Makes servers on demand; limits hold for each of them. `warn` is called before long pauses. */
export function createServers(options: LimitOptions, warn: (message: string) => void = () => undefined): Servers {
  const servers = new Map<string, { readonly name: string; readonly server: Server }>()
  const gone = new AbortController()
  const leaving = new AbortController()
  // One listener for each call that waits.
  setMaxListeners(0, leaving.signal)
  const open = (name: string): Server => {
    const paused = (ms: number): void => {
      if (ms < longPauseMs) return
      warn(`${name} asks to wait (Retry-After): no calls for ${formatDuration(ms)}.`)
    }
    const server = createServer({ leaving: leaving.signal, ...options, paused })
    const { opened } = server.circuit
    opened.addEventListener('abort', () => {
      gone.abort(opened.reason)
    })
    return server
  }
  return {
    gone: gone.signal,
    leave: () => leaving.abort(new GivenUp('The run was stopped before the call was sent.')),
    pauses: () =>
      [...servers.values()].flatMap(({ name, server: { limiter } }) =>
        limiter.pausedMs === 0 ? [] : [`${name} asks to wait ${formatDuration(limiter.pausedMs)} (Retry-After)`],
      ),
    at(address, shown) {
      const { host } = parseAddress(address)
      const known = servers.get(host)
      if (known !== undefined) return known.server
      const [name, server] = [shown ?? host, open(shown ?? host)]
      servers.set(host, { name, server })
      return server
    },
    close() {
      for (const { server } of servers.values()) server.close()
    },
  }
}

/** After this many failed calls in a row, each with all attempts, a server counts as gone. */
const maxFailures = 24
/** The same where every other call would fail alike: no connection, or a refused key or model. */
const maxDecisive = 3

/** A circuit breaker for a server: a run stops with one message instead of failing every episode. */
interface Circuit {
  /** Aborted, with the error to stop with, once the circuit is open; it stays open. */
  readonly opened: AbortSignal
  succeeded(): void
  /** A context overflow counts as an answer. */
  failed(thrown: unknown): void
}

/** Makes a circuit. */
export function createCircuit(): Circuit {
  const opening = new AbortController()
  // One listener for each call in flight.
  setMaxListeners(0, opening.signal)
  let [failures, decisive] = [0, 0]
  return {
    opened: opening.signal,
    succeeded() {
      ;[failures, decisive] = [0, 0]
    },
    failed(thrown) {
      if (opening.signal.aborted || !(thrown instanceof CallError)) return
      if (thrown.code === 'context-overflow') return this.succeeded()
      const { failure } = thrown
      failures++
      if (failure.decisive) decisive++
      if (!failure.stops && failures < maxFailures && decisive < maxDecisive) return
      const counted = `${String(failures)} calls in a row have failed, so the run was stopped. The last: ${thrown.message}`
      opening.abort(new ShaketableError('model', failure.stops ? thrown.message : counted, { cause: thrown }))
    },
  }
}
