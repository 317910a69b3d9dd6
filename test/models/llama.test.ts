import { afterEach, describe, expect, it } from 'vitest'
import type { Message, Model, Sampling } from '../../src/core/model.js'
import { createEndpoint } from '../../src/models/index.js'
import { probeServer } from '../../src/models/probe/probe-server.js'
import { sharedData, sharedRows } from '../shared-data.js'
import { type LlamaOptions, type LlamaServer, startLlama } from './llama-server.js'

let server: LlamaServer
afterEach(() => server.close())

const question = [{ role: 'user', content: 'Where to?' }] as const
const sampling: Sampling = { temperature: 0, seed: 0, maxTokens: 200, stop: ['\n'] }
const tool = (name: string) => ({ name, description: '', parameters: [] })

/** An endpoint on a new server; with `probed`, configured by a probe's result. */
async function open(options: LlamaOptions, probed = false): Promise<{ model: Model; reported: string[] }> {
  server = await startLlama(options)
  const { baseUrl } = server
  const reported: string[] = []
  const known = probed ? { traits: (await probeServer({ model: 'stories', baseUrl, apiKey: '' })).traits } : {}
  const warn = (sentence: string): void => void reported.push(sentence)
  return { model: createEndpoint({ model: 'stories', baseUrl, apiKey: '', warn, ...known }), reported }
}

function stopsSent(): unknown[] {
  return server.received
    .filter(({ body }) => 'seed' in body && body['max_tokens'] === 200)
    .map(({ body }) => body['stop'])
}

describe('reasoning that a stop string cuts off', () => {
  it('is requested again without stop strings, once per model', async () => {
    const { model, reported } = await open({ speaks: 'reasoning' })
    const reply = await model.complete(question, sampling)
    expect(reply).toMatchObject({ text: 'Thought: I look.', finish: 'stop' })
    expect(reply.attempts?.map(({ outcome }) => outcome)).toEqual(['bad-reply', 'ok'])
    expect(reported).toEqual([expect.stringContaining('stop strings cut the reasoning off')])
    await model.complete(question, sampling)
    expect(stopsSent()).toEqual([['\n'], undefined, undefined])
  })

  it.each([true, false])('is never cut off if the probe saw it, separated from the content: %s', async (separates) => {
    const { model } = await open({ speaks: 'reasoning', separates }, true)
    const reply = await model.complete(question, sampling)
    expect(reply).toMatchObject({
      text: 'Thought: I look.',
      reasoning: expect.stringContaining('I should look around'),
    })
    expect(stopsSent()).toEqual([undefined])
  })

  it('is not an answer if the template opened it and nothing closes it', async () => {
    const { model } = await open({ speaks: 'reasoning', separates: false }, true)
    const reply = await model.complete(question, { ...sampling, maxTokens: 10 })
    expect(reply).toMatchObject({ text: '', unclosed: true, finish: 'length' })
  })
})

it('a call that the server cannot parse is a reply with a format error, requested once', async () => {
  const { model } = await open({ speaks: 'caller' })
  const offered = { ...sampling, stop: [], tools: [tool('grab_from')] }
  const reply = await model.complete(question, offered)
  expect(reply).toMatchObject({ text: '', unparsed: expect.stringContaining('peg-native format') })
  expect(reply.attempts).toHaveLength(1)
  expect(server.received).toHaveLength(1)
  expect(await model.complete(question, { ...offered, tools: [tool('take_from')] })).toMatchObject({ finish: 'tool' })
})

const calls = [{ id: 'call00001', name: 'look', arguments: '{}' }]
const history: readonly Message[] = [
  ...question,
  { role: 'assistant', content: '', toolCalls: calls, reasoning: 'Hm.' },
  { role: 'tool', content: 'A desk.', toolCallId: 'call00001' },
]

it('reasoning with function calls is sent back if the server requires it, and never otherwise', async () => {
  const { model } = await open({ wantsReasoning: true })
  await model.complete(history, { ...sampling, tools: [tool('look')] })
  const sent = server.received.map(({ body }) => (body['messages'] as object[])[1])
  expect(sent).toMatchObject([{ role: 'assistant' }, { role: 'assistant', reasoning_content: 'Hm.' }])
  expect(sent[0]).not.toHaveProperty('reasoning_content')
})

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

it.runIf(sharedData).each(sharedData ? Object.keys(started) : [])(
  'the fixture and the recordings of a llama.cpp server agree on statuses, errors and fields of %s',
  async (file) => {
    server = await startLlama(started[file])
    const origin = new URL(server.baseUrl).origin
    for (const exchange of sharedRows<Exchange>(`llama-server/${file}.jsonl`)) {
      const { method, path, request, status, response } = exchange
      // The expected token counts depend on the recorded vocabularies; the fixture has no key, streams or several
      // replies.
      const isOther = status === 401 || request?.['stream'] === true || 'n' in (request ?? {}) || !known.test(path)
      if (isOther) continue
      const isFull = status === 400 && 'n_prompt_tokens' in (response as { error: object }).error
      const messages = isFull ? [{ role: 'user', content: 'x'.repeat(20_000) }] : undefined
      const body = request && { ...request, ...(messages && { messages }) }
      const answer = await fetch(`${origin}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
      const json: unknown = await answer.json()
      expect.soft(answer.status, JSON.stringify(exchange).slice(0, 300)).toBe(status)
      if (status !== 200 && !isFull) expect.soft(json).toEqual(response)
      const fields = new Set(fieldsOf(response))
      const other = fieldsOf(json).filter((field) => !fields.has(field))
      expect.soft(other, `fields of ${path}`).toEqual([])
    }
  },
)
