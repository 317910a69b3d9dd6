import { readdirSync } from 'node:fs'
import type { Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readJsonLines } from '../../shared-data.js'

/**
 * One request to an AgentGym server and its answer, as in the recordings. A body that is a string was sent
 * unchanged.
 */
export interface Exchange {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: object | string | null
  readonly status: number
  readonly content_type?: string
  readonly response: string
}

/** The recordings of a folder, by the name of their file. */
export function readRecordings(folder: string): readonly (readonly [name: string, exchanges: readonly Exchange[]])[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => [name, readJsonLines<Exchange>(join(folder, name))])
}

/** An AgentGym server that replays recorded answers. */
export interface FakeServer {
  readonly url: string
  /** The requests, such as `POST /step {"id":0,…}`. */
  readonly asked: string[]
  /** Moves to an exchange: later requests are looked up from there on. */
  seek(index: number): void
  /** Replaces the handling of the next requests until it is unset. */
  misbehave?: ((response: ServerResponse) => void) | undefined
  close(): Promise<void>
}

/** Answers a request with the next exchange with the same request, or, if none follows, with the first. */
export async function startFakeServer(exchanges: readonly Exchange[]): Promise<FakeServer> {
  let at = 0
  const asked: string[] = []
  const bodyOf = ({ body }: Exchange): string =>
    body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      const { method = '', url = '' } = request
      asked.push(`${method} ${url} ${text}`.trim())
      if (fake.misbehave !== undefined) {
        fake.misbehave(response)
        return
      }
      const matches = (one: Exchange): boolean => one.method === method && one.path === url && bodyOf(one) === text
      const next = exchanges.findIndex((one, index) => index >= at && matches(one))
      const found = next === -1 ? exchanges.findIndex(matches) : next
      if (found === -1) {
        response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error')
        return
      }
      if (next !== -1) at = next + 1
      const { status, content_type = 'application/json', response: answer } = exchanges[found]!
      response.writeHead(status, { 'content-type': content_type }).end(answer)
    })
  })
  const fake: FakeServer = {
    url: await listen(server),
    asked,
    seek: (index) => (at = index),
    close: () => stop(server),
  }
  return fake
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
