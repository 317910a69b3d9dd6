import { hashOf } from '../core/episode.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { Model } from '../core/model.js'
import type { Random } from '../core/random.js'
import { createRandom } from '../core/random.js'
import type { Fault } from './faults.js'
import { faults } from './faults.js'

/** Which share of the answers is spoilt, and how. */
export type FaultShares = readonly { readonly fault: Fault; readonly share: number }[]

/** A fault that an answer got, with the random numbers that are its own. */
export interface Drawn {
  readonly fault: Fault | undefined
  readonly random: Random
}

/** Different requests after which it is forgotten how often each of them came. */
const maxRequests = 200_000

/**
 * Reads `rate-limit=0.1,reset=0.05`.
 * @throws ShaketableError `usage` for a fault that is not known, a share that is none, or more than everything together
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
  throw new ShaketableError('usage', `The faults take ${String(sum)} of the answers together. Give them at most 1.`)
}

/**
 * Draws what happens to an answer. It is decided by the seed, the request, and how often this very request came before:
 * not by the order in which requests arrive, so that it is the same however many clients there are.
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

/** What is served, and how well. */
export interface ServeOptions {
  readonly models: readonly Model[]
  /** 0 for one that is free. */
  readonly port: number
  readonly host: string
  /** What clients have to bring as a bearer token; none is needed where it is absent. */
  readonly apiKey?: string
  /** Milliseconds before each answer. */
  readonly latencyMs?: number
  /** The most tokens of prompt and reply together. */
  readonly contextTokens?: number
  readonly faults?: FaultShares
  readonly faultSeed?: string
  /** What a rate limit asks for. Default 1. */
  readonly retryAfterSeconds?: number
  /** Milliseconds between the pieces of a slow answer. Default 100. */
  readonly slowMs?: number
}
