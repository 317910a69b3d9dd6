import { setTimeout as wait } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import type { Random } from '../../src/core/random.js'
import { hashOf } from '../../src/core/episode.js'
import { createRandom } from '../../src/core/random.js'
import { ShaketableError, unknownName } from '../../src/core/errors.js'
import { ApiError } from '../../src/proxy/server.js'
import type { Payload } from '../../src/proxy/served-answer.js'
import type { ServeOptions } from '../../src/proxy/served.js'
import { send } from '../../src/proxy/served.js'

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
function bytesOf({ text }: Payload): Buffer {
  return Buffer.from(text, 'utf8')
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

/** Number of parts of a slow answer. */
const slowParts = 10

const slow: Fault = {
  name: 'slow',
  summary: 'sends the right answer bit by bit, with a pause after each bit',
  async strike({ response, payload, slowMs }) {
    const bytes = bytesOf(payload)
    const size = Math.ceil(bytes.length / slowParts)
    const parts = Array.from({ length: slowParts }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
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

/** The share of answers that each fault spoils. */
export type FaultShares = readonly { readonly fault: Fault; readonly share: number }[]

/** The fault of an answer, if any, with its random numbers. */
export interface Drawn {
  readonly fault: Fault | undefined
  readonly random: Random
}

/** Maximum number of different requests that are counted; then the counts are cleared. Bounds memory. */
const maxRequests = 200_000

/**
 * Reads `rate-limit=0.1,reset=0.05`.
 * @throws ShaketableError `usage` for an unknown fault, an invalid share, or a sum above 1
 */
export function readFaults(text: string): FaultShares {
  const shares = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', share = ''] = part.split('=')
      const fault = faults.find((one) => one.name === name.trim())
      if (fault === undefined) {
        const known = faults.map((one) => one.name)
        throw new ShaketableError('usage', unknownName('fault', name.trim(), known))
      }
      const number = /^\d*\.?\d+$/.test(share.trim()) ? Number(share) : NaN
      if (number >= 0 && number <= 1) return { fault, share: number }
      throw new ShaketableError(
        'usage',
        `The fault '${name}' needs its share of the answers, a number from 0 to 1, got '${share.slice(0, 100)}'. Write ${name}=0.1.`,
      )
    })
  const sum = shares.reduce((total, { share }) => total + share, 0)
  if (sum <= 1 + 1e-9) return shares
  throw new ShaketableError(
    'usage',
    `Expected faults with shares of at most 1 together, got ${String(sum)}. Give smaller shares.`,
  )
}

/**
 * Draws the fault of each answer from the seed, the request and the number of earlier identical requests. Neither the
 * order in which requests arrive nor the number of clients matters.
 */
export function createFaultPlan(shares: FaultShares, seed: string): (body: string) => Drawn {
  const times = new Map<string, number>()
  return (body) => {
    const request = hashOf(body, 20)
    const before = times.get(request) ?? 0
    if (times.size >= maxRequests) times.clear()
    times.set(request, before + 1)
    const random = createRandom(`${seed}/${request}/${String(before)}`)
    let left = random.next()
    const drawn = shares.find(({ share }) => (left -= share) < 0)
    return { fault: drawn?.fault, random }
  }
}

/** The faults of a server. */
export interface FaultOptions {
  readonly faults?: FaultShares
  readonly faultSeed?: string
  /** The Retry-After of a rate limit. Default 1. */
  readonly retryAfterSeconds?: number
  /** Milliseconds between the pieces of a slow answer. Default 100. */
  readonly slowMs?: number
}

/** Delivers answers, some of them spoilt. */
export function spoil(options: FaultOptions): Required<Pick<ServeOptions, 'deliver'>> {
  const { faults: shares = [], faultSeed = '0', retryAfterSeconds = 1, slowMs = 100 } = options
  const draw = createFaultPlan(shares, faultSeed)
  return {
    async deliver(response, payload, body) {
      const { fault, random } = draw(body)
      if (fault === undefined) send(response, payload)
      else await fault.strike({ response, payload, random, retryAfterSeconds, slowMs })
    },
  }
}
