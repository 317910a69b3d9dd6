import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a request said. */
export interface Heard {
  readonly url: string
  readonly authorization: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * A server on a loopback socket that answers the nth request by the nth of its answers, and the last one from then on.
 */
export interface Loopback {
  readonly baseUrl: string
  readonly heard: Heard[]
  close(): Promise<void>
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

export async function startLoopback(...answers: readonly Answer[]): Promise<Loopback> {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>
      heard.push({ url: request.url ?? '', authorization: request.headers.authorization, body })
      answers[Math.min(heard.length, answers.length) - 1]!(response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    heard,
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
