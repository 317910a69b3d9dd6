import type { Address } from './address.js'
import { showAddress } from './address.js'
import type { Fetch } from './fetch.js'
import { readFrames } from './frames.js'
import { readRetryAfter } from './retry-after.js'

/** The start of paths outside of the API, where a gateway may return a page instead of a refusal. */
export const outsideApi = '/../'

/** An answer of any kind. */
export interface RawReply {
  readonly status: number
  /** Undefined where the body is not JSON. */
  readonly json: unknown
  /** The beginning of the body, for messages. */
  readonly text: string
  /** Where a redirect points to. */
  readonly location?: string
  readonly retryAfterMs?: number
}

/**
 * One HTTP exchange: POST with a body, GET without. Rejects where the connection broke or the signal came, body
 * included.
 */
export type RawCall = (path: string, body: object | undefined, signal: AbortSignal) => Promise<RawReply>

const maxText = 2000

/** Makes a raw call. Redirects are not followed: the key is for this server alone. */
export function createRawCall(address: Address, fetch: Fetch): RawCall {
  const { authorization, headers, query } = address
  const search = new URLSearchParams(query).toString()
  return async (path, body, signal) => {
    const joined = search === '' ? '' : `${path.includes('?') ? '&' : '?'}${search}`
    const response = await fetch(`${address.baseUrl}${path}${joined}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...headers,
        accept: 'application/json',
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    })
    const text = await response.text()
    const location = response.headers.get('location')
    const retryAfterMs = readRetryAfter(response.headers)
    return {
      status: response.status,
      json: readFrames(text),
      text: address.redact(text).slice(0, maxText),
      ...(location !== null && { location: showAddress(address.redact(location)).slice(0, 200) }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }
  }
}
