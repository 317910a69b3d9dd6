import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, isIP, isIPv6 } from 'node:net'
import { ShaketableError, messageOf } from '../core/errors.js'

/** Answers a request, or throws an ApiError. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** Where a server listens. */
export interface Listening {
  /** 0 chooses a free one. */
  readonly port: number
  readonly host: string
}

/** An error answer in OpenAI's format. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The JSON of the answer. */
  readonly body: { readonly error: Details & { readonly message: string } }
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, details: Partial<Details> = {}, headers = {}) {
    super(message)
    this.status = status
    const { type = 'invalid_request_error', param = null, code = null } = details
    this.body = { error: { message, type, param, code } }
    this.headers = headers
  }
}

interface Details {
  readonly type: string
  readonly param: string | null
  readonly code: string | number | null
}

/** Whether an address is of this machine alone. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

/**
 * Refuses what a web page of another site can make a browser send to a server of this machine: requests under a name
 * that was rebound to it, from another origin, or of a content type that needs no permission.
 * @throws ApiError 403 or 415
 */
function checkSender({ headers, method = '' }: IncomingMessage): void {
  const { host = '', origin } = headers
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : ''
  if (!isLoopback(name)) {
    throw new ApiError(
      403,
      `Expected a request to 127.0.0.1 or localhost, got one to '${host.slice(0, 100)}'. Use that address, or listen on another one with --host.`,
    )
  }
  const site = String(headers['sec-fetch-site'] ?? 'none')
  const isOpened = ['GET', 'HEAD'].includes(method) && headers['sec-fetch-dest'] === 'document'
  const isForeign = (origin !== undefined && origin !== `http://${host}`) || !['none', 'same-origin'].includes(site)
  if (isForeign && !isOpened)
    throw new ApiError(403, 'Expected a request of a program of this machine, got one of a web page.')
  const type = headers['content-type'] ?? ''
  if (method === 'POST' && /^\s*(?:text\/plain|application\/x-www-form-urlencoded)/i.test(type)) {
    throw new ApiError(
      415,
      `Expected the content type application/json, got '${type.slice(0, 100)}'. Send that header.`,
    )
  }
}

/** The byte limit of a request; the longest contexts, as JSON, stay below it. */
const maxBodyBytes = 16 * 1024 * 1024

/** The text of a request's body. @throws ApiError 413 for more than `maxBytes` */
export async function readBody(request: IncomingMessage, maxBytes = maxBodyBytes): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  // With destroyOnReturn the socket would be closed before the error is written.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      const message = `The body of the request has more than ${String(maxBytes)} bytes.`
      throw new ApiError(413, message, { code: 'request_too_large' }, { connection: 'close' })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A running server; its base URL is such as `http://127.0.0.1:41234/v1`. */
export type Serving = Awaited<ReturnType<typeof serveWith>>

/** How long close() waits for running answers. */
const graceMs = 1000
/** Longer than clients keep a socket, so that the server never closes one during a request. */
const keepAliveMs = 75_000

/**
 * Answers each request with `handle`; errors that it throws are answered as error objects. On a loopback address no
 * web page of another site is answered.
 * @throws ShaketableError `usage` if it cannot listen on the address
 */
export async function serveWith(handle: Handle, options: Listening) {
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
    /** Stops accepting requests, gives running answers a second to end, and closes. */
    async close(): Promise<void> {
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

async function listen(server: Server, { port, host }: Listening): Promise<void> {
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
