import * as http from 'node:http'
import * as https from 'node:https'
import type { Duplex } from 'node:stream'
import * as tls from 'node:tls'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { NetworkVariables } from './proxy.js'
import { proxyAuthorization, proxyFor } from './proxy.js'

/** Options of the network access. */
export interface FetchOptions {
  /** Maximum number of sockets per server. */
  readonly maxSockets: number
  /**
   * Maximum size of a body, both as received and unpacked; a longer one is an error. Default: 8 MB, as a reply of
   * 100,000 tokens has at most 2 MB.
   */
  readonly maxBytes?: number
  /** Environment variables. Default: those of the process. */
  readonly variables?: NetworkVariables
  /** Called where a connection is opened after the server closed all that it had kept: it may have been restarted. */
  readonly reopened?: () => void
}

/** The used part of `fetch`. */
export type Fetch = (
  url: string,
  init?: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly signal?: AbortSignal
  },
) => Promise<Response>

/** A `fetch` with its own sockets. */
export interface OwnFetch {
  readonly fetch: Fetch
  close(): void
}

/**
 * A `fetch` over `node:http` and `node:https` with a bounded number of kept-alive sockets. It honours HTTP_PROXY,
 * HTTPS_PROXY and NO_PROXY. It follows no redirects, since a key is meant for one server only. Aborting the signal ends
 * the request at once, also while the body is received. Bodies are unpacked UTF-8 text without a byte order mark. The
 * promise resolves after the last byte.
 */
export function createFetch(options: FetchOptions): OwnFetch {
  const { maxSockets, maxBytes = 8 << 20, variables = process.env, reopened = () => undefined } = options
  const pools = new Map<string, { readonly agent: http.Agent; readonly taken: () => void }>()
  const poolOf = (name: string, isSecure: boolean, tunnel: URL | undefined) => {
    const agent = pools.get(name)?.agent ?? openAgent(isSecure, maxSockets, tunnel)
    const pool = pools.get(name) ?? { agent, taken: watchConnections(agent, reopened) }
    pools.set(name, pool)
    return pool
  }
  return {
    async fetch(address, { method = 'GET', headers, body, signal } = {}) {
      signal?.throwIfAborted()
      const url = new URL(address)
      const proxy = proxyFor(url, variables)
      const isTunnel = proxy !== undefined && url.protocol === 'https:'
      const peer = isTunnel ? url : (proxy ?? url)
      const isSecure = peer.protocol === 'https:'
      const { agent, taken } = poolOf(isTunnel ? 'tunnel' : peer.protocol, isSecure, isTunnel ? proxy : undefined)
      const path = `${url.pathname}${url.search}`
      const request = (isSecure ? https : http).request({
        agent,
        method,
        host: peer.hostname.replace(/^\[|\]$/g, ''),
        port: peer.port || (isSecure ? 443 : 80),
        path: peer === url ? path : `${url.origin}${path}`,
        headers: {
          host: url.host,
          ...(peer !== url && proxyAuthorization(peer)),
          ...headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
        ...(signal && { signal }),
      })
      request.once('socket', taken)
      try {
        const answer = await answerTo(request, body, maxBytes)
        // A body without a length ends like any other where it is aborted.
        signal?.throwIfAborted()
        return answer
      } catch (thrown) {
        request.destroy()
        signal?.throwIfAborted()
        throw thrown
      }
    },
    close: () => {
      for (const { agent } of pools.values()) agent.destroy()
    },
  }
}

/** Statuses of an answer that cannot have a body. */
const bodyless: readonly number[] = [204, 205]

async function answerTo(request: http.ClientRequest, body: string | undefined, maxBytes: number): Promise<Response> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on('error', reject)
    request.once('response', resolve)
    // No other protocol was requested, so nothing would read what follows.
    request.once('upgrade', resolve)
    request.end(body)
  })
  const { statusCode: status = 0, headers: raw } = response
  if (status === 101)
    throw new Error('the answer 101 Switching Protocols, to a request that asked for no other protocol')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLong(maxBytes)
    chunks.push(chunk)
  }
  // No condition was given that 304 could answer.
  if (status < 200 || status === 304 || status > 599) throw new Error(`an answer with the status ${String(status)}`)
  const unpacked = await unpack(Buffer.concat(chunks), raw['content-encoding'], maxBytes)
  const headers = Object.entries(raw).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  const text = unpacked.toString('utf8').replace(/^\ufeff/, '')
  return new Response(bodyless.includes(status) ? null : text, { status, headers })
}

type Unpacker = typeof zlib.gunzip

/** Compression is never requested, but some proxies compress anyway. Node has zstd since 22.15. */
const unpackers: Readonly<Record<string, Unpacker | undefined>> = {
  gzip: zlib.gunzip,
  'x-gzip': zlib.gunzip,
  deflate: zlib.inflate,
  br: zlib.brotliDecompress,
  zstd: (zlib as { readonly zstdDecompress?: Unpacker }).zstdDecompress,
}

/** Undoes the encoding in a header. */
export async function unpack(body: Buffer, encoding = '', maxBytes: number): Promise<Buffer> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity' || body.length === 0) return body
  const unpacker = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined
  if (unpacker === undefined) {
    throw new Error(
      `an answer packed as '${name.slice(0, 40)}', which Node ${process.versions.node} cannot unpack. Have the server or its proxy send it unpacked`,
    )
  }
  return promisify(unpacker)(body, { maxOutputLength: maxBytes }).catch((thrown: unknown) => {
    const { code, message } = thrown as { readonly code?: string; readonly message: string }
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(maxBytes)
    throw new Error(`an answer packed as '${name}' that cannot be unpacked (${message})`, { cause: thrown })
  })
}

function tooLong(maxBytes: number): Error {
  return new Error(`an answer of more than ${String(maxBytes)} bytes`)
}

/**
 * Sockets that are kept open between calls.
 * @param proxy through which each has a tunnel of its own to an https server; absent for plain connections
 */
function openAgent(isSecure: boolean, maxSockets: number, proxy: URL | undefined): http.Agent {
  const settings = { keepAlive: true, maxSockets, maxFreeSockets: maxSockets }
  const agent = isSecure ? new https.Agent(settings) : new http.Agent(settings)
  if (proxy === undefined) return agent
  const open = (options: https.AgentOptions & { host?: string; port?: number }, done: SocketHandler): undefined => {
    const { host = '', servername } = options
    openTunnel(proxy, `${host.includes(':') ? `[${host}]` : host}:${String(options.port ?? 443)}`).then(
      (socket) => done(null, tls.connect({ socket, ...(servername && { servername }), host })),
      (thrown: Error) => done(thrown),
    )
    return undefined
  }
  return Object.assign(agent, { createConnection: open })
}

/**
 * Watches the connections of an agent.
 * @param reopened called where a connection is opened after the server closed all that it had kept, as in a restart
 * @returns a function to be called for each request that has a connection
 */
function watchConnections(agent: http.Agent, reopened: () => void): () => void {
  const kept = new Set<Duplex>()
  let hadKept = false
  agent.on('free', (socket: Duplex) => {
    hadKept = true
    if (!kept.has(socket)) kept.add(socket.once('close', () => kept.delete(socket)))
  })
  return () => {
    if (!hadKept || kept.size > 0) return
    hadKept = false
    reopened()
  }
}

type SocketHandler = (error: Error | null, socket?: Duplex) => void

const tunnelMs = 30_000

function openTunnel(proxy: URL, authority: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const secure = proxy.protocol === 'https:'
    const connect = (secure ? https : http).request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (secure ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyAuthorization(proxy) },
      agent: false,
      timeout: tunnelMs,
    })
    connect.once('connect', (response, socket) => {
      if (response.statusCode === 200) {
        socket.setTimeout(0)
        resolve(socket)
        return
      }
      socket.destroy()
      reject(new Error(`the proxy ${proxy.host} refused a tunnel with status ${String(response.statusCode)}`))
    })
    connect.once('timeout', () => connect.destroy(new Error(`the proxy ${proxy.host} did not answer`)))
    connect.once('error', reject)
    connect.end()
  })
}
