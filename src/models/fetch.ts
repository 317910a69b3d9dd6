import * as http from 'node:http'
import * as https from 'node:https'
import type { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { NetworkVariables } from './proxy.js'
import { proxyAuthorization, proxyFor } from './proxy.js'
import type { Sockets } from './sockets.js'
import { plainSockets, readCertificates, tunnelledSockets, watchConnections } from './sockets.js'

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

/** Headers of an answer; names are case-insensitive. */
export type AnswerHeaders = Pick<Headers, 'get'>

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
 * HTTPS_PROXY, NO_PROXY and SSL_CERT_FILE. It follows no redirects, since a key is meant for one server only. Aborting
 * the signal ends the request at once, also while the body is received. Bodies are unpacked UTF-8 text without a byte
 * order mark. The promise resolves after the last byte.
 */
export function createFetch(options: FetchOptions): OwnFetch {
  const { maxSockets, maxBytes = 8 << 20, variables = process.env, reopened = () => undefined } = options
  const pools = new Map<string, Sockets & { readonly taken: () => void }>()
  const ca = readCertificates(variables)
  const routeTo = (url: URL): Route => {
    const proxy = proxyFor(url, variables)
    const tunnel = proxy !== undefined && url.protocol === 'https:'
    const next = proxy ?? url
    const secure = next.protocol === 'https:'
    const name = tunnel ? 'tunnel' : next.protocol
    let sockets = pools.get(name)
    if (sockets === undefined) {
      const opened = tunnel ? tunnelledSockets(proxy, maxSockets, ca) : plainSockets(secure, maxSockets, ca)
      sockets = { ...opened, taken: watchConnections(opened.agent, reopened) }
      pools.set(name, sockets)
    }
    const peer = tunnel ? url : next
    const options: http.RequestOptions = {
      agent: sockets.agent,
      protocol: peer.protocol,
      host: peer.hostname.replace(/^\[|\]$/g, ''),
      port: peer.port || (peer.protocol === 'https:' ? 443 : 80),
      path:
        proxy !== undefined && !tunnel ? `${url.origin}${url.pathname}${url.search}` : `${url.pathname}${url.search}`,
      headers: { host: url.host, ...(proxy !== undefined && !tunnel && proxyAuthorization(proxy)) },
    }
    return { options, taken: sockets.taken }
  }
  const routes = new Map<string, Route>()
  const findRoute = (address: string) => {
    let route = routes.get(address)
    if (route === undefined) {
      route = routeTo(new URL(address))
      if (routes.size < 100) routes.set(address, route)
    }
    return route
  }
  return {
    fetch: async (url, init = {}) => send(findRoute(url), init, maxBytes),
    close: () => {
      for (const sockets of pools.values()) sockets.close()
    },
  }
}

/** The way to an address. */
interface Route {
  readonly options: http.RequestOptions
  /** Called for each request that has a connection. */
  readonly taken: () => void
}

function send(
  { options: route, taken }: Route,
  { method = 'GET', headers, body, signal }: NonNullable<Parameters<Fetch>[1]>,
  maxBytes: number,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error)
      return
    }
    const wire: Record<string, string> = { ...(route.headers as Record<string, string>), ...headers }
    if (body !== undefined) wire['content-length'] = String(Buffer.byteLength(body))
    const request = (route.protocol === 'https:' ? https : http).request({ ...route, method, headers: wire })
    const abort = (): void => {
      request.destroy(signal!.reason as Error)
      fail(signal!.reason)
    }
    let release = (): void => undefined
    const fail = (thrown: unknown): void => {
      release()
      signal?.removeEventListener('abort', abort)
      reject(thrown as Error)
    }
    signal?.addEventListener('abort', abort, { once: true })
    request.on('error', fail)
    request.once('socket', taken)
    // No other protocol was requested, so nothing would read what follows.
    const switched = (_?: unknown, socket?: Duplex): void => {
      fail(new Error('the answer 101 Switching Protocols, to a request that asked for no other protocol'))
      socket?.destroy()
      request.destroy()
    }
    request.on('upgrade', switched)
    request.on('response', (response) => {
      if (response.statusCode === 101) {
        switched()
        return
      }
      const chunks: Buffer[] = []
      let bytes = 0
      let hasSlot = false
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > maxBytes) request.destroy(tooLong(maxBytes))
        if (bytes <= maxSmallBytes || hasSlot) return
        hasSlot = true
        response.pause()
        release = takeSlot(() => response.resume())
      })
      response.on('error', fail)
      response.on('close', () => {
        if (!response.complete) fail(new Error('the connection was closed in the middle of the answer'))
      })
      response.on('end', () => {
        const { statusCode = 0, headers: answerHeaders } = response
        if (statusCode < 200 || statusCode > 599) {
          fail(new Error(`an answer with the status ${String(statusCode)}`))
          return
        }
        const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
        const encoding = answerHeaders['content-encoding']
        const read = (): void => {
          const answer = (bytes: Buffer): void => {
            resolve(answerOf(textOf(bytes), statusCode, answerHeaders))
            signal?.removeEventListener('abort', abort)
            // This answer is parsed before the next large one continues.
            setImmediate(() => {
              release()
            })
          }
          unpack(body, encoding, maxBytes).then(answer).catch(fail)
        }
        // A compressed answer may be large once it is unpacked.
        if (encoding === undefined || hasSlot) read()
        else release = takeSlot(read)
      })
    })
    request.end(body)
  })
}

/**
 * Limits the large answers received at once, over all connections of the process: beyond 64 kB an answer needs a slot,
 * and waits unread until one is free. An answer with a slot ends by itself or at its deadline, so that none waits
 * forever.
 */
const maxSmallBytes = 1 << 16
const maxLargeAnswers = 8
let largeAnswers = 0
const waiting = new Set<() => void>()

/**
 * Takes a slot for a large answer, now or later.
 * @param taken called once the slot is taken
 * @returns a function that releases the slot, or stops waiting for one
 */
function takeSlot(taken: () => void): () => void {
  let isHeld = false
  const begin = (): void => {
    waiting.delete(begin)
    isHeld = true
    largeAnswers++
    queueMicrotask(taken)
  }
  if (largeAnswers < maxLargeAnswers) begin()
  else waiting.add(begin)
  return () => {
    waiting.delete(begin)
    if (!isHeld) return
    isHeld = false
    largeAnswers--
    const [next] = waiting
    next?.()
  }
}

/** Statuses of an answer that cannot have a body. */
const bodyless: readonly number[] = [204, 205, 304]

function answerOf(text: string, status: number, raw: http.IncomingHttpHeaders): Response {
  const headers = Object.entries(raw).flatMap(([name, value = []]): [string, string][] =>
    Array.isArray(value) ? value.map((one) => [name, one]) : [[name, value]],
  )
  return new Response(bodyless.includes(status) ? null : text, { status, headers })
}

type Unpacker = typeof zlib.gunzip

/** Compression is never requested, but some proxies compress anyway. Node has zstd since 22.15. */
const unpackers: Readonly<Record<string, Unpacker | undefined>> = {
  gzip: zlib.gunzip,
  'x-gzip': zlib.gunzip,
  deflate: zlib.inflate,
  // Some servers send raw deflate as `deflate`.
  'raw deflate': zlib.inflateRaw,
  br: zlib.brotliDecompress,
  zstd: (zlib as { readonly zstdDecompress?: Unpacker }).zstdDecompress,
}
const maxEncodings = 4

/**
 * Undoes the encodings one after the other, starting with the last in the header. Without the header, gzip and zstd are
 * recognised by their first bytes.
 */
export async function unpack(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const names = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase())
  const left = names.filter((name) => name !== '' && name !== 'identity')
  const named = left.pop()
  const name = named === 'deflate' && (body[0]! & 15) !== 8 ? 'raw deflate' : (named ?? magicOf(body))
  if (name === undefined || body.length === 0) return body
  const unpacker = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined
  if (unpacker === undefined || left.length >= maxEncodings) {
    throw new Error(
      `an answer packed as '${name.slice(0, 40)}', which Node ${process.versions.node} cannot unpack. Have the server or its proxy send it unpacked`,
    )
  }
  const bytes = await promisify(unpacker)(body, { maxOutputLength: maxBytes }).catch((thrown: unknown) => {
    const { code, message } = thrown as { readonly code?: string; readonly message: string }
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(maxBytes)
    throw new Error(`an answer packed as '${name}' that cannot be unpacked (${message})`, { cause: thrown })
  })
  return named === undefined ? bytes : unpack(bytes, left.join(','), maxBytes)
}

/** The encoding of a body without a header, by its first bytes. JSON never begins with them. */
function magicOf(body: Buffer): string | undefined {
  if (body[0] === 0x1f && body[1] === 0x8b) return 'gzip'
  return body.length >= 4 && body.readUInt32BE(0) === 0x28b52ffd ? 'zstd' : undefined
}

function tooLong(maxBytes: number): Error {
  return new Error(`an answer of more than ${String(maxBytes)} bytes`)
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
