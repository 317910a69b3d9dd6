import { expect, it } from 'vitest'
import { measureDiversity, tfIdf, thoughtIn, thoughtTables, thoughtsIn } from '../../src/training/diversity.js'
import { scratchWriter } from '../scratch.js'

const write = scratchWriter()

it.each([
  ['Thought: I go.\nAction: go to desk 1', 'I go.'],
  ['THOUGHT: I look\naround.\n\nACTION:\nlook', 'I look\naround.'],
  ['<think>I go.</think><action>go to desk 1</action>', 'I go.'],
  ['<think>I go.</think>\nAction: go to desk 1', 'I go.'],
  ['I should go there.\nAction: go to desk 1', 'I should go there.'],
  ['Thought: \nAction: look', ''],
  ['Think: I go.', 'I go.'],
  ['go to desk 1', ''],
])('the thought in a reply of %j', (reply, thought) => {
  expect(thoughtIn(reply)).toBe(thought)
})

it('the thought in a reply is not read of replies that only confirm', () => {
  const assistant = (text: string, loss: boolean) => ({ role: 'assistant' as const, text, loss })
  const turns = [assistant('Ok.', false), assistant('Thought: I go.\nAction: go to desk 1', true)]
  expect(thoughtsIn({ turns })).toEqual(['I go.'])
})

it('TF–IDF weighs words by (1 + ln f) (ln((1 + n) / (1 + d)) + 1), with all numbers as one word', () => {
  const [first, second, third] = tfIdf(['Go, go to desk 1!', 'take desk 22', '…'])
  const rare = Math.log(4 / 2) + 1
  const both = Math.log(4 / 3) + 1
  const weights = [both, both, (1 + Math.LN2) * rare, rare]
  const length = Math.hypot(...weights)
  const expected = weights.map((weight) => weight / length).sort((a, b) => a - b)
  const found = [...first!.values].sort((a, b) => a - b)
  found.forEach((value, place) => {
    expect(value).toBeCloseTo(expected[place]!, 12)
  })
  expect(second!.values).toHaveLength(3)
  expect(third).toBeUndefined()
})

it('takes samples of one size, and tells varied thoughts from equal ones', () => {
  const writeRows = (name: string, count: number, thought: (at: number) => string): string => {
    const say = (at: number) => ({ role: 'assistant', content: `Thought: ${thought(at)}\nAction: look` })
    const rows = Array.from({ length: count }, (_, at) => ({ messages: [0, 1, 2].map((turn) => say(3 * at + turn)) }))
    return write(`${name}.jsonl`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  const words = Array.from({ length: 60 }, (_, at) => `${String.fromCharCode(97 + (at % 26))}${at < 26 ? '' : 'x'}`)
  const paths = [
    writeRows('same', 40, (at) => `I go on with task ${String(at)}`),
    writeRows('varied', 60, (at) => `${words[at % 60]!} ${words[(at * 7) % 60]!} ${words[(at * 11) % 60]!}`),
    writeRows('silent', 3, () => ''),
  ]
  const options = { sample: 5000, resamples: 60, seed: 0 }
  const found = measureDiversity(paths, options)
  const [same, varied, silent] = found.thoughts
  expect([found.settings.size, same!.sampled, varied!.sampled]).toEqual([120, 120, 120])
  expect(same!.distinct).toBe(1 / 120)
  expect(same!.cosine!.value).toBeCloseTo(1, 12)
  expect(same!.cosine!.low).toBeUndefined()
  expect(same!.logDeterminant!.value).toBeCloseTo(Math.log(61) / 60, 9)
  expect(varied!.cosine!.high).toBeLessThan(0.2)
  expect(varied!.cosine!.low).toBeLessThan(varied!.cosine!.value)
  expect(varied!.logDeterminant!.low).toBeGreaterThan(0.4)
  expect(silent).toEqual({ name: 'silent', rows: 3, silent: 3, thoughts: 0, sampled: 0 })
  expect(thoughtTables(found)[0]!.notes.at(-1)).toMatch(/silent has 0 thoughts in 3 rows/)
  expect(measureDiversity(paths, { ...options, seed: 1 })).not.toEqual(found)
})
