import { describe, expect, it } from 'vitest'
import type { Target } from '../../src/models/address.js'
import { readReply, separateReasoning } from '../../src/models/reply.js'

const target: Target = { model: 'm', shownUrl: 'http://host/v1', redact: (text) => text }

function read(message: object, finish = 'stop', stop: readonly string[] = []) {
  const text = JSON.stringify({ choices: [{ finish_reason: finish, message }] })
  return readReply({ text, endpoint: 'chat', stop }, target)
}

describe('reasoning in a text', () => {
  it.each([
    ['look', { text: 'look' }],
    ['<think>hm</think>look', { text: 'look', reasoning: 'hm' }],
    ['\n<think>\nhm\n</think>\n\nlook', { text: 'look', reasoning: '\nhm\n' }],
    ['hm</think>look', { text: 'look', reasoning: 'hm' }],
    ['<think>hm', { text: '', reasoning: 'hm', unclosed: true }],
    ['<think>', { text: '', reasoning: '', unclosed: true }],
    ['<think></think>look', { text: 'look', reasoning: '' }],
    ['say <think> aloud</think>', { text: 'say <think> aloud</think>' }],
    ['', { text: '' }],
  ])('of %j is separated', (content, parted) => {
    expect(separateReasoning(content)).toEqual(parted)
  })
})

describe('a reply', () => {
  it.each([
    ['reasoning_content', { content: '\n\nlook', reasoning_content: 'hm' }, { text: 'look', reasoning: 'hm' }],
    ['reasoning', { content: 'look', reasoning: 'hm' }, { text: 'look', reasoning: 'hm' }],
    ['tags', { content: '<think>hm\n</think>\nlook\nand go' }, { text: 'look', reasoning: 'hm\n' }],
    ['tags that are never closed', { content: '<think>hm' }, { text: '', reasoning: 'hm', unclosed: true }],
    [
      'pieces',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: 'look' },
        ],
      },
      { text: 'look', reasoning: 'hm' },
    ],
    ['reasoning alone', { content: null, reasoning_content: 'hm' }, { text: '', reasoning: 'hm' }],
    ['a refusal', { content: null, refusal: 'no' }, { text: 'no' }],
    ['nothing', { content: null }, { text: '' }],
  ])('with %s is split into its parts, and ends where it must', (_, message, completion) => {
    expect(read(message, 'stop', ['\n'])).toEqual({ ...completion, finish: 'stop' })
  })

  it('includes the functions that were called', () => {
    const calls = [
      { id: 'a', type: 'function', function: { name: 'take', arguments: '{"obj":"mug 1"}' } },
      { id: 'b', type: 'function', function: { name: 'look', arguments: {} } },
    ]
    expect(read({ content: null, tool_calls: calls }, 'tool_calls')).toEqual({
      text: '',
      finish: 'tool',
      toolCalls: [
        { name: 'take', arguments: '{"obj":"mug 1"}' },
        { name: 'look', arguments: '{}' },
      ],
    })
    expect(read({ content: 'look', tool_calls: [] })).toEqual({ text: 'look', finish: 'stop' })
  })

  it('of the plain endpoint is read too', () => {
    const body = JSON.stringify({ choices: [{ text: ' look\nUser: go', finish_reason: 'length' }] })
    expect(readReply({ text: body, endpoint: 'completions', stop: ['\n'] }, target)).toEqual({
      text: ' look',
      finish: 'length',
    })
  })
})
