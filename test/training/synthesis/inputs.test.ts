import { expect, it } from 'vitest'
import { readPersonas } from '../../../src/training/synthesis/read-personas.js'
import { createDuplicateFinder } from '../../../src/training/synthesis/similarity.js'
import { jsonOf } from '../../../src/training/synthesis/stages.js'
import { scratchWriter } from '../../scratch.js'

const write = scratchWriter()
const fileOf = (text: string): string => write('personas.jsonl', text)

it('a file of personas is read line by line, each persona once', () => {
  const lines = [
    '\ufeff{"persona": "A  nurse.", "id": 7}',
    '',
    '{"persona": "A cook.\\nIn Rome."}',
    '{"persona": "A nurse."}',
  ]
  expect(readPersonas(fileOf(lines.join('\n')))).toEqual(['A nurse.', 'A cook. In Rome.'])
})

it.each([
  ['', 'Expected personas in'],
  ['{"persona": "A nurse."}\n{"name": "x"}', ':2: expected'],
  ['{"persona": ', ':1: '],
  [`{"persona": "${'x'.repeat(2001)}"}`, 'at most 2000'],
])('a file of personas is refused with its line: %s', (text, message) => {
  expect(() => readPersonas(fileOf(text))).toThrow(message)
})

it.each([
  ['{"a": [1, {"b": "}"}]}', { a: [1, { b: '}' }] }],
  ['Here it is:\n```json\n[{"turn": 1}]\n```\nIs {this} what you want?', [{ turn: 1 }]],
  ['A small one [] and then {"large": "\\"one\\""}', { large: '"one"' }],
])('JSON in a reply is found in %j', (reply, value) => {
  expect(jsonOf(reply)).toEqual({ value })
})

it.each([
  ['prose', 'walk to {place} and [sigh]'],
  ['json', '{"turns": [{"turn": 1}'],
  ['json', '{"a": 1,}'],
  ['json', '{"a": "not closed}'],
])('JSON in a reply is missing (%s): %s', (rule, reply) => {
  expect(jsonOf(reply)).toMatchObject({ rule })
})

it('a finder of near duplicates compares forms without slot names, things at any depth, and the words of the goal', () => {
  const script = (slot: string, more: object) => ({
    Environment: { kitchen: { Shelf: { is: ['dusty'], ...more } }, cellar: {} },
    Goal: 'Put the mug on it.',
    'Available Actions': { [`take {${slot}}`]: {} },
  })
  const twinOf = createDuplicateFinder()
  expect(twinOf('a', script('obj', { mug: {} }))).toBeUndefined()
  expect(twinOf('b', script('thing', { mug: {} }))).toBe('a')
  expect(twinOf('c', script('thing', { cup: {}, jar: {} }))).toBeUndefined()
})
