import { expect, it } from 'vitest'
import { act } from '../../src/agents/act.js'
import { agents } from '../../src/agents/index.js'
import { reactAgentBoard } from '../../src/agents/react-agentboard.js'
import { reactPrompt } from '../../src/agents/react-prompt.js'
import { react } from '../../src/agents/react.js'
import type { Conversation } from '../../src/core/agent.js'
import { briefing } from './briefing-fixture.js'

/** The first message of act without the label of the action, whose layout equals AgentBoard's to the byte. */
const firstPrompt = act
  .begin(briefing, 'A room.')
  .messages()[1]!
  .content.replace(/\nAction: $/, '')
const examples = '\nHere are examples:'
const layout = 'Thought: why you do what you do next\nAction: what you do next\n'
const prompt = (conversation: Conversation): string => conversation.messages().at(-1)!.content

it('react uses turns of a chat and keeps the replies unchanged', () => {
  const conversation = react.begin(briefing, 'You see a bed 1.')
  const reply = 'Thought: The bed first.\nAction: go to bed 1'
  expect(conversation.read(reply)).toEqual({ action: 'go to bed 1', thought: 'The bed first.' })
  conversation.observe('go to bed 1', 'On the bed 1, you see a pen 1.')

  const messages = conversation.messages()
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(messages[1]!.content).toBe(
    firstPrompt
      .replace(examples, `\nAnswer each observation with one thought and one action, like this:\n${layout}${examples}`)
      .replace('A room.', 'You see a bed 1.'),
  )
  expect(messages.slice(2)).toEqual([
    { role: 'assistant', content: reply },
    { role: 'user', content: 'Observation: On the bed 1, you see a pen 1.' },
  ])
})

it.each([
  ['Action: look', { action: 'look' }],
  ['look', { action: 'look', formatError: "no 'Action:' in the reply" }],
  ['Thought: hm', { action: 'Thought: hm', thought: 'hm', formatError: "no 'Action:' in the reply" }],
  ['', { action: '', formatError: 'the reply is empty' }],
  ['Action: a\nAction: b', { action: 'a', formatError: '2 actions in one reply; the first one is taken' }],
])('react reads %j', (reply, reading) => {
  expect(react.begin(briefing, '').read(reply)).toEqual(reading)
})

it('react:agentboard asks again after a thought, and for an action after three', () => {
  const conversation = reactAgentBoard.begin(briefing, 'A room.')
  for (const thought of ['one', 'two', 'three']) {
    expect(prompt(conversation)).not.toContain('stop thinking')
    expect(conversation.read(`Think: ${thought}`)).toEqual({ action: undefined, thought })
  }
  expect(prompt(conversation)).toMatch(
    /Observation: A room\.\nThink: one\nThink: two\nThink: three\nPlease stop thinking and start taking action on the task\.$/,
  )
  expect(conversation.read('Action: look')).toEqual({ action: 'look' })
  conversation.observe('look', 'A room.')
  expect(prompt(conversation)).toMatch(/Think: three\nAction: look\nObservation: A room\.$/)
})

it('react:agentboard asks once more after a reply that is neither, then accepts it', () => {
  const conversation = reactAgentBoard.begin(briefing, 'A room.')
  expect(conversation.read('look')).toEqual({ action: undefined })
  expect(prompt(conversation)).toMatch(/A room\.\nPlease take action on the task\.$/)
  expect(conversation.read('look')).toEqual({
    action: 'look',
    formatError: 'no action in 2 replies; the first line is taken',
  })
})

it('react:react is one growing prompt in which thoughts are answered with OK.', () => {
  const conversation = reactPrompt.begin(briefing, 'A room.')
  expect(conversation.read(' think: the bed first')).toEqual({ action: undefined, thought: 'the bed first' })
  expect(conversation.read(' go to bed 1')).toEqual({ action: 'go to bed 1' })
  conversation.observe('go to bed 1', 'On the bed 1, you see nothing.')
  const task = '\nHere is the task.\nYou should perform'
  const format = `\nAfter each '>' write one line: an action, or a thought, which begins with 'think: ' and is answered with 'OK.'.\n`
  const lines = '> think: the bed first\nOK.\n> go to bed 1\nOn the bed 1, you see nothing.\n>'
  const above = firstPrompt.replace(examples, `${format}${examples}`).replace('\nYou should perform', task)
  const plain = above.replaceAll('\nAction: ', '\n> ').replaceAll('\nObservation: ', '\n')
  expect(prompt(conversation)).toBe(`${plain}\n${lines}`)
})

it.each([
  ['Action: look', { action: 'look' }],
  ['think: hm\n> look', { action: 'look', thought: 'hm' }],
  ['', { action: '', formatError: 'the reply is empty' }],
])('react:react reads %j', (reply, reading) => {
  expect(reactPrompt.begin(briefing, '').read(reply)).toEqual(reading)
})

it.each(agents)('$name reads the format that its own prompt asks for', (agent) => {
  const conversation = agent.begin(briefing, 'A room.')
  const { action, formatError } = conversation.read(agent.phrase('go to bed 1'))
  expect(action).toBe('go to bed 1')
  expect(formatError).toBe(conversation.tools === undefined ? undefined : 'no function was called')
})
