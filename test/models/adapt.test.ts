import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/core/model.js'
import { keepTraits } from '../../src/models/adapt.js'
import type { ServerTraits } from '../../src/models/traits.js'
import { plainTraits } from '../../src/models/traits.js'

const chat: readonly Message[] = [
  { role: 'system', content: 'S' },
  { role: 'user', content: 'a' },
]
const inRow: readonly Message[] = [...chat, { role: 'user', content: 'b' }]

function learn(said: string, traits: ServerTraits = plainTraits, messages = chat) {
  const keeper = keepTraits(traits)
  const again = keeper.learn(traits, { outcome: 'refused', said }, { messages, stop: ['a', 'b'] })
  return { again, traits: keeper.now() }
}

describe('a refusal', () => {
  it.each([
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { maxTokensField: 'max_completion_tokens' },
    ],
    ["Unsupported parameter: 'seed' is not supported with this model.", { seed: 'refused' }],
    ['[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}]', { seed: 'refused' }],
    ["Unsupported parameter: 'stop' is not supported with this model.", { stop: 0 }],
    ["Invalid 'stop': array too long. Expected an array with maximum length 1, but got 2 instead.", { stop: 1 }],
    ['System role not supported', { systemRole: 'fold' }],
    ['Only user and assistant roles are supported!', { systemRole: 'fold' }],
    ['Conversation roles must alternate user/assistant/user/assistant/...', { systemRole: 'fold' }],
  ])('%j changes the request once', (said, change) => {
    expect(learn(said)).toEqual({ again: true, traits: { ...plainTraits, ...change } })
  })

  it('of the other name of the token limit is learned from as well', () => {
    const traits = { ...plainTraits, maxTokensField: 'max_completion_tokens' } as const
    const said = 'unknown field max_completion_tokens; use max_tokens'
    expect(learn(said, traits).traits).toEqual(plainTraits)
  })

  it('of consecutive roles merges them first, and puts the system text into the next message after that', () => {
    const keeper = keepTraits(plainTraits)
    const failure = { outcome: 'refused', said: 'roles must alternate' } as const
    const request = { messages: inRow, stop: [] }
    expect(keeper.learn(keeper.now(), failure, request)).toBe(true)
    expect(keeper.now()).toEqual({ ...plainTraits, consecutiveRoles: 'merge' })
    expect(keeper.learn(keeper.now(), failure, request)).toBe(true)
    expect(keeper.now()).toEqual({ ...plainTraits, consecutiveRoles: 'merge', systemRole: 'fold' })
    expect(keeper.learn(keeper.now(), failure, request)).toBe(false)
  })

  it.each([
    'max_tokens is too large: 9000. This model supports at most 4096 completion tokens.',
    "Unsupported value: 'temperature' does not support 0 with this model.",
    'no such model',
    '',
  ])('%j changes nothing', (said) => {
    expect(learn(said)).toEqual({ again: false, traits: plainTraits })
  })

  it('that arrives late, when everything is learned already, is tried again in the present form', () => {
    const reported: string[] = []
    const keeper = keepTraits(plainTraits, (_, { sentence }) => reported.push(sentence))
    const failure = { outcome: 'refused', said: "Unsupported parameter: 'seed'" } as const
    const request = { messages: chat, stop: [] }
    for (let call = 0; call < 5; call++) expect(keeper.learn(plainTraits, failure, request)).toBe(true)
    expect(reported).toEqual(['refuses a seed; no more seeds are sent'])
    expect(keeper.learn(keeper.now(), failure, request)).toBe(false)
  })
})
