import { setTimeout as wait } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import type { Random } from '../core/random.js'
import { ApiError } from './api-error.js'
import type { Payload } from './wire.js'

/** A way to spoil an answer. */
export interface Fault {
  readonly name: string
  readonly summary: string
  /** Sends the spoilt answer, or nothing. */
  strike(struck: Struck): void | Promise<void>
}

/** An answer to spoil. */
interface Struck {
  readonly response: ServerResponse
  /** The right answer. */
  readonly payload: Payload
  /** Source of random choices. */
  readonly random: Random
  readonly retryAfterSeconds: number
  /** Milliseconds between the pieces of a slow answer. */
  readonly slowMs: number
}

/** The whole answer as bytes. */
function bytesOf({ pieces }: Payload): Buffer {
  return Buffer.from(pieces.join(''), 'utf8')
}

const stallHead: Fault = {
  name: 'stall-head',
  summary: 'takes the request and never answers',
  strike: () => undefined,
}

const stallBody: Fault = {
  name: 'stall-body',
  summary: 'sends the head and half of the body, and then nothing',
  strike({ response, payload }) {
    const bytes = bytesOf(payload)
    response.writeHead(200, { 'content-type': payload.contentType, 'content-length': bytes.length })
    response.write(bytes.subarray(0, bytes.length >> 1))
  },
}

/** Number of parts of an answer that is not a stream; a stream is sent event by event. */
const slowParts = 10

const slow: Fault = {
  name: 'slow',
  summary: 'sends the right answer bit by bit, with a pause after each bit',
  async strike({ response, payload, slowMs }) {
    const bytes = bytesOf(payload)
    const size = Math.ceil(bytes.length / slowParts)
    const parts =
      payload.pieces.length > 1
        ? payload.pieces
        : Array.from({ length: slowParts }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
    response.writeHead(200, { 'content-type': payload.contentType, 'content-length': bytes.length })
    for (const part of parts) {
      if (response.destroyed) return
      if (part.length > 0) response.write(part)
      await wait(slowMs)
    }
    response.end()
  },
}

const truncate: Fault = {
  name: 'truncate',
  summary: 'sends the first half of the answer as if it were all',
  strike({ response, payload }) {
    const bytes = bytesOf(payload)
    const half = bytes.subarray(0, bytes.length >> 1)
    response.writeHead(200, { 'content-type': payload.contentType, 'content-length': half.length }).end(half)
  },
}

/** Bytes that are neither JSON nor UTF-8, of the length of the right answer. */
const garbage: Fault = {
  name: 'garbage',
  summary: 'sends random bytes as if they were JSON',
  strike({ response, payload, random }) {
    const bytes = Buffer.from(bytesOf(payload).map(() => 128 + random.int(128)))
    response.writeHead(200, { 'content-type': payload.contentType, 'content-length': bytes.length }).end(bytes)
  },
}

/** Resets the connection before the head in half of the cases, else in the middle of the body. */
const reset: Fault = {
  name: 'reset',
  summary: 'resets the connection before the head, or in the body',
  strike({ response, payload, random }) {
    const { socket } = response
    if (random.next() < 0.5) {
      socket?.resetAndDestroy()
      return
    }
    const bytes = bytesOf(payload)
    response.writeHead(200, { 'content-type': payload.contentType, 'content-length': bytes.length })
    response.write(bytes.subarray(0, bytes.length >> 1), () => socket?.resetAndDestroy())
  },
}

const error200: Fault = {
  name: 'error-200',
  summary: 'an error object with status 200, as gateways send it',
  strike({ response }) {
    const error = { message: 'The provider is overloaded.', type: 'server_error', param: null, code: 503 }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  },
}

const serverError: Fault = {
  name: 'server-error',
  summary: '500 with an error object, or 502 or 503 with a page, as a proxy sends it',
  strike({ response, random }) {
    const status = random.pick([500, 502, 503])
    if (status === 500) {
      const { body } = new ApiError(500, 'The server had an error while processing your request.', {
        type: 'server_error',
      })
      response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      return
    }
    const title = status === 502 ? '502 Bad Gateway' : '503 Service Temporarily Unavailable'
    response.writeHead(status, { 'content-type': 'text/html' })
    response.end(`<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`)
  },
}

/** Too many requests, in OpenAI's wording. */
const rateLimit: Fault = {
  name: 'rate-limit',
  summary: '429 with Retry-After',
  strike({ response, retryAfterSeconds }) {
    const message = `Rate limit reached. Please try again in ${String(retryAfterSeconds)}s.`
    const { body } = new ApiError(429, message, { type: 'requests', code: 'rate_limit_exceeded' })
    response.writeHead(429, {
      'content-type': 'application/json',
      'retry-after': String(retryAfterSeconds),
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': `${String(retryAfterSeconds)}s`,
    })
    response.end(JSON.stringify(body))
  },
}

/** All faults. */
export const faults: readonly Fault[] = [
  rateLimit,
  serverError,
  stallHead,
  stallBody,
  reset,
  truncate,
  error200,
  slow,
  garbage,
]
