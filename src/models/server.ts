import { parseAddress } from './address.js'
import type { Circuit } from './circuit.js'
import { createCircuit } from './circuit.js'
import type { OwnFetch } from './fetch.js'
import { createFetch } from './fetch.js'
import type { LimitOptions } from './limit.js'
import { Limiter } from './limit.js'

/** What all models behind one address share. */
export interface Server {
  readonly limiter: Limiter
  readonly circuit: Circuit
  readonly fetch: OwnFetch['fetch']
  close(): void
}

/** Makes what the models behind one address share. Sockets are opened when they are needed. */
export function createServer(options: LimitOptions): Server {
  let own: OwnFetch | undefined
  const open = (): OwnFetch => (own ??= createFetch({ mostSockets: options.concurrency }))
  return {
    limiter: new Limiter(options),
    circuit: createCircuit(),
    fetch: async (...request) => open().fetch(...request),
    close: () => own?.close(),
  }
}

/** The servers of a run, one for each address. */
export interface Servers {
  at(address: string): Server
  /** Aborted, with the error to stop with, once any server is gone. */
  readonly gone: AbortSignal
  close(): void
}

/** Shorter pauses are not worth a sentence. */
const longPauseMs = 5000

/** Makes servers as they are asked for; limits hold for each of them. `warn` hears of long pauses before they begin. */
export function createServers(options: LimitOptions, warn: (message: string) => void = () => undefined): Servers {
  const servers = new Map<string, Server>()
  const gone = new AbortController()
  return {
    gone: gone.signal,
    at(address) {
      const { host } = parseAddress(address)
      let server = servers.get(host)
      if (server === undefined) {
        server = createServer({
          ...options,
          paused: (ms) => {
            if (ms < longPauseMs) return
            warn(`${host} asks to wait: it is asked nothing for at most ${String(Math.ceil(ms / 1000))} s.`)
          },
        })
        const { opened } = server.circuit
        opened.addEventListener('abort', () => {
          gone.abort(opened.reason)
        })
        servers.set(host, server)
      }
      return server
    },
    close() {
      for (const server of servers.values()) server.close()
    },
  }
}
