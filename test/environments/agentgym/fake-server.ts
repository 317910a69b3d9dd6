import { readFileSync, readdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** One request to an AgentGym server and its answer, as recordings have it. A body that is a string went out as it stands. */
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
    .map((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n')
      return [name, lines.map((line) => JSON.parse(line) as Exchange)]
    })
}

/** An AgentGym server that answers what was recorded. */
export interface FakeServer {
  readonly url: string
  /** What was asked, `POST /step {"id":0,…}`. */
  readonly asked: string[]
  /** Places itself before an exchange: from there on it looks for what is asked. */
  seek(index: number): void
  /** Does with the next requests what it is told, until it is told nothing. */
  misbehave?: ((response: ServerResponse) => void) | undefined
  close(): Promise<void>
}

/** Answers a request by the next exchange in which the same was asked, or, where none follows, by the first. */
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const fake: FakeServer = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    asked,
    seek: (index) => (at = index),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return fake
}
