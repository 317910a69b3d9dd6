import { expect, it } from 'vitest'
import { readTaggedReply, tagged } from '../../src/agents/tagged.js'
import { briefing } from './briefing-fixture.js'

const noThink = 'no <think> in the reply'
const noAction = 'no <action> in the reply'

it.each([
  ['<think>The bed.</think><action>go to bed 1</action>', { thought: 'The bed.', action: 'go to bed 1' }],
  ['<think>a</think><action>"look"</action><|im_end|>', { thought: 'a', action: 'look' }],
  ['<think>a <action>x</action></think><action>look</action>', { thought: 'a <action>x</action>', action: 'look' }],
  ['<think>a</think><action>look', { thought: 'a', action: 'look', fault: 'no </action> in the reply' }],
  [
    '<think>a</think><action>look</action><action>open</action>',
    { thought: 'a', action: 'look', fault: '2 actions in one reply; the first one is taken' },
  ],
  ['<action>look</action>', { thought: '', action: 'look', fault: noThink }],
  ['<think>a<action>look</action>', { thought: 'a', action: 'look', fault: 'no </think> in the reply' }],
  ['<action>look</action><think>a</think>', { thought: 'a', action: 'look' }],
  ['<think>a</think>look', { thought: 'a', action: 'look', fault: noAction }],
  ['look', { thought: '', action: 'look', fault: noAction }],
  ['<think>hm', { thought: 'hm', action: 'hm', fault: noAction }],
  ['', { thought: '', action: '', fault: 'the reply is empty' }],
])('a reply in tags %j', (reply, reading) => {
  expect(readTaggedReply(reply)).toEqual(reading)
})

it('a reply in tags needs no thought if the server separated it from the reply', () => {
  expect(readTaggedReply('<action>look</action>', true)).toEqual({ thought: '', action: 'look' })
  expect(tagged.begin(briefing, '').read('<action>look</action>', undefined, 'I look.')).toEqual({ action: 'look' })
})

it('tagged is a chat in which replies stay unchanged, with worked examples in tags', () => {
  const conversation = tagged.begin(briefing, 'You see a bed 1.')
  const reply = '<think>The bed first.</think>\n<action>go to bed 1</action>'
  expect(conversation.read(`${reply}\n`)).toEqual({ action: 'go to bed 1', thought: 'The bed first.' })
  conversation.observe('go to bed 1', 'On the bed 1, you see a pen 1.')
  const [system, user, ...rest] = conversation.messages()
  expect(system).toEqual({ role: 'system', content: 'You are a helpful assistant.' })
  expect(user!.content).toContain(`

Answer each observation with one thought and one action, each between its tags, like this:
<think>why you do what you do next</think>
<action>what you do next</action>

Here are examples:
Your task is to: put some book in desk.
You see a desk 1, and a shelf 1.
<action>go to shelf 1</action>
Observation: On the shelf 1, you see a book 1.
`)
  expect(rest).toEqual([
    { role: 'assistant', content: reply },
    { role: 'user', content: 'Observation: On the bed 1, you see a pen 1.' },
  ])
})
