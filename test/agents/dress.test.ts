import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findAgent } from '../../src/agents/index.js'
import { cutInventedTurns } from '../../src/agents/_turns.js'
import { briefing } from './briefing-fixture.js'

const open = (agent: string) => findAgent(agent).begin(briefing, 'A room.')
const action = 'go to bed 1'
const thought = 'I look.'

it.each([
  ['a fence behind the label', `Thought: I look.\nAction:\n\`\`\`\n${action}\n\`\`\``],
  ['a fence on the line of the label', `Thought: I look.\nAction: \`\`\`\n${action}\n\`\`\``],
  ['typographic quotes', `Thought: I look.\nAction: “${action}”`],
  ['no-break spaces', `Thought:\u00a0I look.\nAction:\u00a0go\u00a0to\u202fbed\u30001`],
  ['zero-width characters', `\ufeffThought: I look.\n\u200bAct\u200dion: go\u2060 to bed 1\u200b`],
  ['colons of full width', `Thought：I look.\nAction：${action}`],
  ['line separators', `Thought: I look.\u2028Action: ${action}\u0085`],
  ['the action on the line of the thought', `Thought: I look. Action: ${action}`],
])('a reply in ornaments is read as without them by react: %s', (_, reply) => {
  expect(open('react').read(reply)).toEqual({ action, thought })
})

it.each([
  ['tagged', `<think>I look.</think><action>“go\u00a0to bed 1”</action>`, { action, thought }],
  ['tagged', `<think>I look.</think><action>\n\`\`\`\n${action}\n\`\`\`\n</action>`, { action, thought }],
  ['react:react', `“go\u00a0to bed 1”`, { action }],
  ['react:react', `> go to bed 1\u200b`, { action }],
  ['tools', `Action:\n\`\`\`\n${action}\n\`\`\``, { action, formatError: 'no function was called' }],
])('a reply in ornaments is read as without them by %s: %j', (agent, reply, reading) => {
  expect(open(agent).read(reply)).toEqual(reading)
})

it('a reply in ornaments is left as it is by the parsers of AgentBoard', () => {
  expect(open('act').read('Action: “look”')).toEqual({ action: '“look”' })
  expect(open('act').read('go\u00a0to bed 1')).toEqual({ action: 'go\u00a0to bed 1' })
  expect(open('react:agentboard').read('Action: “look”')).toEqual({ action: '“look”' })
  expect(open('react:agentboard').read('Think: I look. Action: go')).toMatchObject({ action: undefined })
})

/** What models write behind their own action before they act again, and replies that stay as they are. */
const { headings, observations, marks, thoughts, endings, actions } = JSON.parse(
  readFileSync(new URL('turns.json', import.meta.url), 'utf8'),
) as Record<'headings' | 'observations' | 'marks' | 'thoughts' | 'endings' | 'actions', readonly string[]>

const react = `Thought: I look.\nAction: ${action}`
const tagged = `<think>I look.</think>\n<action>${action}</action>`

const invented = [
  ...headings.map((heading) => `\n\n${heading}\nYou see a mug.\n\nAction: take mug 1`),
  ...headings
    .filter((heading) => /[^\p{L}\d]$/u.test(heading))
    .map((heading) => `\n${heading} You see a mug.\nThought: Now.\nAction: take mug 1`),
  ...observations.map((text) => `\n${text}\nThought: Now.\nAction: take mug 1`),
  ...marks.map((mark) => `${mark}You see a mug.\nAction: take mug 1`),
  ...marks.map((mark) => `\n${mark}\nAction: take mug 1`),
  ' Observation: You see a mug.\nAction: take mug 1',
]

it('turns that a model invents end the reply, in the history too', () => {
  const conversation = open('react')
  const invented = '\nHuman: Observation: You see a mug.\nThought: Now.\nAction: take mug 1'
  expect(conversation.read(react + invented)).toEqual({ action, thought, actionEnded: true })
  conversation.observe(action, 'A bed.')
  expect(conversation.messages().at(-2)).toEqual({ role: 'assistant', content: react })
})

it.each([
  ['<|im_start|>assistant\nThought: I look.\nAction: go to bed 1', react],
  ['Assistant: Thought: I look.\nAction: go to bed 1', react],
  ['<s><|assistant|>\nThought: I look.\nAction: go to bed 1', `\n${react}`],
])('turns that a model invents are not the turn that the model opens once more: %j', (reply, text) => {
  expect(cutInventedTurns(reply)).toBe(text)
  expect(open('react').read(reply)).toEqual({ action, thought })
})

it.each(invented)('turns that a model invents end the reply of react: %j', (text) => {
  expect(open('react').read(react + text)).toEqual({ action, thought, actionEnded: true })
})

it.each(invented)('turns that a model invents end a reply in tags: %j', (text) => {
  const again = text.replace('Action: take mug 1', '<action>take mug 1</action>')
  expect(open('tagged').read(tagged + again)).toEqual({ action, thought, actionEnded: true })
})

const ordinary = [
  ...thoughts.map((text) => `Thought: ${text}\nAction: ${action}`),
  ...endings.map((text) => `${react}${text}`),
  ...actions.map((text) => `Thought: I look.\nAction: ${text}`),
  ...actions.map((text) => `<think>I look.</think><action>${text}</action>`),
  `Thought: I look.\nAction:\n${action}`,
  `Thought:\nI look.\n\nAction:\n\`\`\`\n${action}\n\`\`\``,
  `Step 1:\nThought: I look.\nAction: ${action}`,
  `Assistant's thought: I look.\nAction: ${action}`,
  action,
  'You see: nothing.',
]

it.each(ordinary)('what is no turn of others stays: %j', (reply) => {
  expect(cutInventedTurns(reply)).toBe(reply)
})
