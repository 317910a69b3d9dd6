import * as http from 'node:http'
import * as https from 'node:https'
import type { Duplex } from 'node:stream'
import * as zlib from 'node:zlib'
import type { NetworkVariables } from './proxy.js'
import { proxyAuthorization, proxyFor } from './proxy.js'
import type { Sockets } from './sockets.js'
import { plainSockets, readCertificates, tunnelledSockets } from './sockets.js'

/** How the network is reached. */
export interface FetchOptions {
  /** The most sockets to one server. */
  readonly maxSockets: number
  /**
   * A body that is longer, as it comes or unpacked, is given up. Default 8 MB: a reply of 100,000 tokens has 2 MB at
   * most.
   */
  readonly maxBytes?: number
  /** Default: those of the process. */
  readonly variables?: NetworkVariables
}

/** Headers of an answer, found in whatever letters they are asked for. */
export type AnswerHeaders = Pick<Headers, 'get'>

/** A whole answer, as much of a `Response` as is asked of one: making a whole one takes longer than all else here. */
export interface Answer extends Pick<Response, 'ok' | 'status' | 'text'> {
  readonly headers: AnswerHeaders
}

/** What of `fetch` is used. */
export type Fetch = (
  url: string,
  init?: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly signal?: AbortSignal
  },
) => Promise<Answer>

/** A `fetch` with sockets of its own. */
export interface OwnFetch {
  readonly fetch: Fetch
  close(): void
}

/**
 * A `fetch` over `node:http` and `node:https` with sockets that are kept, never more than so many of them. It honours
 * HTTP_PROXY, HTTPS_PROXY, NO_PROXY and SSL_CERT_FILE, follows no redirect (a key is for one server alone), and is over
 * as soon as its signal is aborted, in the head or in the body. Bodies are texts in UTF-8, unpacked, without a byte
 * order mark; the answer is there when the last of it is.
 */
export function createFetch({ maxSockets, maxBytes = 8 << 20, variables = process.env }: FetchOptions): OwnFetch {
  const pools = new Map<string, Sockets>()
  const ca = readCertificates(variables)
  const routeTo = (url: URL): http.RequestOptions => {
    const proxy = proxyFor(url, variables)
    const tunnel = proxy !== undefined && url.protocol === 'https:'
    const next = proxy ?? url
    const secure = next.protocol === 'https:'
    const name = tunnel ? 'tunnel' : next.protocol
    let sockets = pools.get(name)
    if (sockets === undefined) {
      sockets = tunnel ? tunnelledSockets(proxy, maxSockets, ca) : plainSockets(secure, maxSockets, ca)
      pools.set(name, sockets)
    }
    const peer = tunnel ? url : next
    return {
      agent: sockets.agent,
      protocol: peer.protocol,
      host: peer.hostname.replace(/^\[|\]$/g, ''),
      port: peer.port || (peer.protocol === 'https:' ? 443 : 80),
      path:
        proxy !== undefined && !tunnel ? `${url.origin}${url.pathname}${url.search}` : `${url.pathname}${url.search}`,
      headers: { host: url.host, ...(proxy !== undefined && !tunnel && proxyAuthorization(proxy)) },
    }
  }
  const routes = new Map<string, { readonly url: URL; readonly options: http.RequestOptions }>()
  const findRoute = (address: string) => {
    let route = routes.get(address)
    if (route === undefined) {
      const url = new URL(address)
      route = { url, options: routeTo(url) }
      if (routes.size < 100) routes.set(address, route)
    }
    return route
  }
  return {
    fetch: async (url, init = {}) => send(findRoute(url).options, init, maxBytes),
    close: () => {
      for (const sockets of pools.values()) sockets.close()
    },
  }
}

function send(
  route: http.RequestOptions,
  { method = 'GET', headers, body, signal }: NonNullable<Parameters<Fetch>[1]>,
  maxBytes: number,
): Promise<Answer> {
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
    let leave = (): void => undefined
    const fail = (thrown: unknown): void => {
      leave()
      signal?.removeEventListener('abort', abort)
      reject(thrown as Error)
    }
    signal?.addEventListener('abort', abort, { once: true })
    request.on('error', fail)
    // Nothing would follow for which there is anyone to listen.
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
      let isPlaced = false
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > maxBytes) request.destroy(tooLong(maxBytes))
        if (bytes <= maxSmallBytes || isPlaced) return
        isPlaced = true
        response.pause()
        leave = takePlace(() => response.resume())
      })
      response.on('error', fail)
      response.on('close', () => {
        if (!response.complete) fail(new Error('the connection was closed in the middle of the answer'))
      })
      response.on('end', () => {
        const { statusCode = 0, headers: told } = response
        if (statusCode < 200 || statusCode > 599) {
          fail(new Error(`an answer with the status ${String(statusCode)}`))
          return
        }
        const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
        const encoding = told['content-encoding']
        const read = (): void => {
          unpack(body, encoding, maxBytes, (error, bytes) => {
            try {
              if (error !== null) throw error
              resolve(answerOf(textOf(bytes), statusCode, told))
              signal?.removeEventListener('abort', abort)
              // The answer is read before the next large one goes on.
              setImmediate(() => {
                leave()
              })
            } catch (thrown) {
              fail(thrown)
            }
          })
        }
        // A packed answer may be as large as any.
        if (encoding === undefined || isPlaced) read()
        else leave = takePlace(read)
      })
    })
    request.end(body)
  })
}

/**
 * Room for answers that are large, over all connections of the process: from its first 64 kB on, an answer needs a
 * place, and waits unread where there is none. Who has a place can go on to the end or to its deadline, so that none
 * waits for ever.
 */
const maxSmallBytes = 1 << 16
const maxLargeAnswers = 8
let largeAnswers = 0
const waiting = new Set<() => void>()

/** Takes a place for a large answer, at once or later. @returns what gives it back, or the wait for it up */
function takePlace(taken: () => void): () => void {
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

function answerOf(text: string, status: number, told: http.IncomingHttpHeaders): Answer {
  return {
    ok: status < 300,
    status,
    text: () => Promise.resolve(text),
    headers: {
      get(name) {
        const value = told[name.toLowerCase()]
        return (Array.isArray(value) ? value.join(', ') : value) ?? null
      },
    },
  }
}

type Unpacker = typeof zlib.gunzip

/** None of them is asked for; some proxies pack all the same. Node has zstd from 22.15 on. */
const unpackers: Readonly<Record<string, Unpacker | undefined>> = {
  gzip: zlib.gunzip,
  'x-gzip': zlib.gunzip,
  deflate: zlib.inflate,
  // As some servers send what they call deflate.
  'raw deflate': zlib.inflateRaw,
  br: zlib.brotliDecompress,
  zstd: (zlib as { readonly zstdDecompress?: Unpacker }).zstdDecompress,
}
const maxEncodings = 4

/**
 * Takes off one way of packing after the other, the last that is named first; gzip and zstd also where none is named.
 */
function unpack(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
  done: (error: Error | null, bytes: Buffer) => void,
): void {
  const names = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase())
  const left = names.filter((name) => name !== '' && name !== 'identity')
  const named = left.pop()
  const name = named === 'deflate' && (body[0]! & 15) !== 8 ? 'raw deflate' : (named ?? magicOf(body))
  if (name === undefined || body.length === 0) {
    done(null, body)
    return
  }
  const unpacker = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined
  if (unpacker === undefined || left.length >= maxEncodings) {
    const message = `an answer packed as '${name.slice(0, 40)}', which Node ${process.versions.node} cannot unpack. Have the server or its proxy send it unpacked`
    done(new Error(message), body)
    return
  }
  unpacker(body, { maxOutputLength: maxBytes }, (error, bytes) => {
    if (error === null) {
      if (named === undefined) done(null, bytes)
      else unpack(bytes, left.join(','), maxBytes, done)
      return
    }
    const { code, message } = error as { readonly code?: string; readonly message: string }
    const broken = new Error(`an answer packed as '${name}' that cannot be unpacked (${message})`)
    done(code === 'ERR_BUFFER_TOO_LARGE' ? tooLong(maxBytes) : broken, body)
  })
}

/** How bytes are packed of which nobody says so; no JSON begins like them. */
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
