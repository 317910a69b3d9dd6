import type OpenAI from 'openai'
import { parseJson } from '../files/json.js'
import type { Address } from './address.js'
import type { CallError } from './call-error.js'
import { describePage, errorText } from './error-body.js'
import type { Fetch } from './fetch.js'
import { describeBreak, describeStatus } from './refusals.js'
import { readRetryAfter } from './retry-after.js'

/** The start of paths beside the API, where servers have what OpenAI does not. */
export const besideApi = '/../'

/** A whole answer with a status of success. */
interface Answer {
  readonly status: number
  readonly text: string
  readonly requestId: string | undefined
}

/**
 * One HTTP exchange: POST with a body, GET without. It has no limit of time and is not repeated.
 * @throws CallError where there is no answer, or one that is not a success; the signal's reason where it is aborted
 */
type Wire = (path: string, body: object | undefined, signal?: AbortSignal) => Promise<Answer>

/** Makes exchanges over the `openai` package; it is loaded for the first one. */
export function createWire(address: Address, fetch: Fetch): Wire {
  /** Failures by the empty answers that the package gets in their place, since its own errors say less. */
  const failures = new WeakMap<Response, CallError>()
  const passOver = async (url: unknown, { method, headers, body, signal }: RequestInit = {}): Promise<Response> => {
    const fail = (failure: CallError): Response => {
      const passed = new Response(null)
      failures.set(passed, failure)
      return passed
    }
    try {
      const response = await fetch(url as string, {
        method: method ?? 'GET',
        headers: headersFor(address, headers as Headers),
        ...(typeof body === 'string' && { body }),
        ...(signal && { signal }),
      })
      return response.ok ? response : fail(await describeRefusal(response, address))
    } catch (thrown) {
      return fail(describeBreak(thrown, address))
    }
  }
  let loading: Promise<OpenAI> | undefined
  const open = async (): Promise<OpenAI> => {
    const { OpenAI: Client } = await import('openai')
    const { baseUrl: baseURL, query: defaultQuery } = address
    const unlimited = { maxRetries: 0, timeout: 2 ** 31 - 1 }
    return new Client({ apiKey: 'none', baseURL, defaultQuery, ...unlimited, logLevel: 'off', fetch: passOver })
  }
  return async (path, body, signal) => {
    const client = await (loading ??= open())
    const options = { ...(body && { body }), ...(signal && { signal }) }
    try {
      const response = await (body ? client.post(path, options) : client.get(path, options)).asResponse()
      const failure = failures.get(response)
      if (failure !== undefined) throw failure
      return { status: response.status, text: await response.text(), requestId: readRequestId(response, address) }
    } catch (thrown) {
      signal?.throwIfAborted()
      throw describeBreak(thrown, address)
    }
  }
}

/** The package adds headers of the environment to every address; an address has those that are meant for it. */
function headersFor({ headers }: Address, sent: Headers): Readonly<Record<string, string>> {
  const kept = ['accept', 'content-type', 'user-agent'].map((name) => [name, sent.get(name)] as const)
  return { ...Object.fromEntries(kept.filter((header): header is [string, string] => header[1] !== null)), ...headers }
}

/** An answer without success, by its message in whatever form that came. */
async function describeRefusal(response: Response, address: Address): Promise<CallError> {
  const { status, headers } = response
  const text = await response.text()
  return describeStatus(
    {
      status,
      said: errorText(parseJson(text)) || describePage(address.redact(text)) || address.redact(text).slice(0, 300),
      requestId: readRequestId(response, address),
      retryAfterMs: readRetryAfter(headers),
      location: headers.get('location') ?? undefined,
    },
    address,
  )
}

function readRequestId({ headers }: Response, { redact }: Address): string | undefined {
  const id = headers.get('x-request-id') ?? headers.get('request-id')
  return id === null ? undefined : redact(id).slice(0, 200)
}
