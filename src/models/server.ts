import { setMaxListeners } from 'node:events'
import { GivenUp, ShaketableError } from '../core/errors.js'
import { parseAddress } from './address.js'
import { CallError } from './call-error.js'
import { createFetch } from './fetch.js'
import { type LimitOptions, Limiter } from './limit.js'
import { formatDuration } from './retry-after.js'

/** Shared by all models behind one address. */
export type Server = ReturnType<typeof createServer>

/** Makes the shared part of one address. Sockets are opened when they are needed. */
export function createServer(options: LimitOptions) {
  const { fetch, close } = createFetch({ maxSockets: options.concurrency })
  const limiter = new Limiter(options)
  return {
    limiter,
    circuit: createCircuit(),
    fetch,
    /** How often the server may have been gone: attempts without a connection, or a status that says so. */
    outages: 0,
    close(): void {
      limiter.close()
      close()
    },
  }
}

/** The servers of a run, one for each address. */
export type Servers = ReturnType<typeof createServers>

/** Shorter pauses are not announced. */
const longPauseMs = 5000

/** Makes servers on demand; limits hold for each of them. `warn` is called before long pauses. */
export function createServers(options: LimitOptions, warn: (message: string) => void = () => undefined) {
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
    opened.addEventListener('abort', () => gone.abort(opened.reason))
    return server
  }
  return {
    /** Aborted, with the error for the run, once any server is gone. */
    gone: gone.signal,
    /** Gives up all calls that wait to be sent or repeated, now and from now on. */
    leave: (): void => leaving.abort(new GivenUp('The run was stopped before the call was sent.')),
    /** The current pauses, each with its server and remaining time. */
    pauses: (): readonly string[] =>
      [...servers.values()].flatMap(({ name, server: { limiter } }) =>
        limiter.pausedMs === 0 ? [] : [`${name} asks to wait ${formatDuration(limiter.pausedMs)} (Retry-After)`],
      ),
    /** @param shown its name in messages; by default its host */
    at(address: string, shown?: string): Server {
      const { host } = parseAddress(address)
      const name = shown ?? host
      const { server } = servers.get(host) ?? { server: open(name) }
      servers.set(host, { name: servers.get(host)?.name ?? name, server })
      return server
    },
    close(): void {
      for (const { server } of servers.values()) server.close()
    },
  }
}

/** After this many failed calls in a row, each with all attempts, a server counts as gone. */
const maxFailures = 24
/** The same where every other call would fail alike: no connection, or a refused key or model. */
const maxDecisive = 3

/** Makes a circuit breaker for a server: a run stops with one message instead of failing every episode. */
export function createCircuit() {
  const opening = new AbortController()
  // One listener for each call in flight.
  setMaxListeners(0, opening.signal)
  let [failures, decisive] = [0, 0]
  const succeeded = (): void => void ([failures, decisive] = [0, 0])
  return {
    /** Aborted, with the error to stop with, once the circuit is open; it stays open. */
    opened: opening.signal,
    succeeded,
    /** A context overflow counts as an answer. */
    failed(thrown: unknown): void {
      if (opening.signal.aborted || !(thrown instanceof CallError)) return
      if (thrown.code === 'context-overflow') return succeeded()
      const { failure } = thrown
      failures++
      if (failure.decisive) decisive++
      if (!failure.stops && failures < maxFailures && decisive < maxDecisive) return
      const counted = `${String(failures)} calls in a row have failed, so the run was stopped. The last: ${thrown.message}`
      opening.abort(new ShaketableError('model', failure.stops ? thrown.message : counted, { cause: thrown }))
    },
  }
}
