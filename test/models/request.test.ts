import { expect, it } from 'vitest'
import type { Message } from '../../src/core/model.js'
import { refuseHeader } from '../../src/models/request-settings.js'
import { buildRequest, shapeMessages, wireMessages } from '../../src/models/request.js'
import { plainTraits } from '../../src/models/traits.js'

const system: Message = { role: 'system', content: 'S' }
const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })
const sampling = { temperature: 0, seed: 3, maxTokens: 9, stop: ['\n', 'b', 'c', 'd', 'e'] }

const accepted = { systemRole: 'accepted', consecutiveRoles: 'accepted' } as const
const fold = { ...accepted, systemRole: 'fold' } as const
const merge = { ...accepted, consecutiveRoles: 'merge' } as const
const chat = [system, user('a'), user('b'), assistant('c'), assistant('d'), user('e')]
const calling: readonly Message[] = [
  user('a'),
  { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'look', arguments: '{}' }] },
  { role: 'tool', content: 'x', toolCallId: '1' },
  { role: 'tool', content: 'y', toolCallId: '2' },
]
it.each([
  ['the system text in front', chat, fold, [user('S\n\na'), ...chat.slice(2)]],
  ['a system text alone', [system], fold, [user('S')]],
  ['no system text', [user('a')], fold, [user('a')]],
  ['no two of a role', chat, merge, [system, user('a\n\nb'), assistant('c\n\nd'), user('e')]],
  ['neither', chat, { ...merge, systemRole: 'fold' }, [user('S\n\na\n\nb'), assistant('c\n\nd'), user('e')]],
  ['calls and their answers apart', calling, merge, calling],
] as const)('messages for a template that refuses a role, or two of one, have %s', (_, given, traits, expected) => {
  expect(shapeMessages(given, traits)).toEqual(expected)
})

it('is one text over completions, whose turns are labelled where there are replies among them', () => {
  const traits = { ...plainTraits, endpoint: 'completions' } as const
  const one = buildRequest('m', [system, user('U')], { ...sampling, stop: [] }, traits)
  expect(one).toMatchObject({ path: '/completions', stop: [], body: { prompt: 'S\n\nU' } })
  const several = buildRequest('m', [system, user('U'), assistant('A'), user('V')], { ...sampling, stop: [] }, traits)
  expect(several).toMatchObject({
    stop: ['\nUser:'],
    body: { prompt: 'S\n\nUser: U\n\nAssistant: A\n\nUser: V\n\nAssistant:' },
  })
})

it('sends as many stop strings as the server takes, and keeps all to cut the reply by', () => {
  const { body, stop } = buildRequest('m', [user('U')], sampling, plainTraits)
  expect([body['stop'], stop]).toEqual([['\n', 'b', 'c', 'd'], sampling.stop])
})

it('writes calls and their answers like chat completions', () => {
  const called = { name: 'go_to', arguments: '{"recep":"bed 1"}' }
  const calling: Message = { role: 'assistant', content: '', toolCalls: [{ id: 'c1', ...called }] }
  const answer: Message = { role: 'tool', content: 'o', toolCallId: 'c1' }
  expect(wireMessages([system, user('u'), calling, answer, assistant('a')])).toEqual([
    ...[system, user('u')],
    { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: called }] },
    { role: 'tool', content: 'o', tool_call_id: 'c1' },
    assistant('a'),
  ])
})

it.each([
  ['chat', { logprobs: true, top_logprobs: 5 }],
  ['completions', { logprobs: 5 }],
] as const)('asks for log-probabilities over %s', (endpoint, expected) => {
  const { body } = buildRequest('m', [user('a')], { ...sampling, logprobs: true }, { ...plainTraits, endpoint })
  expect(body).toMatchObject(expected)
})

it.each([
  ...['Authorization', 'apikey', 'X-AccessKey', 'X-Auth-Token', 'Cookie', 'Helicone-Auth', 'x-portkey-api-key'],
])('the value of the header %s is a secret, taken from a variable', (name) => {
  expect(refuseHeader(name, 'plain', false)).toMatch(/a variable in the value/)
  expect(refuseHeader(name, '$KEY', true)).toBeUndefined()
})

const open = ['X-Portkey-Provider', 'X-Monkey-Name', 'HTTP-Referer', 'anthropic-version']
it.each(open)('the value of the header %s is no secret by its name', (name) => {
  expect(refuseHeader(name, 'openai', false)).toBeUndefined()
})
