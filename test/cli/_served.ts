import { afterEach } from 'vitest'
import type { Message } from '../../src/core/model.js'
import { json, startLoopback } from '../models/loopback.js'

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

let close: (() => Promise<void>) | undefined

/** Stops the server at once. It stops by itself after each test. */
export function closeServer(): void {
  void close?.()
  close = undefined
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
  const server = await startLoopback((response, { method }, received) => {
    if (method !== 'POST') return json({ object: 'list', data: [{ id: 'tuned' }] })(response)
    const { body: sent, authorization } = received!
    const reply = async (): Promise<void> => {
      const request = { ...sent, authorization } as unknown as Request
      const { status = 200, content, headers, usage, model = 'tuned' } = await answer(request, ++count)
      const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
      const counts = usage ?? { prompt_tokens: 50, completion_tokens: 3 }
      const body =
        status === 200 ? { object: 'chat.completion', model, choices, usage: counts } : { error: { message: content } }
      json(body, status, headers)(response)
    }
    reply().catch(() => response.destroy())
  })
  close = server.close
  return server.baseUrl
}
