import { describe, expect, it } from 'vitest'
import type { Target } from '../../src/models/address.js'
import { separateReasoning } from '../../src/models/reasoning.js'
import { readLogprobs, readReply } from '../../src/models/reply.js'

const target: Target = { model: 'm', shownUrl: 'http://host/v1', redact: (text) => text }

function read(message: object, finish = 'stop', stop: readonly string[] = []) {
  const text = JSON.stringify({ choices: [{ finish_reason: finish, message }] })
  return readReply({ text, endpoint: 'chat', stop }, target).completion
}

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
  ['<think>a</think>\n<think>b</think>look', { text: 'look', reasoning: 'a\nb' }],
  ['Hm.\n<thinking>\nb\n</thinking>\nlook', { text: 'Hm.\n\nlook', reasoning: '\nb\n' }],
  ['<thinking>a <thought>b</thought> c</thinking>look', { text: 'look', reasoning: 'a <thought>b</thought> c' }],
])('reasoning in a text of %j is separated', (content, parted) => {
  expect(separateReasoning(content)).toEqual(parted)
})

describe('reasoning in other marks', () => {
  it.each([
    ['<thinking>hm</thinking>\nlook'],
    ['<thought>hm</thought>look'],
    ['<chain_of_thought>hm</chain_of_thought>look'],
    ['<思考>hm</思考>look'],
    ['<reasoning effort="low">hm</reasoning>look'],
    ['<antThinking>hm</antThinking>look'],
    ['<thought_process>hm</thought_process>look'],
    ['<seed:think>hm</seed:think>look'],
    ['<think:opensource>hm</think:opensource>look'],
    ['<|think|>hm<|/think|>look'],
    ['[THINK]hm[/THINK]look'],
    ['[REASONING]hm[/REASONING]look'],
    ['◁think▷hm◁/think▷look'],
    ['<|begin_of_thought|>hm<|end_of_thought|>\n\n<|begin_of_solution|>look<|end_of_solution|>'],
    ['<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>look<|END_RESPONSE|>'],
    ['<start_working_out>hm<end_working_out><SOLUTION>look</SOLUTION>'],
    ['<think>hm</think><answer>look</answer>'],
    ['<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>look'],
    [
      '<|start|>assistant<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>look<|return|>',
    ],
    ['<|channel>thought\nhm<channel|>look'],
    ['<unused94>thought\nhm<unused95>look'],
    ['<|inner_prefix|>hm<|inner_suffix|>look'],
    ["Here's my thought process:hm Here is my response:\nlook"],
    ['<details type="reasoning" done="true">hm</details>look'],
    ['```thinking\nhm\n```\nlook'],
    ['analysis(hm)assistantfinallook'],
    ['[THINK]hm[/THINK]Thought: \nlook'],
    ['<plan>hm</plan>look'],
    ['<draft>hm</draft><answer>look</answer>'],
    ['{think}hm{/think}look'],
    ['(thinking)hm(end thinking)look'],
    ['【思考】hm【/思考】look'],
    ['*thinking* hm */thinking* look'],
    ['**Thinking**\nhm\n\n**Answer**\nlook'],
    ['**Reasoning:** hm\n**Final answer:** look'],
    ['Reasoning: hm\nFinal answer: look'],
    ['### Reasoning\nhm\n### Final answer\nlook'],
    ['## Thought process:\nhm\n\n## Answer:\nlook'],
    ['hm[/THINK]look'],
    ['hm<|end_of_thought|>look'],
  ])('of %j is separated', (content) => {
    const { text, reasoning, unclosed } = separateReasoning(content)
    expect([text, reasoning?.replace(/[\s()]/g, ''), unclosed]).toEqual(['look', 'hm', undefined])
  })

  const marks = ['<thinking>', '<seed:think>', '[THINK]', '<|channel|>analysis<|message|>', '<|START_THINKING|>']
  it.each(marks)('that %s opens and nothing closes leaves no text', (mark) => {
    expect(separateReasoning(`${mark}hm`)).toEqual({ text: '', reasoning: 'hm', unclosed: true })
  })

  it.each([
    'Thought: [THINK] is a word.\nAction: look',
    '[Thought] hm\n[Action] look',
    'analysis of the room: look',
    'The analysis is over. look',
    'Use <b>bold</b> <action>look</action>',
    '<plan>look',
    'hm</plan>look',
    '(think) look',
    '*Thinking* is hard. look',
    'Reasoning: hm\nAction: look',
    'Thought: hm\nAction: look',
    'Think: hm. Answer: look',
    'Final answer: look',
    '**Thought:** hm\n**Action:** look',
    '**Reasoning:** hm\n**Action:** look\n**Response:** ok',
    'Reasoning: hm\nAction: look\nFinal answer: no',
    'Action: look\n**Reasoning**\nhm\n**Answer**\nlook',
  ])('is not found in %j', (text) => {
    expect(separateReasoning(text)).toEqual({ text })
  })

  it('is part of the answer where the prompt asks for its marks', () => {
    const reply = '<Thought>hm</Thought>\n<Action>look</Action>'
    expect(separateReasoning(reply, false, (mark) => mark === '<Thought>')).toEqual({ text: reply })
    const answer = '<think>hm</think><answer>look</answer>'
    expect(separateReasoning(answer, false, (mark) => mark === '<answer>').text).toBe('<answer>look</answer>')
  })
})

describe('a reply', () => {
  const both = { text: 'look', reasoning: 'hm' }
  const piece = (text: string) => ({ type: 'text', text })
  it.each([
    ['reasoning_content', { content: '\n\nlook', reasoning_content: 'hm' }, both],
    ['reasoning', { content: 'look', reasoning: 'hm' }, both],
    ['tags', { content: '<think>hm\n</think>\nlook\nand go' }, { text: 'look', reasoning: 'hm\n' }],
    ['pieces', { content: [{ type: 'thinking', thinking: [piece('hm')] }, piece('look')] }, both],
    ['reasoning alone', { content: null, reasoning_content: 'hm' }, { text: '', reasoning: 'hm' }],
    ['a refusal', { content: null, refusal: 'no' }, { text: 'no' }],
  ])('with %s is split into its parts, and ends where it must', (_, message, completion) => {
    expect(read(message, 'stop', ['\n'])).toEqual({ ...completion, finish: 'stop' })
  })

  it('includes the functions that were called', () => {
    const take = { name: 'take', arguments: '{"obj":"mug 1"}' }
    const calls = [take, { name: 'look', arguments: {} }].map((called) => ({ type: 'function', function: called }))
    const toolCalls = [take, { name: 'look', arguments: '{}' }]
    expect(read({ content: null, tool_calls: calls }, 'tool_calls')).toEqual({ text: '', finish: 'tool', toolCalls })
    expect(read({ content: 'look', tool_calls: [] })).toEqual({ text: 'look', finish: 'stop' })
  })
})

const [comma, there] = [
  { token: ',', logprob: -0.03 },
  { token: ' there', logprob: -0.07 },
]
const chat = {
  content: [
    { ...comma, top_logprobs: [comma] },
    { ...there, top_logprobs: [] },
  ],
}
const legacy = { tokens: ['a', 'b'], token_logprobs: [-1, 0.0001], top_logprobs: [{ c: -2 }, {}] }
it.each([
  ['of a chat, and of llama.cpp over completions', chat, [{ ...comma, top: [comma] }, there]],
  [
    'of legacy completions',
    legacy,
    [
      { token: 'a', logprob: -1, top: [{ token: 'c', logprob: -2 }] },
      { token: 'b', logprob: 0 },
    ],
  ],
  ['that are not there', null, undefined],
  ['that are no numbers', { content: [{ token: 'a', logprob: 'NaN' }] }, undefined],
  ['of fewer tokens than there are', { tokens: ['a', 'b'], token_logprobs: [-1] }, undefined],
  ['of too many tokens', { content: Array(20_000).fill({ token: 'a', logprob: -1 }) }, undefined],
])('log-probabilities of a reply are read %s', (_, given, expected) => {
  expect(readLogprobs(given)).toEqual(expected)
})
