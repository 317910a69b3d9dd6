import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/core/model.js'
import { refuseHeader } from '../../src/models/request-settings.js'
import { buildRequest, shapeMessages, wireMessages } from '../../src/models/request.js'
import { plainTraits } from '../../src/models/traits.js'

const system: Message = { role: 'system', content: 'S' }
const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })
const sampling = { temperature: 0, seed: 3, maxTokens: 9, stop: ['\n', 'b', 'c', 'd', 'e'] }

describe('messages for a template', () => {
  const accepted = { systemRole: 'accepted', consecutiveRoles: 'accepted' } as const
  const chat = [system, user('a'), user('b'), assistant('c'), assistant('d'), user('e')]

  it('have the system text in front of the first user message if that role is refused', () => {
    const shaped = shapeMessages(chat, { ...accepted, systemRole: 'fold' })
    expect(shaped).toEqual([user('S\n\na'), user('b'), assistant('c'), assistant('d'), user('e')])
    expect(shapeMessages([system], { ...accepted, systemRole: 'fold' })).toEqual([user('S')])
    const plain = [user('a')]
    expect(shapeMessages(plain, { ...accepted, systemRole: 'fold' })).toBe(plain)
  })

  it('have no two consecutive messages of a role if they must alternate', () => {
    const both = { systemRole: 'fold', consecutiveRoles: 'merge' } as const
    expect(shapeMessages(chat, both)).toEqual([user('S\n\na\n\nb'), assistant('c\n\nd'), user('e')])
  })

  it('keep function calls and their answers apart', () => {
    const calling: readonly Message[] = [
      user('a'),
      { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'look', arguments: '{}' }] },
      { role: 'tool', content: 'x', toolCallId: '1' },
      { role: 'tool', content: 'y', toolCallId: '2' },
    ]
    expect(shapeMessages(calling, { ...accepted, consecutiveRoles: 'merge' })).toEqual(calling)
  })
})

describe('a chat template', () => {
  const messages = [{ role: 'system', content: 'S' } as const, user('U'), assistant('A'), user('V')]

  const turns = [['system', 'S'] as const, ['user', 'U'] as const, ['assistant', 'A'] as const, ['user', 'V'] as const]
  const chatml = turns.map(([role, content]) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join('')
  it.each([
    ['chatml', `${chatml}<|im_start|>assistant\n`, ['<|im_end|>']],
    ['llama-2', '[INST] <<SYS>>\nS\n<</SYS>>\n\nU [/INST] A </s><s>[INST] V [/INST]', ['</s>']],
    ['mistral', '[INST] S\n\nU [/INST] A</s>[INST] V [/INST]', ['</s>']],
    ['vicuna', 'S USER: U ASSISTANT: A</s>USER: V ASSISTANT:', ['</s>', 'USER:']],
  ] as const)('%s is filled in, and its marks end a reply', (template, prompt, stop) => {
    const traits = { ...plainTraits, endpoint: 'completions' } as const
    const request = buildRequest('m', messages, { ...sampling, stop: [] }, traits, { template })
    expect(request).toMatchObject({ path: '/completions', stop, body: { prompt, stop } })
  })

  it('is not filled in again if the prompt of an agent has one', () => {
    const whole = { ...sampling, endpoint: 'completions' } as const
    const { body } = buildRequest('m', [user('[INST] a [/INST]')], whole, plainTraits, { template: 'llama-2' })
    expect(body['prompt']).toBe('[INST] a [/INST]')
  })
})

it('writes calls and their answers like chat completions', () => {
  expect(
    wireMessages([
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'go_to', arguments: '{"recep":"bed 1"}' }] },
      { role: 'tool', content: 'o', toolCallId: 'c1' },
      { role: 'assistant', content: 'a' },
    ]),
  ).toEqual([
    { role: 'system', content: 's' },
    { role: 'user', content: 'u' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'go_to', arguments: '{"recep":"bed 1"}' } }],
    },
    { role: 'tool', content: 'o', tool_call_id: 'c1' },
    { role: 'assistant', content: 'a' },
  ])
})

describe('a header whose value is a secret', () => {
  it.each(['Authorization', 'apikey', 'X-AccessKey', 'X-Auth-Token', 'Cookie', 'Helicone-Auth', 'x-portkey-api-key'])(
    'takes it from a variable: %s',
    (name) => {
      expect(refuseHeader(name, 'plain', false)).toMatch(/a variable in the value/)
      expect(refuseHeader(name, '$KEY', true)).toBeUndefined()
    },
  )

  it.each(['X-Portkey-Provider', 'X-Monkey-Name', 'HTTP-Referer', 'anthropic-version'])(
    'is none by its name: %s',
    (name) => {
      expect(refuseHeader(name, 'openai', false)).toBeUndefined()
    },
  )
})
