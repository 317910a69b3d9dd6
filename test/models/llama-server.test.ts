import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { sharedData } from '../shared-data.js'
import type { LlamaOptions, LlamaServer } from './llama-server.js'
import { startLlama } from './llama-server.js'

let server: LlamaServer
afterEach(async () => server.close())

interface Exchange {
  readonly method: string
  readonly path: string
  readonly request: Readonly<Record<string, unknown>> | null
  readonly status: number
  readonly response: unknown
}

/** The command lines of the recorded servers. */
const started: Readonly<Record<string, LlamaOptions>> = {
  default: {},
  reasoning: { model: 'reasoner', speaks: 'reasoning' },
  'tool-call-unparsed': { model: 'caller', speaks: 'caller' },
  overflow: { model: 'small' },
}

/** Names of all fields, except timings; of lists, those of the first element. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  if (Array.isArray(value)) return value.length === 0 ? [path] : fieldsOf(value[0], `${path}[]`)
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'timings' ? [] : fieldsOf(inner, `${path}.${name}`),
  )
}

/** The paths that the fixture has. */
const known = /\/(?:models|props|completions)$/

describe.runIf(sharedData)('the fixture and the recordings of a llama.cpp server', () => {
  const folder = join(sharedData ?? '', 'llama-server')
  it.each(sharedData ? Object.keys(started) : [])('agree on statuses, errors and fields of %s', async (file) => {
    server = await startLlama(started[file])
    const origin = new URL(server.baseUrl).origin
    const exchanges = readFileSync(join(folder, `${file}.jsonl`), 'utf8')
      .trim()
      .split('\n')
    for (const line of exchanges) {
      const { method, path, request, status, response } = JSON.parse(line) as Exchange
      // The expected token counts depend on the recorded vocabularies; the fixture has no key, streams or several
      // replies.
      const isOther = status === 401 || request?.['stream'] === true || 'n' in (request ?? {}) || !known.test(path)
      if (isOther) continue
      const isFull = status === 400 && 'n_prompt_tokens' in (response as { error: object }).error
      const messages = isFull ? [{ role: 'user', content: 'x'.repeat(20_000) }] : undefined
      const body = request && { ...request, ...(messages && { messages }) }
      const answer = await fetch(`${origin}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
      const json: unknown = await answer.json()
      expect.soft(answer.status, line.slice(0, 300)).toBe(status)
      if (status !== 200 && !isFull) expect.soft(json).toEqual(response)
      const fields = new Set(fieldsOf(response))
      const other = fieldsOf(json).filter((field) => !fields.has(field))
      expect.soft(other, `fields of ${path}`).toEqual([])
    }
  })
})
