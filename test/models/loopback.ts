import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import type { Model } from '../../src/core/model.js'
import type { EndpointOptions } from '../../src/models/index.js'
import { createEndpoint } from '../../src/models/index.js'

/** A request as received. */
export interface ReceivedRequest {
  readonly url: string
  readonly authorization: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/** A server on a loopback socket; the nth answer is for the nth request, and the last one for all later requests. */
export interface Loopback {
  readonly baseUrl: string
  readonly heard: ReceivedRequest[]
  close(): Promise<void>
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

export async function startLoopback(...answers: readonly Answer[]): Promise<Loopback> {
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    void read(request).then((text) => {
      const body = JSON.parse(text) as Record<string, unknown>
      received.push({ url: request.url ?? '', authorization: request.headers.authorization, body })
      answers[Math.min(received.length, answers.length) - 1]!(response, request)
    })
  })
  const { origin, close } = await listen(server)
  return { baseUrl: `${origin}/v1`, heard: received, close }
}

/** Opens an endpoint on a loopback server with given answers, which is closed after each test. */
export function useEndpoint(apiKey = '') {
  let server: Loopback | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })
  return {
    heard: (): readonly ReceivedRequest[] => server!.heard,
    baseUrl: (): string => server!.baseUrl,
    async open(answers: readonly Answer[], options: Partial<EndpointOptions> = {}): Promise<Model> {
      await server?.close()
      server = await startLoopback(...answers)
      const limits = { timeoutMs: 20_000, longestWaitMs: 5 }
      return createEndpoint({ model: 'm', baseUrl: server.baseUrl, apiKey, ...limits, ...options })
    },
  }
}

/** The text of a request. */
export async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** Starts a server on a loopback socket. */
export async function listen(
  server: Server | SecureServer,
  fixedPort = 0,
): Promise<{ readonly origin: string; readonly port: number; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(fixedPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    port,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers with JSON. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

/** Answers with one reply of a model. */
export function says(
  content: string | null,
  more: { readonly finish?: string; readonly usage?: unknown } = {},
): Answer {
  return json({
    id: 'x',
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: more.finish ?? 'stop', message: { role: 'assistant', content } }],
    ...(more.usage !== undefined && { usage: more.usage }),
  })
}
