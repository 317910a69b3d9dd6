import { expect, it } from 'vitest'
import { readAgentBoardAction } from '../../src/agents/agentboard-parser.js'
import { readReactReply } from '../../src/agents/react-parser.js'

it.each([
  ['blanks of every kind', '\u001c\u0085\u00a0look\u3000', 'look'],
  ['a byte order mark, which Python does not count as a blank', '\ufefflook', '\ufefflook'],
  ['quotes and a slash', "'go to garbagecan 1/", 'go to garbagecan 1'],
  ['quotes inside the blanks only', "' look '", ' look '],
  ['a full stop, which is left to the environment', ' . ', '.'],
  ['a label', 'Action: go to cabinet 8', 'go to cabinet 8'],
  ['a label on a later line', 'look\nObservation: You see nothing.\nAction: inventory', 'inventory'],
  ['the first of two labels', 'Action: look\nAction: inventory', 'look'],
  ['a colon in the action', 'Action: say: hello', 'say: hello'],
  ['a numbered label', 'Action 3: look', 'look'],
  ['an action in a sentence', 'The next action is to look', 'look'],
  ['an action between two purposes', 'The action is to look, that is to see', 'look, that'],
  ['an announcement, then the action', 'Here is the next action to take:\ngo to desk 1', 'go to desk 1'],
  ['an announcement, then a label', 'Here is the next action:\nAction: look', 'look'],
  ['two announcements', 'The next action:\nThe next action:\nlook', 'look'],
  ['a tool call', 'Action: find with Action Input: x', 'find with Action Input: x'],
  ['a tool call that names its input', 'find with Action Input: x', 'find with Action Input: x'],
  ['an empty label', 'Action:', 'Action:'],
  ['an empty label, then a line', 'Action:\nlook', 'Action:'],
  ['the word alone', 'check valid actions', 'check valid actions'],
  ['nothing', '', ''],
  ['Windows line ends', 'Action: look\r\nmore', 'look'],
])('AgentBoard action parser reads %s', (_, reply, action) => {
  expect(readAgentBoardAction(reply)).toBe(action)
})

it('AgentBoard action parser reads announcements before blank lines quickly, and never a long action', () => {
  const announced = Array.from({ length: 20_000 }, (_, at) => `next action ${String(at)}:`).join('\n')
  const started = performance.now()
  expect(readAgentBoardAction(`${announced}${'\n'.repeat(500_000)}`).length).toBeLessThanOrEqual(2000)
  expect(readAgentBoardAction('x'.repeat(9000)).length).toBeLessThanOrEqual(2000)
  expect(performance.now() - started).toBeLessThan(20_000)
})

it.each([
  ['AgentRefine', 'Thought: I need it.\nAction: look', 'I need it.', ['look']],
  ['AgentGym', 'Thought:\nI need it.\n\nAction:\nlook', 'I need it.', ['look']],
  ['several end marks', 'Action: look <|end_of_text|>\n</s>', '', ['look']],
  ['AgentInstruct', 'THOUGHT: I need it.\nACTION: look', 'I need it.', ['look']],
  ['AgentBoard, a thought', 'Think: I need it.', 'I need it.', []],
  ['ReAct, a thought', '> think: I need it.', 'I need it.', []],
  ['ReAct, an action', '> go to desk 1', '', ['go to desk 1']],
  ['bold labels', '**Thought:** I need it.\n**Action:** `look`', 'I need it.', ['look']],
  ['a thought of several lines', 'Thought: one\ntwo\n\nthree\nAction: look', 'one\ntwo\nthree', ['look']],
  ['two actions', 'Action: look\nAction: inventory', '', ['look', 'inventory']],
  ['an observation it made up', 'Action: look\nObservation: a room\nAction: inventory', '', ['look']],
  ['text behind the action', 'Action: look\nThat will do.', '', ['look']],
  ['a think block', '<think>hm\nAction: no</think>\nAction: look', 'hm\nAction: no', ['look']],
  ['an unclosed think block', '<think>hm\nAction: look', 'hm\nAction: look', []],
  ['an action in the middle of a line', 'My Action: look', '', []],
])('react parser reads %s', (_, reply, thought, actions) => {
  expect(readReactReply(reply)).toMatchObject({ thought, actions })
})

it.each([
  ['go to desk 1\nand then', 'go to desk 1', true],
  ['\n\n  "look"', 'look', true],
  ['Thought: hm', 'Thought: hm', false],
  ['> look', 'look', false],
  ['', '', true],
])('react parser gives the first line of %j and whether it is bare', (reply, firstLine, bare) => {
  expect(readReactReply(reply)).toMatchObject({ firstLine, bare })
})

it('react parser gives nothing long', () => {
  const { firstLine, actions, thought } = readReactReply(`Thought: ${'a '.repeat(50_000)}\nAction: ${"'".repeat(9000)}`)
  for (const text of [firstLine, ...actions]) expect(text.length).toBeLessThanOrEqual(2000)
  expect(thought.length).toBeLessThanOrEqual(20_000)
})
