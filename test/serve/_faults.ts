import { setTimeout as wait } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import { hashOf } from '../../src/core/episode.js'
import type { Random } from '../../src/core/random.js'
import { createRandom } from '../../src/core/random.js'
import { ApiError } from '../../src/proxy/server.js'
import type { Payload, ServeOptions } from '../../src/proxy/served.js'
import { send } from '../../src/proxy/served.js'

/** Sends a spoilt answer, or nothing. */
export type Fault = (struck: Struck) => void | Promise<void>

/** An answer to spoil. */
interface Struck {
  readonly response: ServerResponse
  /** The right answer. */
  readonly payload: Payload
  readonly random: Random
  readonly retryAfterSeconds: number
  /** Milliseconds between the parts of a slow answer. */
  readonly slowMs: number
}

const slowParts = 10

/** Sends the head of an answer, and half of its body. */
function sendHalf({ response, payload: { contentType, text } }: Struck, done?: () => void): void {
  const bytes = Buffer.from(text)
  response.writeHead(200, { 'content-type': contentType, 'content-length': bytes.length })
  response.write(bytes.subarray(0, bytes.length >> 1), done)
}

function sendError(response: ServerResponse, { status, body }: ApiError, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const faults: Readonly<Record<string, Fault>> = {
  'rate-limit'({ response, retryAfterSeconds }) {
    const message = `Rate limit reached. Please try again in ${String(retryAfterSeconds)}s.`
    const error = new ApiError(429, message, { type: 'requests', code: 'rate_limit_exceeded' })
    sendError(response, error, { 'retry-after': String(retryAfterSeconds) })
  },
  /** 500 with an error object, or 502 or 503 with a page, as something in front of the server sends it. */
  'server-error'({ response, random }) {
    const status = random.pick([500, 502, 503])
    if (status === 500)
      return sendError(response, new ApiError(500, 'The server had an error.', { type: 'server_error' }))
    const title = status === 502 ? '502 Bad Gateway' : '503 Service Temporarily Unavailable'
    response.writeHead(status, { 'content-type': 'text/html' })
    response.end(`<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`)
  },
  'stall-head': () => undefined,
  'stall-body': (struck) => sendHalf(struck),
  /** Resets the connection before the head in half of the cases, else in the middle of the body. */
  reset(struck) {
    const { socket } = struck.response
    if (struck.random.next() < 0.5) socket?.resetAndDestroy()
    else sendHalf(struck, () => socket?.resetAndDestroy())
  },
  /** Sends the first half of the answer as if it were all. */
  truncate: ({ response, payload: { contentType, text } }) =>
    send(response, { contentType, text: text.slice(0, text.length >> 1) }),
  /** An error object with status 200, as gateways send it. */
  'error-200'({ response }) {
    const error = { message: 'The provider is overloaded.', type: 'server_error', param: null, code: 503 }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  },
  async slow({ response, payload: { contentType, text }, slowMs }) {
    const bytes = Buffer.from(text)
    const size = Math.ceil(bytes.length / slowParts)
    response.writeHead(200, { 'content-type': contentType, 'content-length': bytes.length })
    for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
      response.write(bytes.subarray(start, start + size))
      await wait(slowMs)
    }
    response.end()
  },
  /** Bytes that are neither JSON nor UTF-8, of the length of the right answer. */
  garbage({ response, payload: { contentType, text }, random }) {
    const bytes = Buffer.from(Buffer.from(text).map(() => 128 + random.int(128)))
    response.writeHead(200, { 'content-type': contentType, 'content-length': bytes.length }).end(bytes)
  },
}

/** The share of answers that each fault spoils. */
export type FaultShares = readonly { readonly fault: Fault; readonly share: number }[]

/** Reads `rate-limit=0.1,reset=0.05`. */
export function readFaults(text: string): FaultShares {
  return text.split(',').map((part) => {
    const [name = '', share] = part.split('=')
    const fault = faults[name]
    if (fault === undefined) throw new Error(`There is no fault '${name}'.`)
    return { fault, share: Number(share) }
  })
}

/** The faults of a server. */
export interface FaultOptions {
  readonly faults?: FaultShares
  readonly faultSeed?: string
  /** The Retry-After of a rate limit. Default 1. */
  readonly retryAfterSeconds?: number
  /** Milliseconds between the parts of a slow answer. Default 100. */
  readonly slowMs?: number
}

/**
 * Delivers answers, some of them spoilt: which follows from the seed, the request and the number of earlier equal
 * requests, not from the order in which requests arrive.
 */
export function spoil(options: FaultOptions): Required<Pick<ServeOptions, 'deliver'>> {
  const { faults: shares = [], faultSeed = '0', retryAfterSeconds = 1, slowMs = 100 } = options
  const times = new Map<string, number>()
  return {
    async deliver(response, payload, body) {
      const request = hashOf(body, 20)
      const before = times.get(request) ?? 0
      times.set(request, before + 1)
      const random = createRandom(`${faultSeed}/${request}/${String(before)}`)
      let left = random.next()
      const drawn = shares.find(({ share }) => (left -= share) < 0)
      if (drawn === undefined) send(response, payload)
      else await drawn.fault({ response, payload, random, retryAfterSeconds, slowMs })
    },
  }
}
