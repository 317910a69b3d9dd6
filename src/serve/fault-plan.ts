import { hashOf } from '../core/episode.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { Model } from '../core/model.js'
import type { Random } from '../core/random.js'
import { createRandom } from '../core/random.js'
import type { Fault } from './faults.js'
import { faults } from './faults.js'

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

/** What a server serves, and its limits and faults. */
export interface ServeOptions {
  readonly models: readonly Model[]
  /** 0 chooses a free one. */
  readonly port: number
  readonly host: string
  /** The bearer token that clients need; none if absent. */
  readonly apiKey?: string
  /** Delay of each answer in milliseconds. */
  readonly latencyMs?: number
  /** Token limit of prompt and reply together. */
  readonly contextTokens?: number
  readonly faults?: FaultShares
  readonly faultSeed?: string
  /** The Retry-After of a rate limit. Default 1. */
  readonly retryAfterSeconds?: number
  /** Milliseconds between the pieces of a slow answer. Default 100. */
  readonly slowMs?: number
}
