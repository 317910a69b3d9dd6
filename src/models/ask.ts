import type { Address } from './address.js'
import type { EndpointError } from './call-error.js'
import { readJson } from './error-body.js'
import { describeBadReply } from './refusals.js'
import type { ExchangeLimits } from './wire.js'
import { createWire } from './wire.js'
import type { Fetch } from './fetch.js'

/**
 * Asks a server for something beside completions: POST with a body, GET without.
 * @param read undefined for JSON that is not an answer
 * @throws EndpointError where no answer comes
 */
export type Ask = <T>(path: string, read: (json: unknown) => T | undefined, body?: object) => Promise<T>

/** Makes questions with a time limit and repetitions. */
export function createAsk(
  address: Address,
  fetch: Fetch,
  { signal, ...limits }: ExchangeLimits & { readonly signal?: AbortSignal | undefined },
): Ask {
  const wire = createWire(address, fetch, limits)
  return async (path, read, body) => {
    const { text, requestId } = await wire(path, body, signal)
    const value = read(readJson(text, address, requestId))
    if (value === undefined) throw describeBadReply('other JSON', address, requestId)
    return value
  }
}

/** The status and message of a failure, without a full stop. */
export function describeFailure({ message, failure: { status, said } }: EndpointError): string {
  return oneLine(status === undefined || status === 200 || !said ? message : `status ${String(status)}: ${said}`)
}

/** A text on one line without a full stop at its end, cut to `max` characters and `…`. */
export function oneLine(text: string, max = 300): string {
  const spaced = text.replace(/\s+/g, ' ')
  let end = spaced.length
  while (' .'.includes(spaced[end - 1] ?? 'x')) end--
  const line = spaced.slice(0, end).trim()
  return line.length > max ? `${line.slice(0, max)}…` : line
}
