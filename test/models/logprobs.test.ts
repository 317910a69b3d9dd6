import { afterEach, describe, expect, it } from 'vitest'
import type { Message } from '../../src/core/model.js'
import { createEndpoint } from '../../src/models/index.js'
import { readGiven, readLogprobs } from '../../src/models/logprobs.js'
import { probeServer } from '../../src/models/probe/probe-server.js'
import { buildRequest } from '../../src/models/request.js'
import { plainTraits } from '../../src/models/traits.js'
import type { LlamaOptions, LlamaServer } from './llama-server.js'
import { startLlama } from './llama-server.js'

let server: LlamaServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** As in a recorded answer of llama.cpp's server. */
const llama = {
  content: [
    { token: ',', logprob: -0.03, top_logprobs: [{ token: ',', logprob: -0.03 }] },
    { token: ' there', logprob: -0.07, top_logprobs: [] },
  ],
}
const legacy = {
  tokens: ['<s>', 'Go', ' to', ' shelf', ' x'],
  token_logprobs: [null, -1, -2, -3, -4],
  top_logprobs: null,
  text_offset: [0, 0, 2, 5, 11],
}

describe('log-probabilities of a reply', () => {
  it.each([
    [
      'of a chat, and of llama.cpp over completions',
      llama,
      [
        { token: ',', logprob: -0.03, top: [{ token: ',', logprob: -0.03 }] },
        { token: ' there', logprob: -0.07 },
      ],
    ],
    [
      'of legacy completions',
      { tokens: ['a', 'b'], token_logprobs: [-1, 0.0001], top_logprobs: [{ c: -2 }, {}] },
      [
        { token: 'a', logprob: -1, top: [{ token: 'c', logprob: -2 }] },
        { token: 'b', logprob: 0 },
      ],
    ],
    ['that are not there', null, undefined],
    ['that are no numbers', { content: [{ token: 'a', logprob: 'NaN' }] }, undefined],
    ['of fewer tokens than there are', { tokens: ['a', 'b'], token_logprobs: [-1] }, undefined],
    ['of too many tokens', { content: Array(20_000).fill({ token: 'a', logprob: -1 }) }, undefined],
  ])('are read %s', (_, given, expected) => {
    expect(readLogprobs(given)).toEqual(expected)
  })
})

describe('log-probabilities of the end of a prompt', () => {
  const echo = (logprobs: object) => ({ prompt_logprobs: null, choices: [{ text: '', logprobs }] })
  const vllm = (...tokens: readonly string[]) => ({
    choices: [],
    prompt_logprobs: [null, ...tokens.map((token, id) => ({ [id]: { logprob: -id, rank: 1, decoded_token: token } }))],
  })
  it.each([
    ['in the columns of an echo', echo(legacy), 'to shelf', [' to', ' shelf']],
    ['with a token that starts before it', echo(legacy), 'o shelf', [' to', ' shelf']],
    ['in the places of vLLM', vllm('Action:', ' go', ' to'), 'go to', [' go', ' to']],
    ['not if the prompt ends differently', echo(legacy), 'to desk', undefined],
    ['not as far as the first token, which has none', vllm(), 'go', undefined],
    ['not if there is no result', { choices: [{ text: '' }] }, 'go', undefined],
  ])('are read %s', (_, body, given, expected) => {
    expect(
      readGiven(body, given, 'choices' in body && body.choices.length > 0 ? 1 : 0)?.map(({ token }) => token),
    ).toEqual(expected)
  })
})

describe('a request', () => {
  const messages: readonly Message[] = [
    { role: 'user', content: 'Observation: a shelf.\nAction: ' },
    { role: 'assistant', content: 'go to shelf 1' },
  ]
  const sampling = { temperature: 1, seed: 3, maxTokens: 100, stop: ['\n'] }
  const bodyOf = (endpoint: 'chat' | 'completions', logprobs: 'top' | 'continuations', more: object) =>
    buildRequest('m', messages, { ...sampling, ...more }, { ...plainTraits, endpoint, logprobs }).body
  it.each([
    ['chat', 'top', { logprobs: true, top_logprobs: 5 }],
    ['chat', 'continuations', { logprobs: true, top_logprobs: 1 }],
    ['completions', 'top', { logprobs: 5 }],
    ['completions', 'continuations', { logprobs: 1 }],
  ] as const)('over %s requests log-probabilities (%s)', (endpoint, logprobs, expected) => {
    const asked = bodyOf(endpoint, logprobs, { logprobs: true })
    expect(asked).toMatchObject(expected)
    const { logprobs: one, top_logprobs: two, ...rest } = asked
    expect([one, two]).not.toEqual([undefined, undefined])
    expect(rest).toEqual(bodyOf(endpoint, logprobs, {}))
  })

  it.each([
    ['completions', { prompt: 'Observation: a shelf.\nAction: go to shelf 1', echo: true, logprobs: 1 }],
    ['chat', { messages, add_generation_prompt: false, continue_final_message: true, prompt_logprobs: 0 }],
  ] as const)('over %s scores the end of a prompt, and generates one token', (endpoint, text) => {
    const body = { model: 'm', ...text, max_tokens: 1, stream: false, temperature: 1 }
    expect(bodyOf(endpoint, 'continuations', { logprobs: true, scored: 13 })).toEqual(body)
  })
})

describe('a server', () => {
  const lengths = (token: string): number => -0.5 * token.trim().length
  const probe = async (options: LlamaOptions) => {
    server = await startLlama(options)
    return probeServer({ model: 'stories', baseUrl: server.baseUrl, apiKey: '', logprobs: true })
  }
  const found = ({ findings }: Awaited<ReturnType<typeof probe>>) =>
    findings.find(({ name }) => name === 'prompt-logprobs')

  it.each([
    ['scores a text', { scores: lengths }, 'given', 'continuations'],
    ['does not', {}, 'ignored', 'top'],
    ['has the same figure for every token', { scores: () => 0 }, 'ignored', 'top'],
  ] as const)('that %s is detected', async (_, options, value, trait) => {
    const report = await probe(options)
    expect(found(report)?.value).toBe(value)
    expect(report.traits.logprobs).toBe(trait)
  })

  it.each(['chat', 'completions'] as const)('gives the probability of a continuation over %s', async (endpoint) => {
    server = await startLlama({ scores: lengths })
    const traits = { ...plainTraits, endpoint, logprobs: 'continuations' } as const
    const model = createEndpoint({ model: 'stories', baseUrl: server.baseUrl, apiKey: '', traits })
    expect(model.logprobs).toBe('continuations')
    const messages: readonly Message[] = [
      { role: 'user', content: 'Where to?' },
      { role: 'assistant', content: 'Action: go to shelf' },
    ]
    const sampling = { temperature: 0, seed: 0, maxTokens: 1, stop: [], logprobs: true, scored: 11 } as const
    const reply = await model.complete(messages, sampling)
    expect(reply).toMatchObject({ text: '', attempts: [{ outcome: 'ok' }] })
    const scores = [' go', ' to', ' shelf'].map((token) => ({ token, logprob: lengths(token) }))
    expect(reply.logprobs).toEqual(scores)
  })
})
