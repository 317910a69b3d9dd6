import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { unknownName } from '../core/errors.js'
import type { Model } from '../core/model.js'
import type { Handle, Listening, Serving } from './server.js'
import { ApiError, readBody, serveWith } from './server.js'
import type { Payload } from './served-answer.js'
import { answer } from './served-answer.js'
import type { ModelRequest } from './served-request.js'
import { readChatRequest, readCompletionRequest } from './served-request.js'

/** What a server serves, and its limits. */
export interface ServeOptions extends Listening {
  readonly models: readonly Model[]
  /** The bearer token that clients need; none if absent. */
  readonly apiKey?: string
  /** Delay of each answer in milliseconds. */
  readonly latencyMs?: number
  /** Token limit of prompt and reply together. */
  readonly contextTokens?: number
  /** Sends an answer, or what a test sends in its place. Default: the answer. */
  readonly deliver?: (response: ServerResponse, payload: Payload, body: string) => void | Promise<void>
}

/**
 * Serves models as an OpenAI-compatible server.
 * @throws ShaketableError `usage` if it cannot listen on the address
 */
export function serve(options: ServeOptions): Promise<Serving> {
  return serveWith(createHandler(options), options)
}

const readers: Readonly<Record<string, (body: unknown) => ModelRequest>> = {
  '/v1/chat/completions': readChatRequest,
  '/v1/completions': readCompletionRequest,
}
const modelPath = '/v1/models/'

function createHandler({ models, apiKey, latencyMs = 0, contextTokens, deliver = send }: ServeOptions): Handle {
  const checkKey = createKeyCheck(apiKey)
  const describe = ({ name }: Model) => ({
    id: name,
    object: 'model',
    created: 0,
    owned_by: 'shaketable',
    // As vLLM names it.
    ...(contextTokens !== undefined && { max_model_len: contextTokens }),
  })
  const find = (name: string): Model => {
    const model = models.find((one) => one.name === name)
    if (model !== undefined) return model
    const known = models.map((one) => one.name)
    throw new ApiError(404, unknownName('model', name, known), { param: 'model', code: 'model_not_found' })
  }
  const pages: Readonly<Record<string, unknown>> = {
    '/health': { status: 'ok' },
    '/v1/models': { object: 'list', data: models.map(describe) },
  }
  const pageOf = (path: string): unknown => {
    if (Object.hasOwn(pages, path)) return pages[path]
    if (path.startsWith(modelPath)) return describe(find(decode(path.slice(modelPath.length))))
    const known = [...Object.keys(pages), ...Object.keys(readers)].join(', ')
    throw new ApiError(404, `There is nothing at ${path.slice(0, 200)}. Known: ${known}.`, { code: 'unknown_url' })
  }
  return async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const read = Object.hasOwn(readers, path) ? readers[path] : undefined
    const page = read === undefined ? pageOf(path) : undefined
    const method = read === undefined ? 'GET' : 'POST'
    if (request.method !== method) {
      throw new ApiError(405, `${path} takes ${method} only, got ${String(request.method)}.`, {}, { allow: method })
    }
    if (path !== '/health') checkKey(request)
    if (read === undefined) {
      send(response, { contentType: 'application/json', text: JSON.stringify(page) })
      return
    }
    const body = await readBody(request)
    const asked = read(parseBody(body))
    const payload = await answer(asked, find(asked.model), contextTokens)
    if (latencyMs > 0) await wait(latencyMs)
    if (!response.destroyed) await deliver(response, payload, body)
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Sends an answer as it is. */
export function send(response: ServerResponse, { contentType, text }: Payload): void {
  response.writeHead(200, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }).end(text)
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.slice(0, 200) : 'unreadable'
    throw new ApiError(400, `The body of the request is not JSON: ${why}.`)
  }
}

/** Makes a check that throws ApiError 401 for requests without the key. It compares digests, in constant time. */
function createKeyCheck(apiKey: string | undefined): (request: IncomingMessage) => void {
  if (apiKey === undefined) return () => undefined
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const expected = digest(`Bearer ${apiKey}`)
  return ({ headers: { authorization = '' } }) => {
    if (timingSafeEqual(digest(authorization), expected)) return
    const got = authorization === '' ? "You didn't provide an API key." : 'Incorrect API key provided.'
    throw new ApiError(401, `${got} Send it as 'Authorization: Bearer KEY'.`, { code: 'invalid_api_key' })
  }
}
