import { describe, expect, it } from 'vitest'
import { readReactReply } from '../../src/agents/react-parser.js'

describe('react parser', () => {
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
  ])('reads %s', (_, reply, thought, actions) => {
    expect(readReactReply(reply)).toMatchObject({ thought, actions })
  })

  it.each([
    ['go to desk 1\nand then', 'go to desk 1', true],
    ['\n\n  "look"', 'look', true],
    ['Thought: hm', 'Thought: hm', false],
    ['> look', 'look', false],
    ['', '', true],
  ])('gives the first line of %j and whether it is bare', (reply, firstLine, bare) => {
    expect(readReactReply(reply)).toMatchObject({ firstLine, bare })
  })

  it('gives nothing long', () => {
    const { firstLine, actions, thought } = readReactReply(
      `Thought: ${'a '.repeat(50_000)}\nAction: ${"'".repeat(9000)}`,
    )
    for (const text of [firstLine, ...actions]) expect(text.length).toBeLessThanOrEqual(2000)
    expect(thought.length).toBeLessThanOrEqual(20_000)
  })
})
