import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach } from 'vitest'
import type { Message, Model } from '../../src/core/model.js'
import { type EndpointOptions, createEndpoint } from '../../src/models/index.js'

/** A request as received; the body is empty where it was a GET. */
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

export type Answer = (response: ServerResponse, request: IncomingMessage, received?: ReceivedRequest) => void
/** An answer that does not depend on the request. */
type Reply = (response: ServerResponse, request?: IncomingMessage) => void

export async function startLoopback(...answers: readonly Answer[]): Promise<Loopback> {
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const body = JSON.parse(sent || '{}') as Record<string, unknown>
      const one = { url: request.url ?? '', authorization: request.headers.authorization, body }
      received.push(one)
      answers[Math.min(received.length, answers.length) - 1]!(response, request, one)
    })
  })
  const { origin, close } = await listen(server)
  return { baseUrl: `${origin}/v1`, heard: received, close }
}

export const messages: readonly Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Action: ' },
]
export const key = 'sk-test-0123456789abcdef'

/** Opens an endpoint on a loopback server with given answers, which is closed after each test. */
export function useEndpoint(apiKey = '') {
  const kept = closing<Loopback>()
  let server: Loopback | undefined
  return {
    heard: (): readonly ReceivedRequest[] => server!.heard,
    baseUrl: (): string => server!.baseUrl,
    async open(answers: readonly Answer[], options: Partial<EndpointOptions> = {}): Promise<Model> {
      server = await kept(startLoopback(...answers))
      const limits = { timeoutMs: 20_000, longestWaitMs: 5 }
      return createEndpoint({ model: 'm', baseUrl: server.baseUrl, apiKey, ...limits, ...options })
    },
  }
}

/** Starts what a test asks for, and closes it when the test ends. */
export function closing<T extends { close(): unknown }>(): <One extends T>(
  starting: One | Promise<One>,
) => Promise<One> {
  const started: T[] = []
  afterEach(async () => void (await Promise.all(started.splice(0).map((one) => one.close()))))
  return async (starting) => {
    const one = await starting
    started.unshift(one)
    return one
  }
}

export async function listen(server: Server): Promise<{ readonly origin: string; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

export function says(content: string | null, more: { readonly finish?: string; readonly usage?: unknown } = {}): Reply {
  return json({
    id: 'x',
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: more.finish ?? 'stop', message: { role: 'assistant', content } }],
    ...(more.usage !== undefined && { usage: more.usage }),
  })
}
