import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import type { Message } from '../../src/core/model.js'

/** A chat request, with the authorization header that came with it. */
export interface Request {
  readonly model: string
  readonly messages: readonly Message[]
  readonly temperature: number
  readonly seed: number
  readonly authorization?: string | undefined
}

/** The answer to a request; other statuses than 200 carry the content as an error message. */
interface Answer {
  readonly status?: number
  readonly content: string
  readonly usage?: object
  /** The name that the reply gives the model. */
  readonly model?: string
  readonly headers?: Readonly<Record<string, string>>
}

let server: Server | undefined

/** Stops the server at once. It stops by itself after each test. */
export function closeServer(): void {
  server?.closeAllConnections()
  server?.close()
  server = undefined
}
afterEach(closeServer)

/**
 * Starts a chat server with a model `tuned`.
 * @param answer gives the answer to a request and its number, from 1; a promise that never settles is a stall
 * @returns the base URL
 */
export async function serveChat(
  answer: (request: Request, count: number) => Answer | Promise<Answer>,
): Promise<string> {
  let count = 0
  server = createServer((incoming, response) => {
    const reply = (status: number, body: object, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    }
    if (incoming.method !== 'POST') {
      reply(200, { object: 'list', data: [{ id: 'tuned' }] })
      return
    }
    let text = ''
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
    incoming.on('end', () => {
      const number = ++count
      const request = { ...(JSON.parse(text) as Request), authorization: incoming.headers.authorization }
      void Promise.resolve(answer(request, number)).then(
        ({ status = 200, content, headers, usage, model = 'tuned' }) => {
          const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
          const head = { id: `c-${String(number)}`, object: 'chat.completion', created: 1, model }
          const counts = usage ?? { prompt_tokens: 50, completion_tokens: 3 }
          reply(status, status === 200 ? { ...head, choices, usage: counts } : { error: { message: content } }, headers)
        },
      )
    })
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`
}
