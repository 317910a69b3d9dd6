import type OpenAI from 'openai'
import { parseJson } from '../files/json.js'
import type { Address } from './address.js'
import { CallError } from './call-error.js'
import { describeBreak, describeStatus } from './refusals.js'
import { describePage, errorText } from './error-body.js'
import type { Fetch } from './fetch.js'
import { readRetryAfter } from './retry-after.js'

/** The start of paths beside the API, where servers have what OpenAI does not. */
export const besideApi = '/../'

/** A whole answer with a status of success. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly requestId: string | undefined
}

/**
 * One HTTP exchange: POST with a body, GET without.
 * @throws CallError where there is no answer, or one that is not a success; the signal's reason where it is aborted
 */
export type Wire = (path: string, body: object | undefined, signal?: AbortSignal) => Promise<Answer>

/** Limits that the `openai` package keeps. */
export interface ExchangeLimits {
  /** Repetitions of an exchange that broke off; it waits between them. */
  readonly maxRetries: number
  /** For each of them, body included. */
  readonly timeoutMs: number
}

/**
 * An attempt at a call has limits of its own: a repetition is recorded, counted against budgets and held back while a
 * server asks for a pause, and its time starts again while others are answered.
 */
const withoutLimits: ExchangeLimits = { maxRetries: 0, timeoutMs: 2 ** 31 - 1 }

/** The longest wait before a repetition by the package. */
const maxWaitMs = 60_000

/** Makes exchanges over the `openai` package; it is loaded for the first one. */
export function createWire(address: Address, fetch: Fetch, limits = withoutLimits): Wire {
  let loading: Promise<OpenAI> | undefined
  return async (path, body, signal) => {
    try {
      const client = await (loading ??= open(address, fetch, limits))
      const options = { ...(body && { body }), ...(signal && { signal }) }
      const response = await (body ? client.post(path, options) : client.get(path, options)).asResponse()
      const { status, headers } = response
      return { status, text: await response.text(), requestId: readRequestId(headers, address) }
    } catch (thrown) {
      signal?.throwIfAborted()
      throw describeThrown(thrown, address, limits)
    }
  }
}

async function open(address: Address, fetch: Fetch, { maxRetries, timeoutMs }: ExchangeLimits): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai')
  const { baseUrl, query } = address
  return new Client({
    apiKey: 'none',
    baseURL: baseUrl,
    defaultQuery: query,
    maxRetries,
    timeout: timeoutMs,
    logLevel: 'off',
    fetch: async (url, { method = 'GET', headers, body, signal } = {}) => {
      const response = await fetch(url as string, {
        method,
        headers: headersFor(address, headers as Headers),
        ...(typeof body === 'string' && { body }),
        ...(signal && { signal }),
      })
      return response.ok ? response : withPlainError(response, address)
    },
  })
}

/** The package adds headers of the environment to every address; an address has those that are meant for it. */
function headersFor({ headers }: Address, given: Headers): Readonly<Record<string, string>> {
  const kept = ['accept', 'content-type', 'user-agent'].map((name) => [name, given.get(name)] as const)
  return { ...Object.fromEntries(kept.filter((one): one is [string, string] => one[1] !== null)), ...headers }
}

/** An answer without success whose message stands where the package looks for it, whatever form it came in. */
async function withPlainError(response: Response, { redact }: Address): Promise<Response> {
  const { status } = response
  const headers = new Headers(response.headers)
  // The package would wait as long as it is asked to.
  if ((readRetryAfter(headers) ?? 0) > maxWaitMs) headers.set('x-should-retry', 'false')
  const text = await response.text()
  const message = errorText(parseJson(text)) || describePage(redact(text)) || redact(text).slice(0, 300)
  return new Response(JSON.stringify({ error: { message } }), { status, headers })
}

/** An error of the package as one of ours: it has a status where there was an answer. */
function describeThrown(thrown: unknown, address: Address, { timeoutMs }: ExchangeLimits): CallError {
  const { status, headers, error, message } = thrown as Partial<InstanceType<typeof OpenAI.APIError>>
  if (message === 'Request timed out.') {
    const limit = `No whole answer from '${address.model}' within ${String(timeoutMs)} ms.`
    return new CallError('model', limit, { outcome: 'timeout', retryable: true })
  }
  if (status === undefined || headers === undefined) return describeBreak(thrown, address)
  const answer = {
    status,
    said: (error as { readonly message?: string } | undefined)?.message ?? '',
    requestId: readRequestId(headers, address),
    retryAfterMs: readRetryAfter(headers),
    location: headers.get('location') ?? undefined,
  }
  return describeStatus(answer, address)
}

function readRequestId(headers: Headers, { redact }: Address): string | undefined {
  const id = headers.get('x-request-id') ?? headers.get('request-id')
  return id === null ? undefined : redact(id).slice(0, 200)
}
