import { afterEach, describe, expect, it } from 'vitest'
import type { Message, Model, Sampling } from '../../src/core/model.js'
import { createEndpoint } from '../../src/models/index.js'
import { probeServer } from '../../src/models/probe/probe-server.js'
import type { LlamaOptions, LlamaServer } from './llama-server.js'
import { startLlama } from './llama-server.js'

let server: LlamaServer
afterEach(async () => server.close())

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
