import { expect, it } from 'vitest'
import { act } from '../../src/agents/act.js'
import { agents, findAgent } from '../../src/agents/index.js'
import { reactAgentBoard } from '../../src/agents/react-agentboard.js'
import { reactPrompt } from '../../src/agents/react-prompt.js'
import { react } from '../../src/agents/react.js'
import { readTaggedReply, tagged } from '../../src/agents/tagged.js'
import { type Completion, type Conversation, type Model, createRandom, play } from '../../src/index.js'
import { createToy } from '../toy-environment.js'
import { briefing } from './briefing-fixture.js'

it('act formats a prompt as AgentBoard does', () => {
  const conversation = act.begin(briefing, 'You see a bed 1, and a pen 1.')
  conversation.observe('go to bed 1', 'On the bed 1, you see nothing.')

  expect(conversation.messages()).toEqual([
    { role: 'system', content: 'You are a helpful assistant.' },
    {
      role: 'user',
      content: `Keep house.
Actions:
- go to {recep}
- take {obj} from {recep}

Here are examples:
Your task is to: put some book in desk.
You see a desk 1, and a shelf 1.
Action: go to shelf 1
Observation: On the shelf 1, you see a book 1.
Action: take book 1 from shelf 1
Observation: You pick up the book 1 from the shelf 1.

You should perform actions to accomplish the goal: put some pen in bed.
You should use the following commands for help when your action cannot be understood: check valid actions
You should use the following commands for help when your action cannot be understood: inventory
Observation: You see a bed 1, and a pen 1.
Action: go to bed 1
Observation: On the bed 1, you see nothing.
Action: `,
    },
  ])
})

it('act keeps the last hundred actions and observations', () => {
  const conversation = act.begin(briefing, 'the first')
  for (let step = 1; step <= 60; step++) conversation.observe(`a${String(step)}`, `o${String(step)}`)
  const history = conversation.messages()[1]!.content.split('inventory\n')[1]!.split('\n')
  expect(history).toHaveLength(101)
  expect(history[0]).toBe('Action: a11')
  expect(history.at(-2)).toBe('Observation: o60')
})

const agent = findAgent('act:client=open-weights')

it('act in the variant for open weights has the reminder after the system text, and no stop string', () => {
  const [system, user] = agent.begin(briefing, 'A room.').messages()
  const reminder =
    'Generate your next step of action after Action. Action must not be empty. e.g. Action: put down cup. \n'
  expect(system).toEqual({ role: 'system', content: `You are a helpful assistant.${reminder}` })
  expect(user).toEqual(findAgent('act').begin(briefing, 'A room.').messages()[1])
  expect(agent.stop).toEqual([])
  expect(findAgent('best-of-n:n=4:agent=act:client=open-weights')).toMatchObject({ stop: [] })
})

it.each<[string, string, string, boolean]>([
  ['behind its label', 'Sure!\nAction: go to bed 1\nObservation: …', 'go to bed 1', true],
  ['as the first line if none has a label', '\ngo to bed 1\nI see a p', 'go to bed 1', true],
  ['that ends in the midst', 'I think.\nAction: go to be', 'go to be', false],
])('act in the variant for open weights reads an action %s', async (_, text, action, ended) => {
  const toy = createToy()
  const world = await toy.begin(toy.tasks[0]!, createRandom('seed'))
  const model: Model = { name: 'm', settings: {}, complete: (): Completion => ({ text, finish: 'length' }) }
  const { trajectory } = await play({ world, agent, model, temperature: 0, seed: 1, stepLimit: 1, maxTokens: 100 })
  expect(trajectory.steps[0]).toMatchObject({ action, ...(!ended && { fault: 'length' }) })
  expect(trajectory.steps[0]!.fault).toBe(ended ? undefined : 'length')
})

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
