import { describe, expect, it } from 'vitest'
import { readLogprobs } from '../../src/models/reply.js'
import { buildRequest } from '../../src/models/request.js'
import { plainTraits } from '../../src/models/traits.js'

/** As in a recorded answer of llama.cpp's server. */
const llama = {
  content: [
    { token: ',', logprob: -0.03, top_logprobs: [{ token: ',', logprob: -0.03 }] },
    { token: ' there', logprob: -0.07, top_logprobs: [] },
  ],
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

  it.each([
    ['chat', { logprobs: true, top_logprobs: 5 }],
    ['completions', { logprobs: 5 }],
  ] as const)('are requested over %s', (endpoint, expected) => {
    const sampling = { temperature: 1, seed: 3, maxTokens: 100, stop: [], logprobs: true } as const
    const { body } = buildRequest('m', [{ role: 'user', content: 'a' }], sampling, { ...plainTraits, endpoint })
    expect(body).toMatchObject(expected)
  })
})
