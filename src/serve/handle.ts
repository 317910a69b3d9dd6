import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { unknownName } from '../core/errors.js'
import type { Model } from '../core/model.js'
import { answer } from './answer.js'
import { ApiError, createKeyCheck, parseBody, readBody } from './api-error.js'
import { createFaultPlan } from './fault-plan.js'
import { readChatRequest, readCompletionRequest } from './request.js'
import type { ServeOptions } from './fault-plan.js'
import type { Payload } from './wire.js'
import { layOut } from './wire.js'

/** Answers a request, or throws an ApiError. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

type Served = Omit<ServeOptions, 'port' | 'host'>

interface Route {
  readonly method: 'GET' | 'POST'
  readonly open?: true
  readonly handle: Handle
}

const modelPath = '/v1/models/'

/** Makes the handler of all requests to a server. */
export function createHandler(options: Served): Handle {
  const { models, contextTokens } = options
  const list = { object: 'list', data: models.map((model) => describe(model, contextTokens)) }
  const routes = new Map<string, Route>([
    ['/health', { method: 'GET', open: true, handle: (_, response) => sendJson(response, { status: 'ok' }) }],
    ['/v1/models', { method: 'GET', handle: (_, response) => sendJson(response, list) }],
    ['/v1/chat/completions', { method: 'POST', handle: completing(readChatRequest, options) }],
    ['/v1/completions', { method: 'POST', handle: completing(readCompletionRequest, options) }],
  ])
  const checkKey = createKeyCheck(options.apiKey)
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const { method, open, handle } = routeOf(routes, path, options)
    if (request.method !== method) {
      throw new ApiError(405, `${path} takes ${method} only, got ${String(request.method)}.`, {}, { allow: method })
    }
    if (open !== true) checkKey(request)
    return handle(request, response)
  }
}

function routeOf(routes: ReadonlyMap<string, Route>, path: string, { models, contextTokens }: Served): Route {
  const route = routes.get(path)
  if (route !== undefined) return route
  if (path.startsWith(modelPath)) {
    const id = decode(path.slice(modelPath.length))
    const model = models.find(({ name }) => name === id)
    if (model === undefined) throw noModel(id, models)
    return { method: 'GET', handle: (_, response) => sendJson(response, describe(model, contextTokens)) }
  }
  const known = [...routes.keys()].join(', ')
  throw new ApiError(404, `There is nothing at ${path.slice(0, 200)}. Known: ${known}.`, { code: 'unknown_url' })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function completing(read: typeof readChatRequest, options: Served): Handle {
  const { models, faults = [], faultSeed = '0', latencyMs = 0, retryAfterSeconds = 1, slowMs = 100 } = options
  const draw = faults.length === 0 ? undefined : createFaultPlan(faults, faultSeed)
  return async (request, response) => {
    const text = await readBody(request)
    const parsed = read(parseBody(text))
    const model = models.find(({ name }) => name === parsed.model)
    if (model === undefined) throw noModel(parsed.model, models)
    const payload = layOut(parsed, await answer(parsed, model, options.contextTokens))
    if (latencyMs > 0) await wait(latencyMs)
    if (response.destroyed) return
    const drawn = draw?.(text)
    if (drawn?.fault === undefined) sendPayload(response, payload)
    else await drawn.fault.strike({ response, payload, random: drawn.random, retryAfterSeconds, slowMs })
  }
}

function sendPayload(response: ServerResponse, { contentType, pieces }: Payload): void {
  if (pieces.length === 1) {
    send(response, contentType, pieces[0]!)
    return
  }
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-cache' })
  for (const piece of pieces) response.write(piece)
  response.end()
}

function sendJson(response: ServerResponse, value: unknown): void {
  send(response, 'application/json', JSON.stringify(value))
}

function send(response: ServerResponse, contentType: string, text: string): void {
  response.writeHead(200, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }).end(text)
}

function describe({ name }: Model, contextTokens: number | undefined) {
  return {
    id: name,
    object: 'model',
    created: 0,
    owned_by: 'shaketable',
    // As vLLM names it.
    ...(contextTokens !== undefined && { max_model_len: contextTokens }),
  }
}

function noModel(name: string, models: readonly Model[]): ApiError {
  const known = models.map((model) => model.name)
  return new ApiError(404, unknownName('model', name, known), { param: 'model', code: 'model_not_found' })
}
