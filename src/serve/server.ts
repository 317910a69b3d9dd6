import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isIPv6 } from 'node:net'
import { ShaketableError, messageOf } from '../core/errors.js'
import { ApiError, checkSender, isLoopback } from './api-error.js'
import type { Handle } from './handle.js'
import { createHandler } from './handle.js'
import type { ServeOptions } from './fault-plan.js'

/** A running server. */
export interface Serving {
  /** `http://127.0.0.1:41234/v1`. */
  readonly baseUrl: string
  /** Stops accepting requests, gives running answers a second to end, and closes. */
  close(): Promise<void>
}

/** How long close() waits for running answers. */
const graceMs = 1000
/** Longer than clients keep a socket, so that the server never closes one during a request. */
const keepAliveMs = 75_000

/**
 * Serves models as an OpenAI-compatible server.
 * @throws ShaketableError `usage` if it cannot listen on the address
 */
export function serve(options: ServeOptions): Promise<Serving> {
  return serveWith(createHandler(options), options)
}

/**
 * Answers each request with `handle`; errors that it throws are answered as error objects. On a loopback address no
 * web page of another site is answered.
 * @throws ShaketableError `usage` if it cannot listen on the address
 */
export async function serveWith(handle: Handle, options: Pick<ServeOptions, 'port' | 'host'>): Promise<Serving> {
  let requests = 0
  let isLocal = true
  const guarded: Handle = (request, response) => {
    if (isLocal) checkSender(request)
    return handle(request, response)
  }
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    response.setHeader('x-request-id', `req-${String(++requests)}`)
    void respond(guarded, request, response)
  })
  await listen(server, options)
  const { address, port } = server.address() as AddressInfo
  isLocal = isLoopback(address)
  return {
    baseUrl: `http://${isIPv6(address) ? `[${address}]` : address}:${String(port)}/v1`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      const sweep = setInterval(() => server.closeIdleConnections(), 20)
      await closed
      clearTimeout(timer)
      clearInterval(sweep)
    },
  }
}

async function respond(handle: Handle, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await handle(request, response)
  } catch (thrown) {
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return
    }
    const error = thrown instanceof ApiError ? thrown : new ApiError(500, messageOf(thrown), { type: 'server_error' })
    request.resume()
    response.writeHead(error.status, { 'content-type': 'application/json', ...error.headers })
    response.end(JSON.stringify(error.body))
  }
}

async function listen(server: Server, { port, host }: Pick<ServeOptions, 'port' | 'host'>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      // Commands that listen on this machine alone have no --host.
      const other = host === '127.0.0.1' ? '' : ', or another --host'
      reject(
        new ShaketableError(
          'usage',
          `Cannot listen on ${host}, port ${String(port)} (${messageOf(error)}). Give --port 0 for a free one${other}.`,
          { cause: error },
        ),
      )
    })
    server.listen(port, host, resolve)
  })
}
