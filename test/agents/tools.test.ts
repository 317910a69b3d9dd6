import { describe, expect, it } from 'vitest'
import { tools } from '../../src/agents/tools.js'
import { type ActionForm, type Reading, toolsOf } from '../../src/index.js'
import { briefing } from './briefing-fixture.js'

const forms = (...templates: readonly string[]): readonly ActionForm[] =>
  templates.map((template) => ({ template, meaning: 'do it' }))
const named = (...templates: readonly string[]): readonly string[] =>
  toolsOf(forms(...templates)).map(({ definition: { name, parameters } }) => {
    return `${name}(${parameters.map((parameter) => parameter.name).join(', ')})`
  })

it.each([
  ['take {obj} from {recep}', 'take_from(obj, recep)'],
  ['from {recep} take {obj}', 'from_take(recep, obj)'],
  ['put {obj} in/on {recep}', 'put_in-on(obj, recep)'],
  ['look', 'look()'],
  ['examine {obj}/{recep}', 'examine(obj_or_recep)'],
  ['move {obj} to {recep}; move to {recep}', 'move_obj_to_recep(obj, recep); move_to_recep(recep)'],
  ['swap {a} with {a}', 'swap_with(a)'],
  ['Öffne {recep}!', 'Offne(recep)'],
  ['__proto__; …', 'proto(); action()'],
])('an action form as a function %j is %j', (templates, expected) => {
  expect(named(...templates.split('; ')).join('; ')).toBe(expected)
})

it('an action form as a function has a name that every server accepts, whatever the template', () => {
  const long = 'x'.repeat(500)
  const templates = [long, `${long} {a}`, 'é '.repeat(5000), `{${'s'.repeat(100)}} go`, '{a} {b}']
  const offered = toolsOf(forms(...templates)).map(({ definition }) => definition)
  const names = offered.flatMap(({ name, parameters }) => [name, ...parameters.map((parameter) => parameter.name)])
  for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  expect(new Set(offered.map(({ name }) => name)).size).toBe(templates.length)
  for (const { description } of offered) expect(description.length).toBeLessThanOrEqual(1000)
})

const call = (name: string, given: unknown): { name: string; arguments: string } => ({
  name,
  arguments: typeof given === 'string' ? given : JSON.stringify(given),
})
const take = { obj: 'book 1', recep: 'shelf 1' }
const put = { obj: 'mug 1', recep: 'desk 1' }
const json = JSON.stringify(take)
const fault = (action: string, formatError: string) => ({ action, formatError })
const taken = 'take book 1 from shelf 1'

describe('a reply with calls', () => {
  const goTo = (recep: unknown) => call('go_to', { recep })
  const taking = (given: object) => call('take_from', given)
  it.each<[string, ReturnType<typeof call>[], Partial<Reading>]>([
    ['', [taking(take)], { action: taken }],
    [' So. ', [taking(take)], { action: taken, thought: 'So.' }],
    ['', [goTo('a\nb')], { action: 'go to a b' }],
    ['', [taking({ obj: 'book 1' })], fault('take book 1 from', "take_from: no argument 'recep'")],
    ['', [taking({ ...take, now: 'yes' })], fault(taken, "take_from: no parameter 'now'")],
    ['', [goTo(['bed 1'])], fault('go to ["bed 1"]', "go_to: the argument 'recep' is not text")],
    ['', [goTo('bed 1'), taking(take)], fault('go to bed 1', '2 calls in one reply; the first one is taken')],
    ['', [call('pick_up', { obj: 'pen 1' })], { action: 'pick up pen 1' }],
    ['', [call('put_in-on', put)], { action: 'put mug 1 in/on desk 1' }],
    ['', [call('move_obj_to_recep', put)], { action: 'move mug 1 to desk 1' }],
    ['', [call('look', put)], { action: 'look mug 1 desk 1' }],
    ['Thought: hm\nAction: look', [], { action: 'look', thought: 'hm', formatError: 'no function was called' }],
    ['', [], fault('', 'the reply is empty')],
  ])('%j with %j', (text, calls, reading) => {
    expect(tools.begin(briefing, '').read(text, calls)).toEqual(reading)
  })

  const each = (mark: string): string =>
    Object.entries(take)
      .map(([name, value]) => mark.replace('NAME', name).replace('VALUE', value))
      .join('')
  it.each([
    ['Hermes', `I go.\n<tool_call>\n${JSON.stringify({ name: 'take_from', arguments: take })}\n</tool_call>`],
    ['Llama', `<|python_tag|>${JSON.stringify({ name: 'take_from', parameters: take })}`],
    ['Mistral', `[TOOL_CALLS][${JSON.stringify({ name: 'take_from', arguments: take })}]`],
    [
      'Qwen coder',
      `<tool_call>\n<function=take_from>\n${each('<parameter=NAME>\nVALUE\n</parameter>\n')}</function>\n</tool_call>`,
    ],
    ['MiniMax', `<invoke name="take_from">\n${each('<parameter name="NAME">VALUE</parameter>\n')}</invoke>`],
    ['GLM', `<tool_call>take_from\n${each('<arg_key>NAME</arg_key>\n<arg_value>VALUE</arg_value>\n')}</tool_call>`],
    ['DeepSeek', `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>take_from<｜tool▁sep｜>${json}<｜tool▁call▁end｜>`],
    ['Kimi', `<|tool_call_begin|>functions.take_from:0<|tool_call_argument_begin|>${json}<|tool_call_end|>`],
    ['harmony', `<|channel|>commentary to=functions.take_from <|constrain|>json<|message|>${json}<|call|>`],
  ])('is read where a server left it in the text: %s', (_, text) => {
    expect(tools.begin(briefing, '').read(text)).toEqual({ action: taken, formatError: 'a call written as text' })
  })
})

it('the conversation of calls keeps calls and answers in the format of chat completions', () => {
  const conversation = tools.begin(briefing, 'You see a bed 1.')
  conversation.read('The bed.', [call('go_to', { recep: 'bed 1' })])
  conversation.observe('go to bed 1', 'On the bed 1, you see a pen 1.')
  conversation.read('', [call('pick up!', '{"obj": ')])
  conversation.observe('pick up!', 'Nothing happens.')
  conversation.read('look')
  conversation.observe('look', 'A room.')
  const [, user, ...rest] = conversation.messages()
  expect(user!.content).toContain('\n\nAct by calling one of the functions that you are given, one call in each reply.')
  expect(user!.content).toContain('Action: take book 1 from shelf 1\nObservation: You pick up the book 1')
  expect(rest).toEqual([
    {
      role: 'assistant',
      content: 'The bed.',
      toolCalls: [{ id: 'call00001', name: 'go_to', arguments: '{"recep":"bed 1"}' }],
    },
    { role: 'tool', content: 'On the bed 1, you see a pen 1.', toolCallId: 'call00001' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'call00002', name: 'pick_up_', arguments: '{}' }] },
    { role: 'tool', content: 'Nothing happens.', toolCallId: 'call00002' },
    { role: 'assistant', content: 'look' },
    { role: 'user', content: 'Observation: A room.' },
  ])
})
